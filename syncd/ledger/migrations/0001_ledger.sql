-- 0001: the ledger as first released.
-- Every column carries its meaning in a comment: SQLite keeps this text, so `.schema` in any browser explains itself,
-- and the documentation is made from it. Instants are INTEGER epoch milliseconds (UTC) ending in _at; JSON columns hold
-- JSON text; tables that begin with _ are internal. The raw bytes (_blocks) are the record: all rows of entries and the
-- tables after it can be made again from them.

CREATE TABLE installations (
  id INTEGER PRIMARY KEY,                    -- number of this row
  state_dir TEXT NOT NULL UNIQUE,            -- OpenClaw's state directory, symlinks resolved
  host TEXT NOT NULL,                        -- name of the machine it was seen on
  era TEXT NOT NULL DEFAULT 'jsonl' CHECK (era IN ('jsonl', 'sqlite')),  -- where OpenClaw keeps its sessions
  version TEXT,                              -- OpenClaw's release, when a file says it
  first_seen_at INTEGER NOT NULL             -- when syncd first read it
) STRICT;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY,                    -- stays when OpenClaw renames the key
  installation_id INTEGER NOT NULL REFERENCES installations(id),  -- whose index it stands in
  agent_id TEXT NOT NULL,                    -- the OpenClaw agent
  session_key TEXT NOT NULL,                 -- OpenClaw's key, such as agent:main:telegram:direct:42
  session_id TEXT,                           -- the current session id behind the key
  title TEXT,                                -- as OpenClaw derives it
  kind TEXT,                                 -- main, direct, group, channel, thread, subagent, cron, hook, acp, ...
  channel TEXT,                              -- telegram, discord, ...
  chat_type TEXT,                            -- direct, group, channel
  peer TEXT,                                 -- the other side's id on the channel
  thread_id TEXT,                            -- thread or topic inside the chat
  label TEXT,                                -- the user's own label
  display_name TEXT,                         -- the name the channel gave
  subject TEXT,                              -- the group's subject
  spawned_by TEXT,                           -- session key that spawned this subagent
  parent_session_key TEXT,                   -- session key this one was forked from
  model TEXT,                                -- model last used
  model_provider TEXT,                       -- its provider
  input_tokens INTEGER,                      -- as the index says, not summed here
  output_tokens INTEGER,                     -- likewise
  total_tokens INTEGER,                      -- likewise
  context_tokens INTEGER,                    -- size of the model's window
  compaction_count INTEGER,                  -- how often it was compacted
  memory_flush_at INTEGER,                   -- last memory flush
  memory_flush_compaction_count INTEGER,     -- compaction count at that flush
  session_started_at INTEGER,                -- start of the current session id
  last_interaction_at INTEGER,               -- last message of a person
  created_at INTEGER,                        -- first known existence
  updated_at INTEGER,                        -- the entry's own updatedAt
  lifecycle TEXT NOT NULL DEFAULT 'created' CHECK (lifecycle IN ('created', 'active', 'idle', 'archived')),  -- from activity
  status TEXT NOT NULL DEFAULT 'live' CHECK (status IN ('live', 'removed')),  -- still in OpenClaw's index or not
  removed_at INTEGER,                        -- when it was found missing for good
  entry_json TEXT NOT NULL DEFAULT '{}',     -- the entry verbatim: every field OpenClaw stores
  UNIQUE (installation_id, agent_id, session_key)
) STRICT;
CREATE INDEX sessions_by_status ON sessions(status);  -- counting must not read the entries

CREATE TABLE session_versions (
  id INTEGER PRIMARY KEY,                    -- in the order the changes were read
  session INTEGER NOT NULL REFERENCES sessions(id),  -- whose entry changed
  seen_at INTEGER NOT NULL,                  -- when the change was read
  changed_json TEXT NOT NULL                 -- the changed fields only, with their new values; null = field removed
) STRICT;
CREATE INDEX session_versions_by_session ON session_versions(session, seen_at);

