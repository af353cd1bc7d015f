-- What people look for: titles, who belongs to whom, what was silent, and views that read like a conversation.
ALTER TABLE transcripts ADD COLUMN session INTEGER REFERENCES sessions(id) /* the session it belongs to; null = no index names its session id */;
ALTER TABLE transcripts ADD COLUMN title TEXT /* the user's first words, cut as OpenClaw cuts them; null = none where it looks for them */;
ALTER TABLE transcripts ADD COLUMN mentions TEXT /* words of the user's first messages, in small letters, where no cwd tells the project: those they name are found by them */;
CREATE INDEX transcripts_of_session ON transcripts(session);
CREATE INDEX sessions_by_session_id ON sessions(session_id);
UPDATE transcripts SET session = (SELECT session_ids.session FROM session_ids JOIN sessions ON sessions.id = session_ids.session
  WHERE session_ids.session_id = transcripts.session_id AND sessions.installation_id = transcripts.installation_id
  ORDER BY ended_by IS NOT NULL, session_ids.last_seen_at DESC, session_ids.id DESC LIMIT 1);
-- A session without a name and without words is called by its id and day; one with words once its transcript is derived anew.
UPDATE sessions SET title = substr(session_id, 1, 8) || coalesce(' (' || date(updated_at / 1000, 'unixepoch') || ')', '')
  WHERE title IS NULL AND session_id IS NOT NULL;
ALTER TABLE messages ADD COLUMN silence TEXT /* why it was meant for nobody: no_reply, heartbeat_ok, heartbeat_ack (only in answer to a heartbeat), heartbeat and memory_flush (prompts); null = it was meant for somebody */;
ALTER TABLE messages ADD COLUMN says_error INTEGER /* of a tool result: 1 = the words error or failed are in it; null for other roles */;
ALTER TABLE messages ADD COLUMN result_fault TEXT /* of a tool result: synthetic (made up by OpenClaw where none had come), orphan (no call before it), duplicate (its call has another); null = none */;
CREATE INDEX messages_with_faults ON messages(transcript_id) WHERE result_fault IS NOT NULL;
