-- What people look for: titles, who belongs to whom, what was silent, and views that read like a conversation.
ALTER TABLE transcripts ADD COLUMN session INTEGER REFERENCES sessions(id) /* the session it belongs to; null = no index names its session id */;
ALTER TABLE transcripts ADD COLUMN title TEXT /* the user's first words, cut as OpenClaw cuts them; null = none where it looks for them */;
ALTER TABLE transcripts ADD COLUMN mentions TEXT /* words of the user's first messages, their case folded, where no cwd tells the project: those they name are found by them */;
ALTER TABLE transcripts ADD COLUMN folded_cwd TEXT /* cwd with the case of its letters folded, of any alphabet: SQLite itself knows A to Z only */;
UPDATE transcripts SET folded_cwd = lower(cwd);
ALTER TABLE installations ADD COLUMN titles_by_label INTEGER NOT NULL DEFAULT 0 /* 1 = a release that calls sessions by their label first (2026.7.1 and later) writes its index */;
UPDATE installations SET titles_by_label = EXISTS (SELECT 1 FROM sessions WHERE installation_id = installations.id
  AND json_valid(entry_json) AND json_extract(entry_json, '$.lastActivityAt') IS NOT NULL);
-- Of all three: else SQLite, which does not know how many transcripts an agent has, may look through all of an agent's.
DROP INDEX transcripts_by_session;
CREATE INDEX transcripts_by_session ON transcripts(session_id, installation_id, agent_id);
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
-- What is unfinished, and nothing else: asked after every rest.
CREATE INDEX tool_calls_pending ON tool_calls(transcript_id) WHERE status = 'pending';
CREATE INDEX turns_in_progress ON turns(transcript_id) WHERE status = 'in_progress';
CREATE INDEX sessions_by_key ON sessions(session_key);
-- Lists choose among all sessions by these, and must not read the entries, which are a thousand times as long.
CREATE INDEX sessions_for_lists ON sessions(updated_at, last_interaction_at, created_at, session_started_at, agent_id, channel, status, lifecycle,
  session_key, session_id, installation_id, title, label, display_name, subject);

CREATE VIEW conversation AS
-- The active path of every transcript in reading order: what was said, and what else stands on the path.
-- Checkpoints, backups and corrupt copies are left out where what they are copies of is there.
SELECT
  transcripts.session AS session,            -- sessions.id; null = no index names it
  sessions.session_key AS session_key,       -- OpenClaw's key of the session
  transcripts.agent_id AS agent_id,          -- the OpenClaw agent
  transcripts.session_id AS session_id,      -- the session id
  transcripts.id AS transcript_id,           -- the transcript
  entries.id AS entry,                       -- entries.id, and messages.id of a message
  entries.entry_id AS entry_id,              -- OpenClaw's id of the entry
  messages.turn_id AS turn_id,               -- the turn that a message belongs to
  entries.type AS type,                      -- message, compaction, model_change, ...
  messages.role AS role,                     -- of a message: user, assistant, toolResult, ...
  coalesce(messages.at, entries.at) AS at,   -- when
  CASE entries.type
    WHEN 'message' THEN messages.text
    WHEN 'compaction' THEN (SELECT summary FROM compactions WHERE compactions.id = entries.id)
    WHEN 'branch_summary' THEN (SELECT summary FROM branch_summaries WHERE branch_summaries.id = entries.id)
    WHEN 'custom_message' THEN (SELECT text FROM custom_messages WHERE custom_messages.id = entries.id)
  END AS text,                               -- what was said, or a summary; null for tool results
  messages.thinking AS thinking,             -- the model's thinking
  messages.tool_name AS tool_name,           -- of a tool result: the tool
  messages.is_error AS is_error,             -- of a tool result: 1 = the tool failed
  messages.silence AS silence,               -- why it was meant for nobody; null = it was not
  messages.model AS model                    -- the model that answered
FROM transcripts
JOIN entries ON entries.transcript_id = transcripts.id
LEFT JOIN messages ON messages.id = entries.id
LEFT JOIN sessions ON sessions.id = transcripts.session
WHERE entries.on_active_path = 1 AND entries.superseded_in IS NULL
  AND (transcripts.kind NOT IN ('checkpoint', 'backup', 'corrupt') OR transcripts.parent_transcript_id IS NULL)
ORDER BY transcripts.id, entries.byte_offset;