CREATE TABLE session_ids (
  id INTEGER PRIMARY KEY,                    -- in the order the pairings were first read
  session INTEGER NOT NULL REFERENCES sessions(id),  -- the session it belongs to, whatever its key is today
  session_id TEXT NOT NULL,                  -- a session id that stood behind the key
  session_key TEXT NOT NULL,                 -- the key at that time
  agent_id TEXT NOT NULL,                    -- the OpenClaw agent
  first_seen_at INTEGER NOT NULL,            -- first read of the pairing
  last_seen_at INTEGER NOT NULL,             -- last change read under the pairing; once it ended, the last read that found it
  ended_by TEXT CHECK (ended_by IN ('reset', 'rollover', 'deleted', 'migrated', 'fork', 'rewind', 'switch', 'recovery', 'compaction')),  -- null = still true
  UNIQUE (session, session_key, session_id)
) STRICT;
CREATE INDEX session_ids_by_id ON session_ids(session_id);

CREATE TABLE transcripts (
  id INTEGER PRIMARY KEY,                    -- stays when the file is renamed or archived
  installation_id INTEGER NOT NULL REFERENCES installations(id),  -- where it was found
  agent_id TEXT NOT NULL,                    -- the OpenClaw agent
  session_id TEXT NOT NULL,                  -- the header's id; without a header, the file name's
  topic_id TEXT,                             -- chat topic, from the file name
  path TEXT NOT NULL,                        -- where its bytes are, or were last seen
  kind TEXT NOT NULL CHECK (kind IN ('primary', 'fork', 'successor', 'reset', 'deleted', 'checkpoint', 'backup', 'corrupt', 'import_archive', 'cold', 'trajectory')),  -- what OpenClaw wrote it for
  parent_transcript_id INTEGER REFERENCES transcripts(id),  -- the transcript it was forked, continued or copied from
  parent_session TEXT,                       -- the header's parentSession, as written
  lineage_id INTEGER NOT NULL,               -- transcripts.id of the eldest known ancestor: repeats are counted once within it; 0 = not looked for yet
  cwd TEXT,                                  -- working directory, from the header
  header_version TEXT,                       -- the header's version; null = no header was seen
  started_at INTEGER,                        -- the header's timestamp
  leaf_entry_id TEXT,                        -- entry id at the tip of the active path
  generation INTEGER NOT NULL DEFAULT 1,     -- goes up by one each time consumed bytes turn out changed
  bytes INTEGER NOT NULL DEFAULT 0,          -- the cursor: bytes taken in, complete lines only
  lines INTEGER NOT NULL DEFAULT 0,          -- lines taken in, blank ones included
  tail_bytes INTEGER NOT NULL DEFAULT 0,     -- bytes after the last newline, not yet a line
  open_bytes INTEGER NOT NULL DEFAULT 0,     -- raw bytes not yet in a full block
  file_sha256 TEXT,                          -- of an archive's bytes (of a .zst: the decompressed ones)
  state TEXT NOT NULL DEFAULT 'live' CHECK (state IN ('live', 'archived', 'gone')),  -- is the file still there, and as what
  projection INTEGER NOT NULL,               -- version of the rules its rows were made with
  first_seen_at INTEGER NOT NULL,            -- when syncd first read it
  changed_at INTEGER NOT NULL                -- when its rows last changed
) STRICT;
CREATE INDEX transcripts_by_session ON transcripts(session_id);
CREATE INDEX transcripts_by_lineage ON transcripts(lineage_id);
CREATE INDEX transcripts_rewritten ON transcripts(generation) WHERE generation > 1;  -- for counting
CREATE INDEX transcripts_by_parent ON transcripts(parent_transcript_id) WHERE parent_transcript_id IS NOT NULL;

CREATE TABLE entries (
  id INTEGER PRIMARY KEY,                    -- order of ingestion
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- whose line it is
  line_no INTEGER NOT NULL,                  -- 1 for the first line of the file, blank lines counted
  byte_offset INTEGER NOT NULL,              -- where the line starts
  byte_length INTEGER NOT NULL,              -- newline included
  generation INTEGER NOT NULL DEFAULT 1,     -- the generation that brought it
  superseded_in INTEGER,                     -- the generation that took it away; null = live
  entry_id TEXT,                             -- OpenClaw's id, unique inside one transcript only
  parent_id TEXT,                            -- entry_id of the entry it follows
  type TEXT NOT NULL,                        -- message, compaction, session (the header), ...; unknown types verbatim
  at INTEGER,                                -- the entry's timestamp
  on_active_path INTEGER NOT NULL DEFAULT 1, -- 1 = part of the conversation as it stands
  salvaged INTEGER NOT NULL DEFAULT 0,       -- 1 = a whole object inside a quarantined line; not a line of its own
  flags TEXT,                                -- what had to be tolerated, comma-separated: bom, nul_stripped, invalid_utf8, surrogate, not_finite,
                                             -- calls_cut (tool_calls has only its first 50,000 calls);
                                             -- second_header, and other_session where that header has another id; null = nothing
  UNIQUE (transcript_id, byte_offset, generation)
) STRICT;

CREATE TABLE turns (
  id INTEGER PRIMARY KEY,                    -- number of this row
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- the transcript it is in
  parent_turn_id INTEGER REFERENCES turns(id),               -- the turn it follows
  user_message_id INTEGER REFERENCES messages(id) DEFERRABLE INITIALLY DEFERRED,   -- null where no prompt was written
  final_message_id INTEGER REFERENCES messages(id) DEFERRABLE INITIALLY DEFERRED,  -- the last answer on the active path, or on the one that last ran through it
  started_at INTEGER,                        -- time of the prompt, or of the first answer where no prompt was written
  ended_at INTEGER,                          -- time of its last message, on that path; null = still going on
  status TEXT NOT NULL CHECK (status IN ('done', 'in_progress', 'aborted', 'error')),  -- how it ended there; in_progress = it has not
  tool_call_count INTEGER NOT NULL DEFAULT 0,  -- tools the model called in it
  input_tokens INTEGER NOT NULL DEFAULT 0,   -- summed over the turn's answers, on all branches
  output_tokens INTEGER NOT NULL DEFAULT 0,  -- likewise
  cost_total REAL NOT NULL DEFAULT 0,        -- likewise
  model TEXT                                 -- model of the final message
) STRICT;
CREATE INDEX turns_by_transcript ON turns(transcript_id);

CREATE TABLE messages (
  id INTEGER PRIMARY KEY REFERENCES entries(id),              -- = entries.id
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- the transcript it is in
  role TEXT NOT NULL,                        -- user, assistant, toolResult, bashExecution, custom, ...
  at INTEGER,                                -- the message's own timestamp, else the entry's
  text TEXT,                                 -- what was said; null for tool results: raw_json(id) has them
  text_bytes INTEGER NOT NULL DEFAULT 0,     -- length of the text in UTF-8, also where it is not copied
  thinking TEXT,                             -- the model's thinking
  provider TEXT,                             -- whose model answered, such as anthropic; null unless the model spoke
  model TEXT,                                -- the model that answered, as the provider names it
  api TEXT,                                  -- the protocol that was spoken, such as anthropic-messages
  stop_reason TEXT,                          -- stop, length, toolUse, error, aborted
  error_message TEXT,                        -- why the answer failed; null = it did not
  input_tokens INTEGER,                      -- tokens of the prompt that came from no cache; null = not told
  output_tokens INTEGER,                     -- tokens of the answer; null = not told
  cache_read_tokens INTEGER,                 -- tokens read from the provider's cache; null = not told
  cache_write_tokens INTEGER,                -- tokens written to the provider's cache; null = not told
  total_tokens INTEGER,                      -- all of them, as told or else summed; null = not told
  cost_total REAL,                           -- cost of the answer in US dollars, as OpenClaw reckoned it; null = not told
  response_id TEXT,                          -- the provider's id of the answer
  is_delivery_mirror INTEGER NOT NULL DEFAULT 0,  -- 1 = OpenClaw's own note of what it delivered; carries no usage
  tool_call_id TEXT,                         -- of a tool result: the call it answers
  tool_name TEXT,                            -- of a tool result: the tool
  is_error INTEGER,                          -- of a tool result: 1 = the tool failed; null for other roles
  turn_id INTEGER REFERENCES turns(id)       -- the turn it belongs to; null = none: no step of a conversation, or superseded
) STRICT;

CREATE TABLE tool_calls (
  id INTEGER PRIMARY KEY,                    -- in the order of the calls
  message_id INTEGER NOT NULL REFERENCES messages(id),        -- the assistant message that made it
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- the transcript it is in
  call_id TEXT,                              -- the provider's id, by which the result names it
  name TEXT,                                 -- the tool
  arguments_json TEXT,                       -- what the model passed to the tool; null = nothing
  result_message_id INTEGER REFERENCES messages(id),          -- the toolResult message
  is_error INTEGER,                          -- 1 = the tool failed, as the result says; null = no result
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('paired', 'missing_result', 'pending', 'duplicate_result')),  -- pending = no result yet; missing_result = none will come; duplicate_result = more than one came
  started_at INTEGER,                        -- the message's time
  finished_at INTEGER                        -- the result's time
) STRICT;
CREATE INDEX tool_calls_by_call ON tool_calls(transcript_id, call_id);
CREATE INDEX tool_calls_by_message ON tool_calls(message_id);