CREATE VIEW condensed AS
-- The conversation as another agent would want to read it: no thinking, no tool results, nothing that was meant for nobody.
SELECT
  transcripts.session AS session,            -- sessions.id; null = no index names it
  sessions.session_key AS session_key,       -- OpenClaw's key of the session
  transcripts.agent_id AS agent_id,          -- the OpenClaw agent
  transcripts.session_id AS session_id,      -- the session id
  transcripts.id AS transcript_id,           -- the transcript
  messages.id AS entry,                      -- entries.id and messages.id
  messages.turn_id AS turn_id,               -- the turn
  messages.at AS at,                         -- when
  messages.role AS role,                     -- user or assistant
  iif(messages.silence IN ('no_reply', 'heartbeat_ok'), NULL, messages.text) AS text,  -- what was said
  (SELECT group_concat(line, char(10)) FROM (
    SELECT coalesce(tool_calls.name, '?') || coalesce(' ' || replace(substr(CASE WHEN json_valid(arguments_json) THEN coalesce(
        -- The first of openclaw/main_argument's names that has a text, else the only value there is.
        iif(json_type(arguments_json, '$.path') = 'text', nullif(arguments_json ->> '$.path', ''), NULL), iif(json_type(arguments_json, '$.file_path') = 'text', nullif(arguments_json ->> '$.file_path', ''), NULL),
        iif(json_type(arguments_json, '$.filePath') = 'text', nullif(arguments_json ->> '$.filePath', ''), NULL), iif(json_type(arguments_json, '$.file') = 'text', nullif(arguments_json ->> '$.file', ''), NULL),
        iif(json_type(arguments_json, '$.query') = 'text', nullif(arguments_json ->> '$.query', ''), NULL), iif(json_type(arguments_json, '$.pattern') = 'text', nullif(arguments_json ->> '$.pattern', ''), NULL),
        iif(json_type(arguments_json, '$.url') = 'text', nullif(arguments_json ->> '$.url', ''), NULL), iif(json_type(arguments_json, '$.command') = 'text', nullif(arguments_json ->> '$.command', ''), NULL),
        iif(json_type(arguments_json, '$.cmd') = 'text', nullif(arguments_json ->> '$.cmd', ''), NULL), iif(json_type(arguments_json, '$.q') = 'text', nullif(arguments_json ->> '$.q', ''), NULL),
        iif(json_type(arguments_json, '$.task') = 'text', nullif(arguments_json ->> '$.task', ''), NULL), iif(json_type(arguments_json, '$.action') = 'text', nullif(arguments_json ->> '$.action', ''), NULL),
        iif(json_type(arguments_json, '$.message') = 'text', nullif(arguments_json ->> '$.message', ''), NULL), iif(json_type(arguments_json, '$.text') = 'text', nullif(arguments_json ->> '$.text', ''), NULL),
        iif(json_type(arguments_json, '$.prompt') = 'text', nullif(arguments_json ->> '$.prompt', ''), NULL), iif(json_type(arguments_json, '$.name') = 'text', nullif(arguments_json ->> '$.name', ''), NULL),
        iif(json_type(arguments_json, '$.id') = 'text', nullif(arguments_json ->> '$.id', ''), NULL),
        (SELECT CASE count(*) WHEN 1 THEN max(iif(type = 'text', value, NULL)) END FROM json_each(arguments_json)
          WHERE value != '' AND (type = 'text' OR value NOT IN ('[]', '{}')))
      ) END, 1, 200), char(10), ' '), '') || iif(tool_calls.is_error = 1 OR result.says_error = 1, ' [error]', '') AS line
    FROM tool_calls LEFT JOIN messages AS result ON result.id = tool_calls.result_message_id
    WHERE tool_calls.message_id = messages.id ORDER BY tool_calls.id
  )) AS tools                                -- the tools it called, a line each: name, path or query, and [error] where that failed
FROM transcripts
JOIN entries ON entries.transcript_id = transcripts.id
JOIN messages ON messages.id = entries.id
LEFT JOIN sessions ON sessions.id = transcripts.session
LEFT JOIN turns ON turns.id = messages.turn_id
LEFT JOIN messages AS prompt ON prompt.id = turns.user_message_id
LEFT JOIN messages AS final ON final.id = turns.final_message_id
WHERE entries.on_active_path = 1 AND entries.superseded_in IS NULL
  AND (transcripts.kind NOT IN ('checkpoint', 'backup', 'corrupt') OR transcripts.parent_transcript_id IS NULL)
  AND (messages.role = 'user' AND messages.silence IS NULL OR messages.role = 'assistant')
  AND (messages.text != '' AND coalesce(messages.silence, '') NOT IN ('no_reply', 'heartbeat_ok')
    OR EXISTS (SELECT 1 FROM tool_calls WHERE tool_calls.message_id = messages.id))
  AND CASE prompt.silence
    WHEN 'memory_flush' THEN 0
    -- What a heartbeat found worth telling stays; else all of the turn goes.
    WHEN 'heartbeat' THEN final.text != '' AND final.silence IS NULL
    ELSE 1
  END