CREATE TABLE compactions (
  id INTEGER PRIMARY KEY REFERENCES entries(id),  -- = entries.id
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- the transcript it is in
  summary TEXT,                              -- what stands for the messages before it
  first_kept_entry_id TEXT,                  -- what follows from here stays in the model's context
  first_kept_entry_index INTEGER,            -- version 1 files: an index in place of the id
  compacted_count INTEGER,                   -- older shape
  tokens_before INTEGER,                     -- size of the context before, in tokens; null = not told
  tokens_after INTEGER,                      -- size of the context after, in tokens; null = not told
  from_hook INTEGER,                         -- 1 = a plugin wrote the summary; null = not told
  details_json TEXT                          -- what else its writer noted; null = nothing
) STRICT;

CREATE TABLE branch_summaries (
  id INTEGER PRIMARY KEY REFERENCES entries(id),  -- = entries.id
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- the transcript it is in
  from_id TEXT,                              -- entry the branch left from, or "root"; branchPoint in the older shape
  summary TEXT,                              -- what happened on the branch that was left
  from_hook INTEGER,                         -- 1 = a plugin wrote the summary; null = not told
  details_json TEXT                          -- what else its writer noted; null = nothing
) STRICT;

CREATE TABLE custom_entries (
  id INTEGER PRIMARY KEY REFERENCES entries(id),  -- = entries.id
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- the transcript it is in
  custom_type TEXT,                          -- who wrote it, such as openclaw.cache-ttl
  data_json TEXT                             -- its writer's own data, which the model does not see; null = none
) STRICT;

CREATE TABLE custom_messages (
  id INTEGER PRIMARY KEY REFERENCES entries(id),  -- = entries.id
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- the transcript it is in
  custom_type TEXT,                          -- who wrote it
  text TEXT,                                 -- the text of its content, which the model sees
  display INTEGER,                           -- shown to the user or not
  details_json TEXT                          -- what else its writer noted; null = nothing
) STRICT;

CREATE TABLE model_changes (
  id INTEGER PRIMARY KEY REFERENCES entries(id),  -- = entries.id
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- the transcript it is in
  provider TEXT,                             -- of the model from here on
  model_id TEXT                              -- the model from here on
) STRICT;

CREATE TABLE thinking_changes (
  id INTEGER PRIMARY KEY REFERENCES entries(id),  -- = entries.id
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- the transcript it is in
  thinking_level TEXT                        -- how much the model thinks from here on: off, minimal, low, medium, high, ...
) STRICT;

CREATE TABLE labels (
  id INTEGER PRIMARY KEY REFERENCES entries(id),  -- = entries.id
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- the transcript it is in
  target_id TEXT,                            -- entry_id that is labelled
  label TEXT                                 -- null = label cleared
) STRICT;

CREATE TABLE session_infos (
  id INTEGER PRIMARY KEY REFERENCES entries(id),  -- = entries.id
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- the transcript it is in
  name TEXT                                  -- "" = name cleared
) STRICT;

CREATE TABLE leaf_moves (
  id INTEGER PRIMARY KEY REFERENCES entries(id),  -- = entries.id
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- the transcript it is in
  target_id TEXT,                            -- the new leaf; null = before the first entry
  append_parent_id TEXT,                     -- entry_id that the next entry follows; null = the new leaf
  append_mode TEXT                           -- how entries are appended from there on, such as side; null = as usual
) STRICT;

CREATE TABLE resets (
  id INTEGER PRIMARY KEY REFERENCES entries(id),  -- = entries.id
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- the transcript it is in
  reason TEXT,                               -- new, reset, idle, daily, cron-stale
  first_kept_entry_id TEXT                   -- entry_id from which on messages stay in the context; null = none does
) STRICT;

CREATE TABLE run_events (
  id INTEGER PRIMARY KEY REFERENCES entries(id),  -- = entries.id
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- the transcript it is in
  run_id TEXT,                               -- OpenClaw's id of the run
  seq INTEGER,                               -- place of the event in its run
  stream TEXT,                               -- what it tells of: lifecycle, assistant, tool, ...
  at INTEGER,                                -- the line's ts
  data_json TEXT                             -- the event itself; null = none
) STRICT;

CREATE TABLE cron_runs (
  id INTEGER PRIMARY KEY,                    -- number of this row
  installation_id INTEGER NOT NULL REFERENCES installations(id),  -- whose log it stands in
  job_id TEXT NOT NULL,                      -- the cron job, as the line or else the name of the log says
  at INTEGER,                                -- the line's ts: when the run ended; null = not told
  status TEXT,                               -- ok, error, skipped
  session_id TEXT,                           -- session id of the run; null = not told
  session_key TEXT,                          -- session key of the run; null = not told
  duration_ms INTEGER,                       -- how long it ran, in milliseconds; null = not told
  usage TEXT,                                -- tokens it used, as JSON; null = not told
  log_id INTEGER REFERENCES _cron_logs(id),  -- the file it was read from
  raw_json TEXT NOT NULL                     -- the line verbatim
) STRICT;
CREATE INDEX cron_runs_by_log ON cron_runs(log_id);
CREATE INDEX cron_runs_by_job ON cron_runs(job_id, at);

CREATE TABLE quarantine (
  id INTEGER PRIMARY KEY,                    -- number of this row
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- whose line it is
  line_no INTEGER NOT NULL,                  -- as in entries
  byte_offset INTEGER NOT NULL,              -- where the line starts
  byte_length INTEGER NOT NULL,              -- newline included
  generation INTEGER NOT NULL DEFAULT 1,     -- as in entries
  superseded_in INTEGER,                     -- as in entries
  reason TEXT NOT NULL,                      -- too_long, not_json, not_object, splice, ...
  raw BLOB NOT NULL,                         -- the first 64 KiB; _blocks has all of it
  UNIQUE (transcript_id, byte_offset, generation)
) STRICT;
CREATE INDEX quarantine_by_superseded ON quarantine(superseded_in);  -- counting must not read the raw lines

CREATE TABLE sync_events (
  id INTEGER PRIMARY KEY,                    -- in the order they happened
  at INTEGER NOT NULL,                       -- when syncd noticed
  kind TEXT NOT NULL,                        -- rewrite, truncation, archive_rename, displaced, gone, returned, refused, ...
  transcript_id INTEGER REFERENCES transcripts(id),  -- whom it is about; null = no transcript
  detail_json TEXT NOT NULL DEFAULT '{}'     -- ids, counts and paths, never message text
) STRICT;
CREATE INDEX sync_events_by_transcript ON sync_events(transcript_id) WHERE transcript_id IS NOT NULL;

CREATE TABLE job_runs (
  id INTEGER PRIMARY KEY,                    -- number of this row
  job TEXT NOT NULL,                         -- repair, scrub, retention, backup, optimize
  started_at INTEGER NOT NULL,               -- when it began
  finished_at INTEGER,                       -- when it ended; null = it runs, or was cut short
  ok INTEGER,                                -- 1 = it did what it should, 0 = it failed; null = not ended, or stopped
  summary_json TEXT NOT NULL DEFAULT '{}'    -- what it did, in counts
) STRICT;
CREATE INDEX job_runs_by_job ON job_runs(job, started_at);

-- Search covers what people and the model said. It reads its text from messages: no second copy.
CREATE VIEW _searchable AS SELECT id, text FROM messages WHERE text IS NOT NULL AND role IN ('user', 'assistant');
CREATE VIRTUAL TABLE search USING fts5(text, content='_searchable', content_rowid='id');

CREATE TABLE _blocks (
  id INTEGER PRIMARY KEY,                    -- number of this row
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- whose bytes they are
  byte_offset INTEGER NOT NULL,              -- where they start in the transcript
  byte_length INTEGER NOT NULL,              -- of the raw bytes
  generation INTEGER NOT NULL,               -- as in entries: the rule of generations is the same
  superseded_in INTEGER,                     -- as in entries
  is_open INTEGER NOT NULL,                  -- 1 = the newest lines, still to be merged into a full block
  codec INTEGER NOT NULL,                    -- 2 = as they are, 3 = one zstd frame; 0 and 1 likewise, without the checksum; 4 = one zstd frame with holes, and before it their places and sha256
  data BLOB NOT NULL,                        -- the bytes, as the codec says, and behind them their CRC-32, little-endian
  UNIQUE (transcript_id, byte_offset, generation)
) STRICT;
CREATE INDEX _blocks_open ON _blocks(transcript_id) WHERE is_open = 1;