ORDER BY transcripts.id, entries.byte_offset;

CREATE INDEX tool_calls_without_result ON tool_calls(transcript_id) WHERE status = 'missing_result';
CREATE VIEW tool_problems AS
-- Calls and results that do not fit together. What is missing is told once the session is at rest.
SELECT
  'missing_result' AS problem,               -- missing_result, orphan_result, duplicate_result, synthetic_result (made up by OpenClaw)
  transcripts.session AS session,            -- sessions.id; null = no index names it
  tool_calls.transcript_id AS transcript_id, -- the transcript
  tool_calls.message_id AS entry,            -- entries.id and messages.id of the call, or of the result
  tool_calls.call_id AS call_id,             -- the provider's id of the call
  tool_calls.name AS tool_name,              -- the tool
  tool_calls.started_at AS at                -- when
FROM tool_calls JOIN entries ON entries.id = tool_calls.message_id JOIN transcripts ON transcripts.id = tool_calls.transcript_id
WHERE tool_calls.status = 'missing_result' AND entries.superseded_in IS NULL
UNION ALL
SELECT messages.result_fault || '_result', transcripts.session, messages.transcript_id, messages.id, messages.tool_call_id,
  messages.tool_name, messages.at
FROM messages JOIN entries ON entries.id = messages.id JOIN transcripts ON transcripts.id = messages.transcript_id
WHERE messages.result_fault IS NOT NULL AND entries.superseded_in IS NULL;

ALTER TABLE sessions ADD COLUMN parent_key TEXT /* session key it hangs on: who spawned it, what it was forked from, or what its own key says (the job of a cron run, the chat of a thread); null = none */;
ALTER TABLE sessions ADD COLUMN parent INTEGER REFERENCES sessions(id) /* the session of that key; null = none, not seen yet, or it would be its own ancestor */;
CREATE INDEX sessions_by_parent ON sessions(parent);
CREATE INDEX sessions_by_parent_key ON sessions(parent_key, parent) WHERE parent_key IS NOT NULL;
UPDATE sessions SET parent_key = coalesce(spawned_by, parent_session_key,
  CASE WHEN kind = 'cron_run' THEN substr(session_key, 1, instr(session_key, ':run:') - 1) END);
UPDATE sessions SET parent = (SELECT elder.id FROM sessions AS elder WHERE elder.session_key = sessions.parent_key
  AND elder.installation_id = sessions.installation_id AND elder.id < sessions.id ORDER BY elder.id LIMIT 1) WHERE parent_key IS NOT NULL;

CREATE VIEW session_tree AS
-- Who spawned whom: subagents below their spawner, runs below their cron job, threads below their chat. In reading order.
-- However deep: no session is its own ancestor, which the one who binds them sees to.
WITH RECURSIVE tree(id, parent, root, depth) AS (
  SELECT id, NULL, id, 0 FROM sessions WHERE parent IS NULL
  UNION ALL
  SELECT sessions.id, tree.id, tree.root, tree.depth + 1 FROM tree JOIN sessions ON sessions.parent = tree.id
  ORDER BY 4 DESC, 1
)
SELECT
  tree.root AS root,                         -- sessions.id of the eldest ancestor
  sessions.id AS session,                    -- sessions.id
  tree.parent AS parent,                     -- sessions.id of the parent; null = it has none
  tree.depth AS depth,                       -- how far below the root
  substr('. . . . . . . . . . ', 1, 2 * tree.depth) || coalesce(sessions.title, sessions.session_key) AS name,  -- its title, moved in by its depth
  sessions.session_key AS session_key,       -- OpenClaw's key
  sessions.agent_id AS agent_id,             -- the OpenClaw agent
  sessions.kind AS kind,                     -- main, direct, group, subagent, cron, cron_run, ...
  sessions.lifecycle AS lifecycle,           -- created, active, idle, archived
  sessions.status AS status,                 -- live or removed
  sessions.spawned_by AS spawned_by,         -- as the index says
  sessions.parent_session_key AS parent_session_key,  -- likewise
  CASE WHEN sessions.kind IN ('cron', 'cron_run') THEN substr(
    substr(sessions.session_key, 1, coalesce(nullif(instr(sessions.session_key, ':run:'), 0), 1000000) - 1),
    instr(':' || sessions.session_key, ':cron:') + 5) END AS cron_job_id,  -- of a cron job and its runs: cron_runs.job_id
  coalesce(sessions.last_interaction_at, sessions.updated_at) AS at,  -- last activity
  row_number() OVER () AS place              -- 1, 2, 3 in reading order; a session's descendants follow it at once
FROM tree CROSS JOIN sessions ON sessions.id = tree.id;