CREATE TABLE _tails (
  transcript_id INTEGER PRIMARY KEY REFERENCES transcripts(id),  -- whose unfinished line it is
  data BLOB NOT NULL                         -- bytes after the last newline, kept in case the file goes away
) STRICT;

CREATE TABLE _files (
  id INTEGER PRIMARY KEY,                    -- number of this row
  installation_id INTEGER NOT NULL REFERENCES installations(id),  -- whose state directory it lies in
  path BLOB NOT NULL,                        -- relative to the state dir, as the file system's bytes
  transcript_id INTEGER REFERENCES transcripts(id),  -- the transcript whose bytes are here; null = none yet, or moved away
  role TEXT NOT NULL,                        -- place, copy (same bytes as a known transcript), stale (a part of what is known), hard_link, refused, log (mtime_ns = number of the last event)
  present INTEGER NOT NULL,                  -- 0 = not there at the last look
  dev INTEGER NOT NULL, ino INTEGER NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL,  -- its stat at the last look
  is_proven INTEGER NOT NULL,                -- 1 = every byte was compared under exactly this stat
  head_bytes INTEGER NOT NULL, head_hash BLOB NOT NULL,  -- first bytes of the consumed part
  mark_bytes INTEGER NOT NULL, mark_hash BLOB NOT NULL,  -- last bytes of the consumed part
  scanned INTEGER NOT NULL,                  -- up to here no newline follows the cursor
  UNIQUE (installation_id, path)
) STRICT;
CREATE INDEX _files_by_transcript ON _files(transcript_id);

CREATE TABLE _indexes (
  id INTEGER PRIMARY KEY,                    -- number of this row
  installation_id INTEGER NOT NULL REFERENCES installations(id),  -- whose index it is
  path BLOB NOT NULL,                        -- of a sessions.json: absolute, as the file system's bytes
  digest BLOB NOT NULL,                      -- of the bytes read last
  dev INTEGER, ino INTEGER, size INTEGER, mtime_ns INTEGER, ctime_ns INTEGER,  -- the stat that proves them; null = too young to
  UNIQUE (installation_id, path)
) STRICT;

CREATE TABLE _index_entries (
  index_id INTEGER NOT NULL REFERENCES _indexes(id),  -- the index it stands in
  agent_id TEXT NOT NULL,                    -- the OpenClaw agent
  session_key TEXT NOT NULL,                 -- OpenClaw's key, as it stands there
  session INTEGER NOT NULL REFERENCES sessions(id),  -- its row in sessions
  digest BLOB NOT NULL,                      -- of the entry's bytes
  updated_at INTEGER,                        -- the entry's updatedAt: of two indexes with the same key the newer counts
  missing_at INTEGER,                        -- first read that did not find it any more; null = it was there
  PRIMARY KEY (index_id, agent_id, session_key)
) STRICT, WITHOUT ROWID;
CREATE INDEX _index_entries_by_session ON _index_entries(session);
CREATE INDEX _index_entries_missing ON _index_entries(index_id) WHERE missing_at IS NOT NULL;

CREATE TABLE _cron_logs (
  id INTEGER PRIMARY KEY,                    -- number of this row
  installation_id INTEGER NOT NULL REFERENCES installations(id),  -- whose log it is
  path BLOB NOT NULL,                        -- of a cron run log: absolute, as the file system's bytes
  bytes INTEGER NOT NULL,                    -- the cursor: all before it is in cron_runs; 0 = the whole file is to be compared
  mark_bytes INTEGER NOT NULL, mark_hash BLOB NOT NULL,  -- last bytes before the cursor
  dev INTEGER NOT NULL, ino INTEGER NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, ctime_ns INTEGER NOT NULL,  -- the stat under which it was read last
  is_proven INTEGER NOT NULL,                -- 0 = too young to prove that the bytes are still those that were read
  UNIQUE (installation_id, path)
) STRICT;