CREATE VIEW project_sessions AS
-- Sessions by the directory they worked in; those without one by the projects that their first messages name.
WITH located AS (
  SELECT id, coalesce(nullif(rtrim(cwd, '/'), ''), '/') AS directory, coalesce(nullif(rtrim(folded_cwd, '/'), ''), '/') AS folded
  FROM transcripts WHERE cwd != '' AND kind NOT IN ('trajectory', 'checkpoint', 'backup', 'corrupt')
), named AS (
  SELECT id, directory, folded, coalesce(nullif(replace(folded, rtrim(folded, replace(folded, '/', '')), ''), ''), folded) AS project
  FROM located
), found AS (
  SELECT id, project, directory, folded, 'cwd' AS found_by FROM named
  UNION ALL
  SELECT transcripts.id, known.project, known.directory, known.folded, 'mention'
  FROM transcripts JOIN (SELECT project, min(directory) AS directory, folded FROM named GROUP BY folded) AS known
    ON instr(transcripts.mentions, ' ' || known.project || ' ')
  WHERE coalesce(transcripts.cwd, '') = '' AND length(known.project) > 2
    AND transcripts.kind NOT IN ('trajectory', 'checkpoint', 'backup', 'corrupt')
)
SELECT
  found.project AS project,                  -- last part of the directory, the case of its letters folded
  found.directory AS cwd,                    -- the working directory
  found.folded AS folded_cwd,                -- the same with the case of its letters folded: one project, however it is spelt
  found.found_by AS found_by,                -- cwd, or mention: the first messages name the project
  transcripts.session AS session,            -- sessions.id; null = no index names it
  sessions.session_key AS session_key,       -- OpenClaw's key of the session
  transcripts.agent_id AS agent_id,          -- the OpenClaw agent
  transcripts.session_id AS session_id,      -- the session id
  transcripts.id AS transcript_id,           -- the transcript
  coalesce(transcripts.title, sessions.title) AS title,  -- what it was about
  transcripts.started_at AS started_at,      -- when it began
  max(coalesce(transcripts.started_at, 0), iif(sessions.session_id = transcripts.session_id,
    coalesce(sessions.last_interaction_at, sessions.updated_at, 0), 0)) AS at  -- last activity known
FROM found JOIN transcripts ON transcripts.id = found.id LEFT JOIN sessions ON sessions.id = transcripts.session;

CREATE VIEW projects AS
-- One row per working directory, whatever the case of its letters; the latest first.
SELECT
  project AS project,                        -- last part of the directory, the case of its letters folded
  min(cwd) AS cwd,                           -- the working directory
  count(DISTINCT coalesce('s' || session, 't' || transcript_id)) AS sessions,  -- how many sessions
  count(*) AS transcripts,                   -- how many transcripts
  sum(found_by = 'mention') AS mentions,     -- how many of them only because their first messages name it
  min(started_at) AS started_at,             -- beginning of the first
  max(at) AS at                              -- last activity known
FROM project_sessions GROUP BY folded_cwd ORDER BY max(at) DESC;

CREATE INDEX messages_that_flush ON messages(transcript_id) WHERE silence = 'memory_flush';
CREATE VIEW compaction_history AS
-- What was done to make room in the model's context, and when: compactions, and the memory flushes before them.
SELECT
  'compaction' AS event,                     -- compaction or memory_flush
  transcripts.session AS session,            -- sessions.id; null = no index names it
  entries.transcript_id AS transcript_id,    -- the transcript
  entries.id AS entry,                       -- entries.id of the compaction, or of the prompt to flush
  entries.at AS at,                          -- when
  compactions.tokens_before AS tokens_before,  -- of a compaction: size of the context before; null = not told
  compactions.tokens_after AS tokens_after,  -- and after
  compactions.first_kept_entry_id AS first_kept_entry_id,  -- what follows from here stayed in the context
  NULL AS tool_call_count,                   -- of a flush: tools the model called to store what it knew
  NULL AS status,                            -- of a flush: how its turn ended
  compactions.summary AS text                -- the summary, or the model's last word on the flush
FROM compactions JOIN entries ON entries.id = compactions.id JOIN transcripts ON transcripts.id = entries.transcript_id
WHERE entries.superseded_in IS NULL
UNION ALL
SELECT 'memory_flush', transcripts.session, entries.transcript_id, entries.id, messages.at, NULL, NULL, NULL, turns.tool_call_count,
  turns.status, (SELECT final.text FROM messages AS final WHERE final.id = turns.final_message_id)
FROM messages JOIN entries ON entries.id = messages.id JOIN transcripts ON transcripts.id = entries.transcript_id
LEFT JOIN turns ON turns.id = messages.turn_id
WHERE messages.silence = 'memory_flush' AND entries.superseded_in IS NULL;
