PRAGMA page_size = 16384;
PRAGMA application_id = 1398361667;
BEGIN;
CREATE TABLE installations (
  id INTEGER PRIMARY KEY,                    -- number of this row
  state_dir TEXT NOT NULL UNIQUE,            -- OpenClaw's state directory, symlinks resolved
  host TEXT NOT NULL,                        -- name of the machine it was seen on
  era TEXT NOT NULL DEFAULT 'jsonl' CHECK (era IN ('jsonl', 'sqlite')),  -- where OpenClaw keeps its sessions
  version TEXT,                              -- OpenClaw's release, when a file says it
  first_seen_at INTEGER NOT NULL             -- when syncd first read it
, titles_by_label INTEGER NOT NULL DEFAULT 0 /* 1 = a release that calls sessions by their label first (2026.7.1 and later) writes its index */, checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */) STRICT;
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
  entry_json TEXT NOT NULL DEFAULT '{}', parent_key TEXT /* session key it hangs on: who spawned it, what it was forked from, or what its own key says (the job of a cron run, the chat of a thread); null = none */, parent INTEGER REFERENCES sessions(id) /* the session of that key; null = none, not seen yet, or it would be its own ancestor */, checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */,     -- the entry verbatim: every field OpenClaw stores
  UNIQUE (installation_id, agent_id, session_key)
) STRICT;
CREATE TABLE session_versions (
  id INTEGER PRIMARY KEY,                    -- in the order the changes were read
  session INTEGER NOT NULL REFERENCES sessions(id),  -- whose entry changed
  seen_at INTEGER NOT NULL,                  -- when the change was read
  changed_json TEXT NOT NULL                 -- the changed fields only, with their new values; null = field removed
, checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */) STRICT;
CREATE TABLE session_ids (
  id INTEGER PRIMARY KEY,                    -- in the order the pairings were first read
  session INTEGER NOT NULL REFERENCES sessions(id),  -- the session it belongs to, whatever its key is today
  session_id TEXT NOT NULL,                  -- a session id that stood behind the key
  session_key TEXT NOT NULL,                 -- the key at that time
  agent_id TEXT NOT NULL,                    -- the OpenClaw agent
  first_seen_at INTEGER NOT NULL,            -- first read of the pairing
  last_seen_at INTEGER NOT NULL,             -- last change read under the pairing; once it ended, the last read that found it
  ended_by TEXT CHECK (ended_by IN ('reset', 'rollover', 'deleted', 'migrated', 'fork', 'rewind', 'switch', 'recovery', 'compaction')), checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */,  -- null = still true
  UNIQUE (session, session_key, session_id)
) STRICT;
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
, append_entry_id TEXT /* entry id that the next entry names as its parent, if it simply goes on */, is_tree_due INTEGER NOT NULL DEFAULT 0 /* 1 = active path and turns are to be worked out anew */, tip_turn_id INTEGER REFERENCES turns(id) DEFERRABLE INITIALLY DEFERRED /* the turn at the tip of the active path */, session INTEGER REFERENCES sessions(id) /* the session it belongs to; null = no index names its session id */, title TEXT /* the user's first words, cut as OpenClaw cuts them; null = none where it looks for them */, mentions TEXT /* words of the user's first messages, their case folded, where no cwd tells the project: those they name are found by them */, folded_cwd TEXT /* cwd with the case of its letters folded, of any alphabet: SQLite itself knows A to Z only */, checksum INTEGER /* the same of those values that an appended line does not change */) STRICT;
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
, silence TEXT /* why it was meant for nobody: no_reply, heartbeat_ok, heartbeat_ack (only in answer to a heartbeat), heartbeat and memory_flush (prompts); null = it was meant for somebody */, says_error INTEGER /* of a tool result: 1 = the words error or failed are in it; null for other roles */, result_fault TEXT /* of a tool result: synthetic (made up by OpenClaw where none had come), orphan (no call before it), duplicate (its call has another); null = none */) STRICT;
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
, checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */) STRICT;
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
CREATE TABLE sync_events (
  id INTEGER PRIMARY KEY,                    -- in the order they happened
  at INTEGER NOT NULL,                       -- when syncd noticed
  kind TEXT NOT NULL,                        -- rewrite, truncation, archive_rename, displaced, gone, returned, refused, ...
  transcript_id INTEGER REFERENCES transcripts(id),  -- whom it is about; null = no transcript
  detail_json TEXT NOT NULL DEFAULT '{}'     -- ids, counts and paths, never message text
, checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */) STRICT;
CREATE TABLE job_runs (
  id INTEGER PRIMARY KEY,                    -- number of this row
  job TEXT NOT NULL,                         -- repair, scrub, retention, backup, optimize
  started_at INTEGER NOT NULL,               -- when it began
  finished_at INTEGER,                       -- when it ended; null = it runs, or was cut short
  ok INTEGER,                                -- 1 = it did what it should, 0 = it failed; null = not ended, or stopped
  summary_json TEXT NOT NULL DEFAULT '{}'    -- what it did, in counts
, checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */) STRICT;
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
CREATE TABLE _tails (
  transcript_id INTEGER PRIMARY KEY REFERENCES transcripts(id),  -- whose unfinished line it is
  data BLOB NOT NULL                         -- bytes after the last newline, kept in case the file goes away
, checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */) STRICT;
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
CREATE TABLE _repeats (
  message_id INTEGER PRIMARY KEY REFERENCES messages(id),    -- an answer that repeats another
  counted_id INTEGER NOT NULL REFERENCES messages(id)        -- the answer that is counted in its place
) STRICT;
CREATE TABLE _answer_ids (
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id), -- the transcript it is in
  id_tail TEXT NOT NULL,                     -- the last eight characters of its entry id, which tell nearly all apart
  message_id INTEGER NOT NULL,               -- messages.id of the answer
  PRIMARY KEY (transcript_id, id_tail, message_id)
) STRICT, WITHOUT ROWID;
CREATE TABLE tombstones (
  id INTEGER PRIMARY KEY,                    -- in the order of the removals
  at INTEGER NOT NULL,                       -- when it was removed
  what TEXT NOT NULL CHECK (what IN ('session', 'superseded', 'tool_results', 'trajectory', 'session_versions')),  -- what was removed
  why TEXT NOT NULL,                         -- purge (by hand), or the policy: removed_sessions, cron_runs, superseded, tool_results, trajectories, session_versions, max_ledger_bytes
  transcript_id INTEGER REFERENCES transcripts(id),  -- the transcript that lost something; null = it went itself, or none
  sessions INTEGER NOT NULL DEFAULT 0,       -- how many sessions went
  transcripts INTEGER NOT NULL DEFAULT 0,    -- how many transcripts went, or lost something
  entries INTEGER NOT NULL DEFAULT 0,        -- how many lines
  bytes INTEGER NOT NULL DEFAULT 0,          -- how many raw bytes
  with_forks INTEGER NOT NULL DEFAULT 0,     -- 1 = what repeats a purged session is kept out too
  scoured_at INTEGER                         -- when the last trace was gone from the ledger's files; null = that is still to be done
, checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */) STRICT;
CREATE TABLE _hash_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),     -- there is one
  key BLOB NOT NULL                          -- random bytes, made with the first tombstone
, checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */) STRICT;
CREATE TABLE _kept_out (
  hash BLOB NOT NULL,                        -- keyed hash of a session id, a session key, or a line
  kind TEXT NOT NULL CHECK (kind IN ('session', 'key', 'line')),  -- which of them
  tombstone_id INTEGER NOT NULL REFERENCES tombstones(id),  -- the removal
  with_forks INTEGER NOT NULL, checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */,               -- as its tombstone has it
  PRIMARY KEY (hash, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE _cut_results (
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- whose line it is
  byte_offset INTEGER NOT NULL,              -- where the line starts
  generation INTEGER NOT NULL,               -- as in entries
  text_bytes INTEGER NOT NULL,               -- as in messages
  says_error INTEGER,                        -- as in messages
  result_fault TEXT, checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */,                         -- as in messages
  PRIMARY KEY (transcript_id, byte_offset, generation)
) STRICT, WITHOUT ROWID;
CREATE TABLE pins (
  id INTEGER PRIMARY KEY,                    -- number of this row
  installation_id INTEGER NOT NULL REFERENCES installations(id),  -- where it is
  session INTEGER REFERENCES sessions(id),   -- the pinned session, under whatever key and session id; null = a session id alone
  session_id TEXT,                           -- the pinned session id; null = all of the session
  at INTEGER NOT NULL                        -- since when
, checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */) STRICT;
CREATE VIRTUAL TABLE search USING fts5(text, content='_searchable', content_rowid='id');
INSERT INTO installations VALUES(1,'@STATE@','host','jsonl',NULL,1794986682122,1,NULL);
INSERT INTO sessions VALUES(1,1,'lab','agent:lab:direct:201','0a000201-0000-4000-8000-000000000201','what was said as number 1','direct',NULL,'direct','201',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802930513,1794802931001,'idle','live',NULL,'{"sessionId":"0a000201-0000-4000-8000-000000000201","updatedAt":1794802931001}',NULL,NULL,2200744243);
INSERT INTO sessions VALUES(2,1,'lab','agent:lab:direct:203','0a000203-0000-4000-8000-000000000203','what was said as number 1','direct',NULL,'direct','203',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802930515,1794802931003,'archived','live',NULL,'{"sessionId":"0a000203-0000-4000-8000-000000000203","updatedAt":1794802931003}',NULL,NULL,3196512885);
INSERT INTO sessions VALUES(3,1,'main','agent:main:main','352ab5ed-a842-462e-8907-0483ddd7572e','Hello again after the reset','main',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'stub-1','stub',4122,16,4122,200000,NULL,NULL,NULL,1794802716270,1794802717153,1794802716270,1794802717158,'idle','live',NULL,'{"sessionId":"352ab5ed-a842-462e-8907-0483ddd7572e","sessionFile":"/home/claw/.openclaw/agents/main/sessions/352ab5ed-a842-462e-8907-0483ddd7572e.jsonl","updatedAt":1794802717158,"systemSent":false,"abortedLastRun":false,"model":"stub-1","modelProvider":"stub","inputTokens":4122,"outputTokens":16,"totalTokens":4122,"totalTokensFresh":true,"sessionStartedAt":1794802716270,"skillsSnapshot":{"skills":[{"name":"clawhub"},{"name":"diagram-maker"},{"name":"healthcheck"},{"name":"meme-maker","requiredEnv":[]},{"name":"node-connect"},{"name":"node-inspect-debugger","requiredEnv":[]},{"name":"notion","primaryEnv":"NOTION_API_TOKEN","requiredEnv":[]},{"name":"python-debugpy","requiredEnv":[]},{"name":"skill-creator"},{"name":"spike"},{"name":"taskflow"},{"name":"taskflow-inbox-triage"},{"name":"tmux","requiredEnv":[]},{"name":"weather"}],"version":1794802716041,"promptFormatVersion":1,"promptRef":{"version":1,"algorithm":"sha256","hash":"23d3029629f2f3ad6993c08bcce49f5b13dd124227eae59a87ca776e101ede75","bytes":4940}},"lastInteractionAt":1794802717153,"lastActivityAt":1794802717153,"contextTokens":200000,"agentHarnessId":"openclaw","systemPromptReport":{"source":"run","generatedAt":1794802716737,"sessionId":"352ab5ed-a842-462e-8907-0483ddd7572e","sessionKey":"agent:main:main","provider":"stub","model":"stub-1","workspaceDir":"/home/claw/workspace","bootstrapMaxChars":20000,"bootstrapTotalMaxChars":60000,"bootstrapTruncation":{"warningMode":"always","warningShown":false,"truncatedFiles":0,"nearLimitFiles":0,"totalNearLimit":false},"sandbox":{"mode":"off","sandboxed":false},"systemPrompt":{"chars":16160,"hash":"9600ce87456504738c1ec5f96d17ff3e48650084b85361a864652b72c94b59d7","projectContextChars":585,"nonProjectContextChars":15575},"injectedWorkspaceFiles":[{"name":"AGENTS.md","path":"/home/claw/workspace/AGENTS.md","missing":true,"rawChars":0,"injectedChars":53,"truncated":false},{"name":"SOUL.md","path":"/home/claw/workspace/SOUL.md","missing":true,"rawChars":0,"injectedChars":51,"truncated":false},{"name":"TOOLS.md","path":"/home/claw/workspace/TOOLS.md","missing":true,"rawChars":0,"injectedChars":52,"truncated":false},{"name":"IDENTITY.md","path":"/home/claw/workspace/IDENTITY.md","missing":true,"rawChars":0,"injectedChars":55,"truncated":false},{"name":"USER.md","path":"/home/claw/workspace/USER.md","missing":true,"rawChars":0,"injectedChars":51,"truncated":false},{"name":"HEARTBEAT.md","path":"/home/claw/workspace/HEARTBEAT.md","missing":true,"rawChars":0,"injectedChars":56,"truncated":false},{"name":"BOOTSTRAP.md","path":"/home/claw/workspace/BOOTSTRAP.md","missing":true,"rawChars":0,"injectedChars":0,"truncated":false}],"skills":{"promptChars":4938,"hash":"e26a9b3ac2163236aaf7571ee31dc09128c6ff096e7d060501830fd9f5ea88cf","entries":[{"name":"clawhub","blockChars":337},{"name":"diagram-maker","blockChars":310},{"name":"healthcheck","blockChars":322},{"name":"meme-maker","blockChars":295},{"name":"node-connect","blockChars":325},{"name":"node-inspect-debugger","blockChars":321},{"name":"notion","blockChars":316},{"name":"python-debugpy","blockChars":309},{"name":"skill-creator","blockChars":303},{"name":"spike","blockChars":295},{"name":"taskflow","blockChars":325},{"name":"taskflow-inbox-triage","blockChars":335},{"name":"tmux","blockChars":313},{"name":"weather","blockChars":333}]},"tools":{"listChars":0,"schemaChars":28613,"entries":[{"name":"read","summaryChars":303,"summaryHash":"b15dd29794ef5562ddee30a6282387ee7b40b9806c10ae2616daf75514ddc1f6","schemaChars":304,"schemaHash":"134f19bcabe3e29d63c5cebb38f1d2556759fd08adad6bc90a4b4d3cd1fb8441","propertiesCount":3},{"name":"edit","summaryChars":326,"summaryHash":"c498a85576e187d069e8e8ea4f70f81bddd57829600d385ef61c4359fd634c9e","schemaChars":834,"schemaHash":"457e8bb9f800b21be76c4fd8c0e3078bf07ee9bf93ac82f39944c171bd8f6d84","propertiesCount":2},{"name":"write","summaryChars":127,"summaryHash":"cdb1c46027b22d1f1b923b47bfe297821d9fe589a9f9d92994961948060a4d89","schemaChars":225,"schemaHash":"e98a2484f667cf7c22d76ca103bf2022bf9113dc63fe38b899e71c328cb1e833","propertiesCount":2},{"name":"apply_patch","summaryChars":132,"summaryHash":"432bf38688a4f011d2b765a441ac07e1fdfa9faf2051679adee04abcd9332d93","schemaChars":153,"schemaHash":"05521268363ff4f191472c90d69ef08a503ba9acf1d2febc50b3ee68db32ab65","propertiesCount":1},{"name":"exec","summaryChars":539,"summaryHash":"4825198988fbfa8ebf5c2a8fbe3946da0be639b1e3b737ceaa4364195bba3f04","schemaChars":1332,"schemaHash":"49dcb29ee9f7016cd248f40cfb44508aac4d6a67d4c9acb52cbd08ad3e3ae893","propertiesCount":12},{"name":"process","summaryChars":456,"summaryHash":"55297e65d460e0e1e06e7fad4cedb75ffda8fac9fa8b10aa06d6cead3c5a76ea","schemaChars":1074,"schemaHash":"a2d30a25569f409d7e8539844c89a088044535388b24031d014577b96ed27c5c","propertiesCount":12},{"name":"nodes","summaryChars":143,"summaryHash":"ea1b0a5498ca3c788b26d164245652e1aaa989806e0123715793ab25f9578121","schemaChars":1782,"schemaHash":"827d777d06a1139d4bc1fc907c0f944b2382e18101854b738eae53185d89a3f9","propertiesCount":32},{"name":"cron","summaryChars":4062,"summaryHash":"7038f1b185a7cdf7a40525eeca91ed39dfd7bbaf85e89027896af264de54b4d9","schemaChars":9606,"schemaHash":"22220ca8ac2b96a6957b1363964bb4c7f17c7b3ec14026c1484d6b6728542714","propertiesCount":15},{"name":"message","summaryChars":71,"summaryHash":"e43fe566f2d93be0d540da64d2a80a6e1a868757fe2fb49fa38e69fccf9fd4b0","schemaChars":5880,"schemaHash":"ffca049e7cdc61f71334a173d57e276aaa34337894751f28b6b1d5a920d979db","propertiesCount":106},{"name":"tts","summaryChars":217,"summaryHash":"652c1970c199d82b61061a40be2adddfc7e5634df5d896d776a8a0047c8a6b75","schemaChars":264,"schemaHash":"e40695f92ef72d913ee5eb13ef738a15d6f33ae3af3ec609975c45991ef99a78","propertiesCount":3},{"name":"gateway","summaryChars":566,"summaryHash":"1bef48b95fc67d7dc10e2f5f0cc3522951b067b762de6c3e77bc446de0f608b1","schemaChars":649,"schemaHash":"1a4f609a948c183832ee8a11c0cfcbe1afddf0732c30c67a593dfcdb630a5ee7","propertiesCount":14},{"name":"agents_list","summaryChars":63,"summaryHash":"a7afb8adbaf98833df68160db0677ec2a6bc30b1b96f3592392c9df59e310c65","schemaChars":33,"schemaHash":"8243f0af367f188a376f2c17b5eabe872a2f7a979813e0d4e2be6d594c2aa259","propertiesCount":0},{"name":"get_goal","summaryChars":71,"summaryHash":"58dea7906d9e17e5f89a75fea24597ee068d8a56af824370dc27f8501374d6e3","schemaChars":33,"schemaHash":"8243f0af367f188a376f2c17b5eabe872a2f7a979813e0d4e2be6d594c2aa259","propertiesCount":0},{"name":"create_goal","summaryChars":155,"summaryHash":"f01e3a63d673a410ba55213ce6bd3fa2b0d2279e8e780c18aa0cb5aa991b29b3","schemaChars":267,"schemaHash":"27ee794432736471bd76390e236cc7d7e98f8469a02656e7a27109041eea0f8c","propertiesCount":2},{"name":"update_goal","summaryChars":212,"summaryHash":"285201690e5f2456b4cdcd252ff391709b84d69538df61bad694d3c0cfc19958","schemaChars":207,"schemaHash":"c37894492eedfad02f1e7fe1488900765bfe547f3b3f34cefbab4f7f57441c2c","propertiesCount":2},{"name":"skill_workshop","summaryChars":171,"summaryHash":"577c1d2b8f56bf3e9dd5e00463bbce8b8bf4cf201da9b21b588dcaa3bc6ed8cf","schemaChars":2298,"schemaHash":"a15f720240f6f8fed5b136844a6868388a4c35170b419a89c570bc560dc27090","propertiesCount":13},{"name":"sessions_list","summaryChars":150,"summaryHash":"6991b34a692cbbecc50302184503776bf8d7317b336d649fcd9373beab5473dc","schemaChars":465,"schemaHash":"89e377fd8694a3b81a5d72a0e9536e1770a127aff3ee539cef01c5af01e59129","propertiesCount":10},{"name":"sessions_history","summaryChars":149,"summaryHash":"09b418c8da696b361c021f66705dab0215a613f6c18a9722767f6129907e0dcd","schemaChars":202,"schemaHash":"7c48bf270e608aa5c167ec15d571b536c626aed56e88d6e760fcf0802bb75cc4","propertiesCount":4},{"name":"sessions_send","summaryChars":282,"summaryHash":"061e9ef3487676bb2a4fd4c0336bd973aaab5eea0725e7443c4cb17518cd1e78","schemaChars":275,"schemaHash":"f1fbaa412fe6b6aee102234c87c5aa140f39c9086f9bae6e1e9691309a602ffb","propertiesCount":5},{"name":"sessions_spawn","summaryChars":578,"summaryHash":"c75061234ba01a4eb29ca223c1c63a44935e9e555ef2ca280722ba9e844db86d","schemaChars":1151,"schemaHash":"9a91c7668463da8a66386260ce2ae97e7efe3bb93b9b6f03ac85102c354457e1","propertiesCount":15},{"name":"sessions_yield","summaryChars":79,"summaryHash":"f3782fc41c1522657e1d3494f486a2df998fed38a6b89dcf7f6934fb41424320","schemaChars":60,"schemaHash":"b1c4c753820bc3096d85ef7a266a14c9fbe12450536db58076b75bb61d14dbbb","propertiesCount":1},{"name":"subagents","summaryChars":132,"summaryHash":"1c2ffd38549c0444b118d43736fc4b875ea1aaabc446bbf8bc1fc4ee9180cca4","schemaChars":122,"schemaHash":"c4a241d2c3d46ba7985abfce4d3fcd63298ce81f89d49183c8f3d584c48d0c33","propertiesCount":2},{"name":"session_status","summaryChars":278,"summaryHash":"71177e543dc6235bad4b1a26761995681dcec27ab58dcb4f4f8a7fc9a7b2b5aa","schemaChars":89,"schemaHash":"d2995f3d69d126e98ac93eec3c2a9fe5556925bd7979a8e4b6b5a2bf62d329dd","propertiesCount":2},{"name":"web_search","summaryChars":65,"summaryHash":"b38e9b3c079beaa988d3c576303660b91a55c2e72f56351da04160529173273f","schemaChars":991,"schemaHash":"3879e368875d824b14e0e683f81408824e9a2a5850fa2f8514a68caebda54d18","propertiesCount":12},{"name":"web_fetch","summaryChars":93,"summaryHash":"8875afbb51bd63673e5e6836ca31eeda73914a464862665cd73b346e28d28fd5","schemaChars":317,"schemaHash":"d2d8ad58a1b84d849dd16142282aff6c5606f7b0e3d08405e1b740a6a79e6bcc","propertiesCount":3}]},"currentTurn":{"promptChars":27,"runtimeContextChars":0}},"contextBudgetStatus":{"schemaVersion":1,"source":"pre-prompt-estimate","updatedAt":1794802716953,"provider":"stub","model":"stub-1","route":"fits","shouldCompact":false,"estimatedPromptTokens":4894,"contextTokenBudget":200000,"promptBudgetBeforeReserve":180000,"reserveTokens":20000,"effectiveReserveTokens":20000,"remainingPromptBudgetTokens":175106,"overflowTokens":0,"toolResultReducibleChars":0,"messageCount":0,"unwindowedMessageCount":0,"sessionId":"352ab5ed-a842-462e-8907-0483ddd7572e"},"cacheRead":0,"cacheWrite":0,"estimatedCostUsd":0.004154}',NULL,NULL,3670657335);
INSERT INTO sessions VALUES(4,1,'main','agent:main:telegram:group:-1001234:topic:7','0a000001-0000-4000-8000-000000000001','Garden ✿ group','group','telegram','group','-1001234','7',NULL,NULL,'Garden ✿ group',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711362,1794802711362,'idle','live',NULL,'{"sessionId":"0a000001-0000-4000-8000-000000000001","updatedAt":1794802711362,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000001-0000-4000-8000-000000000001-topic-7.jsonl","chatType":"group","subject":"Garden ✿ group","groupId":"-1001234"}','agent:main:telegram:group:-1001234',NULL,3933397728);
INSERT INTO sessions VALUES(5,1,'main','agent:main:telegram:direct:4242','0a000002-0000-4000-8000-000000000002','Alex','direct','telegram','direct','4242',NULL,NULL,'Alex',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711412,1794802711412,'created','live',NULL,'{"sessionId":"0a000002-0000-4000-8000-000000000002","updatedAt":1794802711412,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000002-0000-4000-8000-000000000002.jsonl","chatType":"direct","displayName":"Alex"}',NULL,NULL,4019188704);
INSERT INTO sessions VALUES(6,1,'main','agent:main:direct:branchy','0a000003-0000-4000-8000-000000000003','Branches','direct',NULL,'direct','branchy',NULL,'Branches',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711480,1794802711480,'idle','live',NULL,'{"sessionId":"0a000003-0000-4000-8000-000000000003","updatedAt":1794802711480,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000003-0000-4000-8000-000000000003.jsonl","label":"Branches"}',NULL,NULL,894907015);
INSERT INTO sessions VALUES(7,1,'main','agent:main:direct:forked','ec77ae1a-d8e0-43f9-b59d-e747de020e1c','First question','direct',NULL,'direct','forked',NULL,NULL,NULL,NULL,NULL,'agent:main:direct:branchy',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711526,1794802711526,'idle','live',NULL,'{"sessionId":"ec77ae1a-d8e0-43f9-b59d-e747de020e1c","sessionFile":"/home/claw/.openclaw/agents/main/sessions/2026-11-16T04-18-31-525Z_ec77ae1a-d8e0-43f9-b59d-e747de020e1c.jsonl","updatedAt":1794802711526,"forkedFromParent":true,"parentSessionKey":"agent:main:direct:branchy"}','agent:main:direct:branchy',6,1028431739);
INSERT INTO sessions VALUES(8,1,'main','agent:main:direct:compacted','790cc214-619c-482d-abdc-6b97862764b8','Question 5','direct',NULL,'direct','compacted',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711554,1794802711554,'idle','live',NULL,'{"sessionId":"790cc214-619c-482d-abdc-6b97862764b8","updatedAt":1794802711554,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/2026-11-16T04-18-31-545Z_790cc214-619c-482d-abdc-6b97862764b8.jsonl"}',NULL,NULL,104919218);
INSERT INTO sessions VALUES(9,1,'main','agent:main:subagent:0b000000-0000-4000-8000-00000000000b','0a000005-0000-4000-8000-000000000005','sub-one','subagent',NULL,NULL,NULL,NULL,'sub-one',NULL,NULL,'agent:main:main',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711557,1794802711557,'idle','live',NULL,'{"sessionId":"0a000005-0000-4000-8000-000000000005","updatedAt":1794802711557,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000005-0000-4000-8000-000000000005.jsonl","spawnedBy":"agent:main:main","spawnDepth":1,"label":"sub-one"}','agent:main:main',3,907129578);
INSERT INTO sessions VALUES(10,1,'main','agent:main:cron:job-1','0a000006-0000-4000-8000-000000000006','Cron: nightly','cron',NULL,NULL,NULL,NULL,'Cron: nightly',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711565,1794802711565,'idle','live',NULL,'{"sessionId":"0a000006-0000-4000-8000-000000000006","updatedAt":1794802711565,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000006-0000-4000-8000-000000000006.jsonl","label":"Cron: nightly"}',NULL,NULL,2034668468);
INSERT INTO sessions VALUES(11,1,'main','agent:main:cron:job-1:run:0c000000-0000-4000-8000-00000000000c','0a000007-0000-4000-8000-000000000007','Cron: nightly','cron_run',NULL,NULL,NULL,NULL,'Cron: nightly',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711569,1794802711569,'idle','live',NULL,'{"sessionId":"0a000007-0000-4000-8000-000000000007","updatedAt":1794802711569,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000007-0000-4000-8000-000000000007.jsonl","label":"Cron: nightly"}','agent:main:cron:job-1',10,3335457086);
INSERT INTO sessions VALUES(12,1,'main','agent:main:direct:repaired','0a000008-0000-4000-8000-000000000008','About to crash','direct',NULL,'direct','repaired',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711573,1794802711573,'idle','live',NULL,'{"sessionId":"0a000008-0000-4000-8000-000000000008","updatedAt":1794802711573,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000008-0000-4000-8000-000000000008.jsonl"}',NULL,NULL,3776269854);
INSERT INTO sessions VALUES(13,1,'main','agent:main:direct:101','0a000101-0000-4000-8000-000000000101','number 101','direct',NULL,'direct','101',NULL,'number 101',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802930257,1794802930257,'idle','live',NULL,'{"sessionId":"0a000101-0000-4000-8000-000000000101","updatedAt":1794802930257,"label":"number 101"}',NULL,NULL,1577633801);
INSERT INTO sessions VALUES(14,1,'main','agent:main:direct:102','0a000102-0000-4000-8000-000000000102','number 102','direct',NULL,'direct','102',NULL,'number 102',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802930258,1794802930258,'idle','live',NULL,'{"sessionId":"0a000102-0000-4000-8000-000000000102","updatedAt":1794802930258,"label":"number 102"}',NULL,NULL,61360818);
INSERT INTO sessions VALUES(15,1,'main','agent:main:direct:103','0a000104-0000-4000-8000-000000000104','number 103','direct',NULL,'direct','103',NULL,'number 103',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802930010,1794802930010,'idle','live',NULL,'{"sessionId":"0a000104-0000-4000-8000-000000000104","updatedAt":1794802930010,"label":"number 103"}',NULL,NULL,1949108457);
INSERT INTO sessions VALUES(16,1,'main','agent:main:direct:105','0a000105-0000-4000-8000-000000000105','number 105','direct',NULL,'direct','105',NULL,'number 105',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802930261,1794802930261,'archived','removed',1794986682931,'{"sessionId":"0a000105-0000-4000-8000-000000000105","updatedAt":1794802930261,"label":"number 105"}',NULL,NULL,3461475721);
INSERT INTO sessions VALUES(17,1,'main','agent:main:direct:106','0a000106-0000-4000-8000-000000000106','number 106','direct',NULL,'direct','106',NULL,'number 106',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802930262,1794802930262,'archived','live',NULL,'{"sessionId":"0a000106-0000-4000-8000-000000000106","updatedAt":1794802930262,"label":"number 106"}',NULL,NULL,1620885892);
INSERT INTO sessions VALUES(18,1,'main','agent:main:direct:108','0a000108-0000-4000-8000-000000000108','number 108','direct',NULL,'direct','108',NULL,'number 108',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802930264,1794802930264,'idle','live',NULL,'{"sessionId":"0a000108-0000-4000-8000-000000000108","updatedAt":1794802930264,"label":"number 108"}',NULL,NULL,776797647);
INSERT INTO sessions VALUES(19,1,'main','agent:main:direct:109','0a000109-0000-4000-8000-000000000109','number 109','direct',NULL,'direct','109',NULL,'number 109',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802930265,1794802930265,'idle','live',NULL,'{"sessionId":"0a000109-0000-4000-8000-000000000109","updatedAt":1794802930265,"label":"number 109"}',NULL,NULL,1472121698);
INSERT INTO sessions VALUES(20,1,'main','agent:main:direct:10a','0a00010a-0000-4000-8000-00000000010a','number 10a','direct',NULL,'direct','10a',NULL,'number 10a',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802930266,1794802930266,'idle','live',NULL,'{"sessionId":"0a00010a-0000-4000-8000-00000000010a","updatedAt":1794802930266,"label":"number 10a"}',NULL,NULL,3991634309);
INSERT INTO sessions VALUES(22,1,'main','agent:main:direct:10c','0a00010c-0000-4000-8000-00000000010c','renamed again','direct',NULL,'direct','10c',NULL,'renamed again',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802930020,1794802930020,'idle','live',NULL,'{"sessionId":"0a00010c-0000-4000-8000-00000000010c","updatedAt":1794802930020,"label":"renamed again"}',NULL,NULL,1770544453);
INSERT INTO sessions VALUES(23,1,'main','agent:main:direct:10d','0a00010d-0000-4000-8000-00000000010d','number 10d','direct',NULL,'direct','10d',NULL,'number 10d',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802930269,1794802930269,'archived','removed',1794986683546,'{"sessionId":"0a00010d-0000-4000-8000-00000000010d","updatedAt":1794802930269,"label":"number 10d"}',NULL,NULL,2852356022);
INSERT INTO sessions VALUES(24,1,'main','agent:main:direct:10e','0a00010e-0000-4000-8000-00000000010e','number 10e','direct',NULL,'direct','10e',NULL,'number 10e',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802930270,1794802930270,'idle','live',NULL,'{"sessionId":"0a00010e-0000-4000-8000-00000000010e","updatedAt":1794802930270,"label":"number 10e"}',NULL,NULL,3736986672);
INSERT INTO sessions VALUES(25,1,'main','agent:main:direct:10f','0a00010f-0000-4000-8000-00000000010f','number 10f','direct',NULL,'direct','10f',NULL,'number 10f',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802930271,1794802930271,'idle','live',NULL,'{"sessionId":"0a00010f-0000-4000-8000-00000000010f","updatedAt":1794802930271,"label":"number 10f"}',NULL,NULL,1570514650);
INSERT INTO sessions VALUES(26,1,'ops','agent:ops:main','0a00000a-0000-4000-8000-00000000000a','0a00000a (2026-11-16)','main',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711594,1794802711594,'created','live',NULL,'{"sessionId":"0a00000a-0000-4000-8000-00000000000a","updatedAt":1794802711594,"sessionFile":"/home/claw/.openclaw/agents/ops/sessions/0a00000a-0000-4000-8000-00000000000a.jsonl"}',NULL,NULL,1736010632);
INSERT INTO sessions VALUES(27,1,'ops','agent:ops:discord:channel:99','0a00000b-0000-4000-8000-00000000000b','In the channel','channel','discord','channel','99',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711695,1794802711695,'idle','live',NULL,'{"sessionId":"0a00000b-0000-4000-8000-00000000000b","updatedAt":1794802711695,"sessionFile":"/home/claw/.openclaw/agents/ops/sessions/0a00000b-0000-4000-8000-00000000000b.jsonl","chatType":"channel","groupChannel":"#ops"}',NULL,NULL,1020670116);
INSERT INTO sessions VALUES(28,1,'main','agent:main:direct:107','0a000107-0000-4000-8000-000000000107','what was said as number 1','direct',NULL,'direct','107',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802930263,1794802930263,'idle','live',NULL,'{"sessionId":"0a000107-0000-4000-8000-000000000107","updatedAt":1794802930263}',NULL,NULL,2854935864);
INSERT INTO sessions VALUES(29,1,'lab','agent:lab:direct:202','0a000202-0000-4000-8000-000000000202','born there','direct',NULL,'direct','202',NULL,'born there',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802931007,1794802931007,'idle','live',NULL,'{"sessionId":"0a000202-0000-4000-8000-000000000202","updatedAt":1794802931007,"label":"born there"}',NULL,NULL,1675918676);
INSERT INTO session_versions VALUES(1,1,1794986682146,'{"sessionId":"0a000201-0000-4000-8000-000000000201","updatedAt":1794802930513}',1187204505);
INSERT INTO session_versions VALUES(2,2,1794986682146,'{"sessionId":"0a000203-0000-4000-8000-000000000203","updatedAt":1794802930515}',3905017693);
INSERT INTO session_versions VALUES(3,3,1794986682146,'{"sessionId":"352ab5ed-a842-462e-8907-0483ddd7572e","sessionFile":"/home/claw/.openclaw/agents/main/sessions/352ab5ed-a842-462e-8907-0483ddd7572e.jsonl","updatedAt":1794802717158,"systemSent":false,"abortedLastRun":false,"model":"stub-1","modelProvider":"stub","inputTokens":4122,"outputTokens":16,"totalTokens":4122,"totalTokensFresh":true,"sessionStartedAt":1794802716270,"skillsSnapshot":{"skills":[{"name":"clawhub"},{"name":"diagram-maker"},{"name":"healthcheck"},{"name":"meme-maker","requiredEnv":[]},{"name":"node-connect"},{"name":"node-inspect-debugger","requiredEnv":[]},{"name":"notion","primaryEnv":"NOTION_API_TOKEN","requiredEnv":[]},{"name":"python-debugpy","requiredEnv":[]},{"name":"skill-creator"},{"name":"spike"},{"name":"taskflow"},{"name":"taskflow-inbox-triage"},{"name":"tmux","requiredEnv":[]},{"name":"weather"}],"version":1794802716041,"promptFormatVersion":1,"promptRef":{"version":1,"algorithm":"sha256","hash":"23d3029629f2f3ad6993c08bcce49f5b13dd124227eae59a87ca776e101ede75","bytes":4940}},"lastInteractionAt":1794802717153,"lastActivityAt":1794802717153,"contextTokens":200000,"agentHarnessId":"openclaw","systemPromptReport":{"source":"run","generatedAt":1794802716737,"sessionId":"352ab5ed-a842-462e-8907-0483ddd7572e","sessionKey":"agent:main:main","provider":"stub","model":"stub-1","workspaceDir":"/home/claw/workspace","bootstrapMaxChars":20000,"bootstrapTotalMaxChars":60000,"bootstrapTruncation":{"warningMode":"always","warningShown":false,"truncatedFiles":0,"nearLimitFiles":0,"totalNearLimit":false},"sandbox":{"mode":"off","sandboxed":false},"systemPrompt":{"chars":16160,"hash":"9600ce87456504738c1ec5f96d17ff3e48650084b85361a864652b72c94b59d7","projectContextChars":585,"nonProjectContextChars":15575},"injectedWorkspaceFiles":[{"name":"AGENTS.md","path":"/home/claw/workspace/AGENTS.md","missing":true,"rawChars":0,"injectedChars":53,"truncated":false},{"name":"SOUL.md","path":"/home/claw/workspace/SOUL.md","missing":true,"rawChars":0,"injectedChars":51,"truncated":false},{"name":"TOOLS.md","path":"/home/claw/workspace/TOOLS.md","missing":true,"rawChars":0,"injectedChars":52,"truncated":false},{"name":"IDENTITY.md","path":"/home/claw/workspace/IDENTITY.md","missing":true,"rawChars":0,"injectedChars":55,"truncated":false},{"name":"USER.md","path":"/home/claw/workspace/USER.md","missing":true,"rawChars":0,"injectedChars":51,"truncated":false},{"name":"HEARTBEAT.md","path":"/home/claw/workspace/HEARTBEAT.md","missing":true,"rawChars":0,"injectedChars":56,"truncated":false},{"name":"BOOTSTRAP.md","path":"/home/claw/workspace/BOOTSTRAP.md","missing":true,"rawChars":0,"injectedChars":0,"truncated":false}],"skills":{"promptChars":4938,"hash":"e26a9b3ac2163236aaf7571ee31dc09128c6ff096e7d060501830fd9f5ea88cf","entries":[{"name":"clawhub","blockChars":337},{"name":"diagram-maker","blockChars":310},{"name":"healthcheck","blockChars":322},{"name":"meme-maker","blockChars":295},{"name":"node-connect","blockChars":325},{"name":"node-inspect-debugger","blockChars":321},{"name":"notion","blockChars":316},{"name":"python-debugpy","blockChars":309},{"name":"skill-creator","blockChars":303},{"name":"spike","blockChars":295},{"name":"taskflow","blockChars":325},{"name":"taskflow-inbox-triage","blockChars":335},{"name":"tmux","blockChars":313},{"name":"weather","blockChars":333}]},"tools":{"listChars":0,"schemaChars":28613,"entries":[{"name":"read","summaryChars":303,"summaryHash":"b15dd29794ef5562ddee30a6282387ee7b40b9806c10ae2616daf75514ddc1f6","schemaChars":304,"schemaHash":"134f19bcabe3e29d63c5cebb38f1d2556759fd08adad6bc90a4b4d3cd1fb8441","propertiesCount":3},{"name":"edit","summaryChars":326,"summaryHash":"c498a85576e187d069e8e8ea4f70f81bddd57829600d385ef61c4359fd634c9e","schemaChars":834,"schemaHash":"457e8bb9f800b21be76c4fd8c0e3078bf07ee9bf93ac82f39944c171bd8f6d84","propertiesCount":2},{"name":"write","summaryChars":127,"summaryHash":"cdb1c46027b22d1f1b923b47bfe297821d9fe589a9f9d92994961948060a4d89","schemaChars":225,"schemaHash":"e98a2484f667cf7c22d76ca103bf2022bf9113dc63fe38b899e71c328cb1e833","propertiesCount":2},{"name":"apply_patch","summaryChars":132,"summaryHash":"432bf38688a4f011d2b765a441ac07e1fdfa9faf2051679adee04abcd9332d93","schemaChars":153,"schemaHash":"05521268363ff4f191472c90d69ef08a503ba9acf1d2febc50b3ee68db32ab65","propertiesCount":1},{"name":"exec","summaryChars":539,"summaryHash":"4825198988fbfa8ebf5c2a8fbe3946da0be639b1e3b737ceaa4364195bba3f04","schemaChars":1332,"schemaHash":"49dcb29ee9f7016cd248f40cfb44508aac4d6a67d4c9acb52cbd08ad3e3ae893","propertiesCount":12},{"name":"process","summaryChars":456,"summaryHash":"55297e65d460e0e1e06e7fad4cedb75ffda8fac9fa8b10aa06d6cead3c5a76ea","schemaChars":1074,"schemaHash":"a2d30a25569f409d7e8539844c89a088044535388b24031d014577b96ed27c5c","propertiesCount":12},{"name":"nodes","summaryChars":143,"summaryHash":"ea1b0a5498ca3c788b26d164245652e1aaa989806e0123715793ab25f9578121","schemaChars":1782,"schemaHash":"827d777d06a1139d4bc1fc907c0f944b2382e18101854b738eae53185d89a3f9","propertiesCount":32},{"name":"cron","summaryChars":4062,"summaryHash":"7038f1b185a7cdf7a40525eeca91ed39dfd7bbaf85e89027896af264de54b4d9","schemaChars":9606,"schemaHash":"22220ca8ac2b96a6957b1363964bb4c7f17c7b3ec14026c1484d6b6728542714","propertiesCount":15},{"name":"message","summaryChars":71,"summaryHash":"e43fe566f2d93be0d540da64d2a80a6e1a868757fe2fb49fa38e69fccf9fd4b0","schemaChars":5880,"schemaHash":"ffca049e7cdc61f71334a173d57e276aaa34337894751f28b6b1d5a920d979db","propertiesCount":106},{"name":"tts","summaryChars":217,"summaryHash":"652c1970c199d82b61061a40be2adddfc7e5634df5d896d776a8a0047c8a6b75","schemaChars":264,"schemaHash":"e40695f92ef72d913ee5eb13ef738a15d6f33ae3af3ec609975c45991ef99a78","propertiesCount":3},{"name":"gateway","summaryChars":566,"summaryHash":"1bef48b95fc67d7dc10e2f5f0cc3522951b067b762de6c3e77bc446de0f608b1","schemaChars":649,"schemaHash":"1a4f609a948c183832ee8a11c0cfcbe1afddf0732c30c67a593dfcdb630a5ee7","propertiesCount":14},{"name":"agents_list","summaryChars":63,"summaryHash":"a7afb8adbaf98833df68160db0677ec2a6bc30b1b96f3592392c9df59e310c65","schemaChars":33,"schemaHash":"8243f0af367f188a376f2c17b5eabe872a2f7a979813e0d4e2be6d594c2aa259","propertiesCount":0},{"name":"get_goal","summaryChars":71,"summaryHash":"58dea7906d9e17e5f89a75fea24597ee068d8a56af824370dc27f8501374d6e3","schemaChars":33,"schemaHash":"8243f0af367f188a376f2c17b5eabe872a2f7a979813e0d4e2be6d594c2aa259","propertiesCount":0},{"name":"create_goal","summaryChars":155,"summaryHash":"f01e3a63d673a410ba55213ce6bd3fa2b0d2279e8e780c18aa0cb5aa991b29b3","schemaChars":267,"schemaHash":"27ee794432736471bd76390e236cc7d7e98f8469a02656e7a27109041eea0f8c","propertiesCount":2},{"name":"update_goal","summaryChars":212,"summaryHash":"285201690e5f2456b4cdcd252ff391709b84d69538df61bad694d3c0cfc19958","schemaChars":207,"schemaHash":"c37894492eedfad02f1e7fe1488900765bfe547f3b3f34cefbab4f7f57441c2c","propertiesCount":2},{"name":"skill_workshop","summaryChars":171,"summaryHash":"577c1d2b8f56bf3e9dd5e00463bbce8b8bf4cf201da9b21b588dcaa3bc6ed8cf","schemaChars":2298,"schemaHash":"a15f720240f6f8fed5b136844a6868388a4c35170b419a89c570bc560dc27090","propertiesCount":13},{"name":"sessions_list","summaryChars":150,"summaryHash":"6991b34a692cbbecc50302184503776bf8d7317b336d649fcd9373beab5473dc","schemaChars":465,"schemaHash":"89e377fd8694a3b81a5d72a0e9536e1770a127aff3ee539cef01c5af01e59129","propertiesCount":10},{"name":"sessions_history","summaryChars":149,"summaryHash":"09b418c8da696b361c021f66705dab0215a613f6c18a9722767f6129907e0dcd","schemaChars":202,"schemaHash":"7c48bf270e608aa5c167ec15d571b536c626aed56e88d6e760fcf0802bb75cc4","propertiesCount":4},{"name":"sessions_send","summaryChars":282,"summaryHash":"061e9ef3487676bb2a4fd4c0336bd973aaab5eea0725e7443c4cb17518cd1e78","schemaChars":275,"schemaHash":"f1fbaa412fe6b6aee102234c87c5aa140f39c9086f9bae6e1e9691309a602ffb","propertiesCount":5},{"name":"sessions_spawn","summaryChars":578,"summaryHash":"c75061234ba01a4eb29ca223c1c63a44935e9e555ef2ca280722ba9e844db86d","schemaChars":1151,"schemaHash":"9a91c7668463da8a66386260ce2ae97e7efe3bb93b9b6f03ac85102c354457e1","propertiesCount":15},{"name":"sessions_yield","summaryChars":79,"summaryHash":"f3782fc41c1522657e1d3494f486a2df998fed38a6b89dcf7f6934fb41424320","schemaChars":60,"schemaHash":"b1c4c753820bc3096d85ef7a266a14c9fbe12450536db58076b75bb61d14dbbb","propertiesCount":1},{"name":"subagents","summaryChars":132,"summaryHash":"1c2ffd38549c0444b118d43736fc4b875ea1aaabc446bbf8bc1fc4ee9180cca4","schemaChars":122,"schemaHash":"c4a241d2c3d46ba7985abfce4d3fcd63298ce81f89d49183c8f3d584c48d0c33","propertiesCount":2},{"name":"session_status","summaryChars":278,"summaryHash":"71177e543dc6235bad4b1a26761995681dcec27ab58dcb4f4f8a7fc9a7b2b5aa","schemaChars":89,"schemaHash":"d2995f3d69d126e98ac93eec3c2a9fe5556925bd7979a8e4b6b5a2bf62d329dd","propertiesCount":2},{"name":"web_search","summaryChars":65,"summaryHash":"b38e9b3c079beaa988d3c576303660b91a55c2e72f56351da04160529173273f","schemaChars":991,"schemaHash":"3879e368875d824b14e0e683f81408824e9a2a5850fa2f8514a68caebda54d18","propertiesCount":12},{"name":"web_fetch","summaryChars":93,"summaryHash":"8875afbb51bd63673e5e6836ca31eeda73914a464862665cd73b346e28d28fd5","schemaChars":317,"schemaHash":"d2d8ad58a1b84d849dd16142282aff6c5606f7b0e3d08405e1b740a6a79e6bcc","propertiesCount":3}]},"currentTurn":{"promptChars":27,"runtimeContextChars":0}},"contextBudgetStatus":{"schemaVersion":1,"source":"pre-prompt-estimate","updatedAt":1794802716953,"provider":"stub","model":"stub-1","route":"fits","shouldCompact":false,"estimatedPromptTokens":4894,"contextTokenBudget":200000,"promptBudgetBeforeReserve":180000,"reserveTokens":20000,"effectiveReserveTokens":20000,"remainingPromptBudgetTokens":175106,"overflowTokens":0,"toolResultReducibleChars":0,"messageCount":0,"unwindowedMessageCount":0,"sessionId":"352ab5ed-a842-462e-8907-0483ddd7572e"},"cacheRead":0,"cacheWrite":0,"estimatedCostUsd":0.004154}',1769009490);
INSERT INTO session_versions VALUES(4,4,1794986682146,'{"sessionId":"0a000001-0000-4000-8000-000000000001","updatedAt":1794802711362,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000001-0000-4000-8000-000000000001-topic-7.jsonl","chatType":"group","subject":"Garden ✿ group","groupId":"-1001234"}',1423260989);
INSERT INTO session_versions VALUES(5,5,1794986682146,'{"sessionId":"0a000002-0000-4000-8000-000000000002","updatedAt":1794802711412,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000002-0000-4000-8000-000000000002.jsonl","chatType":"direct","displayName":"Alex"}',2325335786);
INSERT INTO session_versions VALUES(6,6,1794986682146,'{"sessionId":"0a000003-0000-4000-8000-000000000003","updatedAt":1794802711480,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000003-0000-4000-8000-000000000003.jsonl","label":"Branches"}',2035569117);
INSERT INTO session_versions VALUES(7,7,1794986682146,'{"sessionId":"ec77ae1a-d8e0-43f9-b59d-e747de020e1c","sessionFile":"/home/claw/.openclaw/agents/main/sessions/2026-11-16T04-18-31-525Z_ec77ae1a-d8e0-43f9-b59d-e747de020e1c.jsonl","updatedAt":1794802711526,"forkedFromParent":true,"parentSessionKey":"agent:main:direct:branchy"}',4112798740);
INSERT INTO session_versions VALUES(8,8,1794986682146,'{"sessionId":"790cc214-619c-482d-abdc-6b97862764b8","updatedAt":1794802711554,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/2026-11-16T04-18-31-545Z_790cc214-619c-482d-abdc-6b97862764b8.jsonl"}',3227836222);
INSERT INTO session_versions VALUES(9,9,1794986682146,'{"sessionId":"0a000005-0000-4000-8000-000000000005","updatedAt":1794802711557,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000005-0000-4000-8000-000000000005.jsonl","spawnedBy":"agent:main:main","spawnDepth":1,"label":"sub-one"}',3274917546);
INSERT INTO session_versions VALUES(10,10,1794986682146,'{"sessionId":"0a000006-0000-4000-8000-000000000006","updatedAt":1794802711565,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000006-0000-4000-8000-000000000006.jsonl","label":"Cron: nightly"}',1796169322);
INSERT INTO session_versions VALUES(11,11,1794986682146,'{"sessionId":"0a000007-0000-4000-8000-000000000007","updatedAt":1794802711569,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000007-0000-4000-8000-000000000007.jsonl","label":"Cron: nightly"}',243972090);
INSERT INTO session_versions VALUES(12,12,1794986682146,'{"sessionId":"0a000008-0000-4000-8000-000000000008","updatedAt":1794802711573,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000008-0000-4000-8000-000000000008.jsonl"}',303665280);
INSERT INTO session_versions VALUES(13,13,1794986682146,'{"sessionId":"0a000101-0000-4000-8000-000000000101","updatedAt":1794802930257,"label":"number 101"}',3053611676);
INSERT INTO session_versions VALUES(14,14,1794986682146,'{"sessionId":"0a000102-0000-4000-8000-000000000102","updatedAt":1794802930258,"label":"number 102"}',3223431156);
INSERT INTO session_versions VALUES(15,15,1794986682146,'{"sessionId":"0a000103-0000-4000-8000-000000000103","updatedAt":1794802930259,"label":"number 103"}',3986440895);
INSERT INTO session_versions VALUES(16,16,1794986682146,'{"sessionId":"0a000105-0000-4000-8000-000000000105","updatedAt":1794802930261,"label":"number 105"}',3864542371);
INSERT INTO session_versions VALUES(17,17,1794986682146,'{"sessionId":"0a000106-0000-4000-8000-000000000106","updatedAt":1794802930262,"label":"number 106"}',3604201927);
INSERT INTO session_versions VALUES(18,18,1794986682146,'{"sessionId":"0a000108-0000-4000-8000-000000000108","updatedAt":1794802930264,"label":"number 108"}',221999849);
INSERT INTO session_versions VALUES(19,19,1794986682146,'{"sessionId":"0a000109-0000-4000-8000-000000000109","updatedAt":1794802930265,"label":"number 109"}',545691554);
INSERT INTO session_versions VALUES(20,20,1794986682146,'{"sessionId":"0a00010a-0000-4000-8000-00000000010a","updatedAt":1794802930266,"label":"number 10a"}',3680749524);
INSERT INTO session_versions VALUES(22,22,1794986682146,'{"sessionId":"0a00010c-0000-4000-8000-00000000010c","updatedAt":1794802930268,"label":"number 10c"}',2164125687);
INSERT INTO session_versions VALUES(23,23,1794986682146,'{"sessionId":"0a00010d-0000-4000-8000-00000000010d","updatedAt":1794802930269,"label":"number 10d"}',1741705399);
INSERT INTO session_versions VALUES(24,24,1794986682146,'{"sessionId":"0a00010e-0000-4000-8000-00000000010e","updatedAt":1794802930270,"label":"number 10e"}',3277957267);
INSERT INTO session_versions VALUES(25,25,1794986682146,'{"sessionId":"0a00010f-0000-4000-8000-00000000010f","updatedAt":1794802930271,"label":"number 10f"}',511477278);
INSERT INTO session_versions VALUES(26,26,1794986682146,'{"sessionId":"0a00000a-0000-4000-8000-00000000000a","updatedAt":1794802711594,"sessionFile":"/home/claw/.openclaw/agents/ops/sessions/0a00000a-0000-4000-8000-00000000000a.jsonl"}',3604382479);
INSERT INTO session_versions VALUES(27,27,1794986682146,'{"sessionId":"0a00000b-0000-4000-8000-00000000000b","updatedAt":1794802711695,"sessionFile":"/home/claw/.openclaw/agents/ops/sessions/0a00000b-0000-4000-8000-00000000000b.jsonl","chatType":"channel","groupChannel":"#ops"}',3075816987);
INSERT INTO session_versions VALUES(28,15,1794986682898,'{"sessionId":"0a000104-0000-4000-8000-000000000104","updatedAt":1794802930010}',1095399338);
INSERT INTO session_versions VALUES(29,22,1794986682898,'{"label":"renamed"}',922112891);
INSERT INTO session_versions VALUES(30,28,1794986682898,'{"sessionId":"0a000107-0000-4000-8000-000000000107","updatedAt":1794802930263}',16697310);
INSERT INTO session_versions VALUES(31,22,1794986683511,'{"updatedAt":1794802930020,"label":"renamed again"}',3230037941);
INSERT INTO session_versions VALUES(32,1,1794986683988,'{"updatedAt":1794802931001}',1501170805);
INSERT INTO session_versions VALUES(33,2,1794986683988,'{"updatedAt":1794802931003}',3373625682);
INSERT INTO session_versions VALUES(34,29,1794986683988,'{"sessionId":"0a000202-0000-4000-8000-000000000202","updatedAt":1794802931007,"label":"born there"}',3286658531);
INSERT INTO session_ids VALUES(1,1,'0a000201-0000-4000-8000-000000000201','agent:lab:direct:201','lab',1794986682146,1794986683988,NULL,945321144);
INSERT INTO session_ids VALUES(2,2,'0a000203-0000-4000-8000-000000000203','agent:lab:direct:203','lab',1794986682146,1794986683988,NULL,1738264305);
INSERT INTO session_ids VALUES(3,3,'352ab5ed-a842-462e-8907-0483ddd7572e','agent:main:main','main',1794986682146,1794986682146,NULL,3004119738);
INSERT INTO session_ids VALUES(4,4,'0a000001-0000-4000-8000-000000000001','agent:main:telegram:group:-1001234:topic:7','main',1794986682146,1794986682146,NULL,1392160208);
INSERT INTO session_ids VALUES(5,5,'0a000002-0000-4000-8000-000000000002','agent:main:telegram:direct:4242','main',1794986682146,1794986682146,NULL,1942241497);
INSERT INTO session_ids VALUES(6,6,'0a000003-0000-4000-8000-000000000003','agent:main:direct:branchy','main',1794986682146,1794986682146,NULL,3967225996);
INSERT INTO session_ids VALUES(7,7,'ec77ae1a-d8e0-43f9-b59d-e747de020e1c','agent:main:direct:forked','main',1794986682146,1794986682146,NULL,3585788938);
INSERT INTO session_ids VALUES(8,8,'790cc214-619c-482d-abdc-6b97862764b8','agent:main:direct:compacted','main',1794986682146,1794986682146,NULL,3940304053);
INSERT INTO session_ids VALUES(9,9,'0a000005-0000-4000-8000-000000000005','agent:main:subagent:0b000000-0000-4000-8000-00000000000b','main',1794986682146,1794986682146,NULL,3005116342);
INSERT INTO session_ids VALUES(10,10,'0a000006-0000-4000-8000-000000000006','agent:main:cron:job-1','main',1794986682146,1794986682146,NULL,818142489);
INSERT INTO session_ids VALUES(11,11,'0a000007-0000-4000-8000-000000000007','agent:main:cron:job-1:run:0c000000-0000-4000-8000-00000000000c','main',1794986682146,1794986682146,NULL,2025950090);
INSERT INTO session_ids VALUES(12,12,'0a000008-0000-4000-8000-000000000008','agent:main:direct:repaired','main',1794986682146,1794986682146,NULL,2690073832);
INSERT INTO session_ids VALUES(13,13,'0a000101-0000-4000-8000-000000000101','agent:main:direct:101','main',1794986682146,1794986682146,NULL,378119182);
INSERT INTO session_ids VALUES(14,14,'0a000102-0000-4000-8000-000000000102','agent:main:direct:102','main',1794986682146,1794986682146,NULL,2659141420);
INSERT INTO session_ids VALUES(15,15,'0a000103-0000-4000-8000-000000000103','agent:main:direct:103','main',1794986682146,1794986682146,'reset',1117474416);
INSERT INTO session_ids VALUES(16,16,'0a000105-0000-4000-8000-000000000105','agent:main:direct:105','main',1794986682146,1794986682898,'deleted',977518202);
INSERT INTO session_ids VALUES(17,17,'0a000106-0000-4000-8000-000000000106','agent:main:direct:106','main',1794986682146,1794986682146,NULL,1713127089);
INSERT INTO session_ids VALUES(18,18,'0a000108-0000-4000-8000-000000000108','agent:main:direct:108','main',1794986682146,1794986682146,NULL,2375065182);
INSERT INTO session_ids VALUES(19,19,'0a000109-0000-4000-8000-000000000109','agent:main:direct:109','main',1794986682146,1794986682146,NULL,1125268863);
INSERT INTO session_ids VALUES(20,20,'0a00010a-0000-4000-8000-00000000010a','agent:main:direct:10a','main',1794986682146,1794986682146,NULL,2382164314);
INSERT INTO session_ids VALUES(22,22,'0a00010c-0000-4000-8000-00000000010c','agent:main:direct:10c','main',1794986682146,1794986683511,NULL,1177513);
INSERT INTO session_ids VALUES(23,23,'0a00010d-0000-4000-8000-00000000010d','agent:main:direct:10d','main',1794986682146,1794986683511,'deleted',942090368);
INSERT INTO session_ids VALUES(24,24,'0a00010e-0000-4000-8000-00000000010e','agent:main:direct:10e','main',1794986682146,1794986682146,NULL,4079479166);
INSERT INTO session_ids VALUES(25,25,'0a00010f-0000-4000-8000-00000000010f','agent:main:direct:10f','main',1794986682146,1794986682146,NULL,2867162996);
INSERT INTO session_ids VALUES(26,26,'0a00000a-0000-4000-8000-00000000000a','agent:ops:main','ops',1794986682146,1794986682146,NULL,3049956200);
INSERT INTO session_ids VALUES(27,27,'0a00000b-0000-4000-8000-00000000000b','agent:ops:discord:channel:99','ops',1794986682146,1794986682146,NULL,46788316);
INSERT INTO session_ids VALUES(28,15,'0a000104-0000-4000-8000-000000000104','agent:main:direct:103','main',1794986682898,1794986682898,NULL,2960331892);
INSERT INTO session_ids VALUES(29,28,'0a000107-0000-4000-8000-000000000107','agent:main:direct:107','main',1794986682898,1794986682898,NULL,3963606237);
INSERT INTO session_ids VALUES(30,29,'0a000202-0000-4000-8000-000000000202','agent:lab:direct:202','lab',1794986683988,1794986683988,NULL,2439545303);
INSERT INTO transcripts VALUES(1,1,'main','0a000009-0000-4000-8000-000000000009',NULL,'@STATE@/agents/main/sessions/0a000009-0000-4000-8000-000000000009.jsonl.deleted.2026-11-16T04-18-31.593Z','deleted',NULL,NULL,1,'/home/claw','3',1794802711588,'5e4e0eaf',1,782,3,0,782,'ae3f0b69827022ee77deeb42564aeb19cf6926baa8aae3b230254fc754ae724b','archived',5,1794986682124,1794986682124,'5e4e0eaf',0,1,NULL,'Delete me',NULL,'/home/claw',NULL);
INSERT INTO transcripts VALUES(2,1,'lab','0a000201-0000-4000-8000-000000000201',NULL,'@STATE@/agents/lab/agent/openclaw-agent.sqlite/0a000201-0000-4000-8000-000000000201.jsonl','primary',NULL,NULL,2,'/home/someone','3',1794802930000,'00201004',2,958,5,0,958,NULL,'live',5,1794986682125,1794986684816,'00201004',0,103,1,'what was said as number 1',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(3,1,'lab','0a000203-0000-4000-8000-000000000203',NULL,'@STATE@/agents/lab/session-sqlite-import-archive/agent_lab_direct_203.0a000203-0000-4000-8000-000000000203.jsonl.imported-1794802732071','primary',NULL,NULL,3,'/home/someone','3',1794802930000,'00203003',1,763,4,0,763,NULL,'archived',5,1794986682125,1794986684823,'00203003',0,7,2,'what was said as number 1',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(4,1,'main','0a000001-0000-4000-8000-000000000001','7','@STATE@/agents/main/sessions/0a000001-0000-4000-8000-000000000001-topic-7.jsonl','primary',NULL,NULL,4,'/home/claw','3',1794802711376,'b196500e',1,1624,5,0,1624,NULL,'live',5,1794986682125,1794986682126,'b196500e',0,9,4,'Grüße aus Köln — 你好, 🌻 and a line separator',NULL,'/home/claw',NULL);
INSERT INTO transcripts VALUES(5,1,'main','0a000003-0000-4000-8000-000000000003',NULL,'@STATE@/agents/main/sessions/0a000003-0000-4000-8000-000000000003.jsonl','primary',NULL,NULL,5,'/home/claw','3',1794802711482,'262bace3',1,5564,22,0,5564,NULL,'live',5,1794986682126,1794986682132,'262bace3',0,14,6,'First question',NULL,'/home/claw',NULL);
INSERT INTO transcripts VALUES(6,1,'main','0a000004-0000-4000-8000-000000000004',NULL,'@STATE@/agents/main/sessions/0a000004-0000-4000-8000-000000000004.jsonl','primary',NULL,NULL,6,'/home/claw','3',1794802711531,'6a2e18b7',1,4913,16,0,4913,NULL,'live',5,1794986682132,1794986682132,'6a2e18b7',0,21,NULL,'Question 0',NULL,'/home/claw',NULL);
INSERT INTO transcripts VALUES(7,1,'main','0a000005-0000-4000-8000-000000000005',NULL,'@STATE@/agents/main/sessions/0a000005-0000-4000-8000-000000000005.jsonl','primary',NULL,NULL,7,'/home/claw','3',1794802711561,'2a57e10d',1,807,3,0,807,NULL,'live',5,1794986682132,1794986682132,'2a57e10d',0,22,9,'[Subagent Task] count the files',NULL,'/home/claw',NULL);
INSERT INTO transcripts VALUES(8,1,'main','0a000006-0000-4000-8000-000000000006',NULL,'@STATE@/agents/main/sessions/0a000006-0000-4000-8000-000000000006.jsonl','primary',NULL,NULL,8,'/home/claw','3',1794802711568,'020564ac',1,801,3,0,801,NULL,'live',5,1794986682132,1794986682132,'020564ac',0,23,10,'[cron:job-1 nightly] report',NULL,'/home/claw',NULL);
INSERT INTO transcripts VALUES(9,1,'main','0a000007-0000-4000-8000-000000000007',NULL,'@STATE@/agents/main/sessions/0a000007-0000-4000-8000-000000000007.jsonl','primary',NULL,NULL,9,'/home/claw','3',1794802711572,'cf7bca4e',1,801,3,0,801,NULL,'live',5,1794986682132,1794986682132,'cf7bca4e',0,24,11,'[cron:job-1 nightly] report',NULL,'/home/claw',NULL);
INSERT INTO transcripts VALUES(10,1,'main','0a000008-0000-4000-8000-000000000008',NULL,'@STATE@/agents/main/sessions/0a000008-0000-4000-8000-000000000008.jsonl','primary',NULL,NULL,10,'/home/claw','3',1794802711577,'e82bb0b7',1,1455,5,0,1455,NULL,'live',5,1794986682132,1794986682132,'e82bb0b7',0,26,12,'About to crash',NULL,'/home/claw',NULL);
INSERT INTO transcripts VALUES(11,1,'main','0a000101-0000-4000-8000-000000000101',NULL,'@STATE@/agents/main/sessions/0a000101-0000-4000-8000-000000000101.jsonl','primary',NULL,NULL,11,'/home/someone','3',1794802930000,'00101004',3,752,4,0,752,NULL,'live',5,1794986682132,1794986684819,'00101004',0,110,13,'all else is compacted',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(12,1,'main','0a000101-0000-4000-8000-000000000101',NULL,'@STATE@/agents/main/sessions/0a000101-0000-4000-8000-000000000101.trajectory.jsonl','trajectory',NULL,NULL,12,NULL,NULL,NULL,NULL,2,968,4,0,968,NULL,'live',5,1794986682135,1794986683503,NULL,0,NULL,13,NULL,NULL,NULL,NULL);
INSERT INTO transcripts VALUES(13,1,'main','0a000102-0000-4000-8000-000000000102',NULL,'@STATE@/agents/main/sessions/0a000102-0000-4000-8000-000000000102.jsonl','primary',NULL,NULL,13,'/home/someone','3',1794802930000,'00102004',2,944,5,0,944,NULL,'live',5,1794986682135,1794986683508,'00102004',0,94,14,'what was said as number 1',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(14,1,'main','0a000103-0000-4000-8000-000000000103',NULL,'@STATE@/agents/main/sessions/0a000103-0000-4000-8000-000000000103.jsonl.reset.2026-11-16T04-22-14.522Z','reset',NULL,NULL,14,'/home/someone','3',1794802930000,'00103004',1,974,5,0,974,'f50a50e7f9b3e742f816c5da35910be6f8b7c87ed8aebd36fcf90a5881bf85c8','archived',5,1794986682135,1794986682699,'00103004',0,38,15,'what was said as number 1',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(15,1,'main','0a000105-0000-4000-8000-000000000105',NULL,'@STATE@/agents/main/sessions/0a000105-0000-4000-8000-000000000105.jsonl.deleted.2026-11-17T09-00-00.000Z','deleted',NULL,NULL,15,'/home/someone','3',1794802930000,'00105004',1,974,5,0,974,'dc3597065c382a9485909620d173734a576b0a93a8d61cc0a71fa658da1f8f79','archived',5,1794986682135,1794986682699,'00105004',0,42,16,'what was said as number 1',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(16,1,'main','0a000106-0000-4000-8000-000000000106',NULL,'@STATE@/agents/main/sessions/0a000106-0000-4000-8000-000000000106.jsonl','primary',NULL,NULL,16,'/home/someone','3',1794802930000,'00106005',1,1245,7,0,1245,NULL,'gone',5,1794986682135,1794986683509,'00106005',0,77,17,'what was said as number 1',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(17,1,'main','0a000106-0000-4000-8000-000000000106',NULL,'@STATE@/agents/main/sessions/0a000106-0000-4000-8000-000000000106.trajectory.jsonl','trajectory',NULL,NULL,17,NULL,NULL,NULL,NULL,1,484,2,0,0,NULL,'gone',5,1794986682137,1794986683509,NULL,0,NULL,17,NULL,NULL,NULL,NULL);
INSERT INTO transcripts VALUES(18,1,'main','0a000108-0000-4000-8000-000000000108',NULL,'@STATE@/agents/main/sessions/0a000108-0000-4000-8000-000000000108.jsonl','primary',NULL,NULL,18,'/home/someone','3',1794802930000,'00108008',1,1738,12,0,1738,NULL,'live',5,1794986682137,1794986682842,'00108008',0,84,18,'what was said as number 1',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(19,1,'main','0a000109-0000-4000-8000-000000000109',NULL,'@STATE@/agents/main/sessions/0a000109-0000-4000-8000-000000000109.jsonl','primary',NULL,NULL,19,'/home/someone','3',1794802930000,'00109004',1,974,5,70,974,NULL,'live',5,1794986682137,1794986683508,'00109004',0,95,19,'what was said as number 1',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(20,1,'main','0a00010a-0000-4000-8000-00000000010a',NULL,'@STATE@/agents/main/sessions/0a00010a-0000-4000-8000-00000000010a.jsonl','primary',NULL,NULL,20,'/home/someone','3',1794802930000,'00000008',1,3250,9,0,704,NULL,'live',5,1794986682138,1794986688941,'00000008',0,111,20,'a question',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(22,1,'main','0a00010c-0000-4000-8000-00000000010c',NULL,'@STATE@/agents/main/sessions/0a00010c-0000-4000-8000-00000000010c.jsonl','primary',NULL,NULL,22,'/home/someone','3',1794802930000,'0010c005',1,1185,6,0,1185,NULL,'live',5,1794986682138,1794986688941,'0010c005',0,112,22,'what was said as number 1',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(23,1,'main','0a00010d-0000-4000-8000-00000000010d',NULL,'@STATE@/agents/main/sessions/0a00010d-0000-4000-8000-00000000010d.jsonl','primary',NULL,NULL,23,'/home/someone','3',1794802930000,'0010d004',1,974,5,0,974,NULL,'gone',5,1794986682138,1794986683509,'0010d004',0,60,23,'what was said as number 1',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(24,1,'main','0a00010e-0000-4000-8000-00000000010e',NULL,'@STATE@/agents/main/sessions/0a00010e-0000-4000-8000-00000000010e.jsonl','primary',NULL,NULL,24,'/home/someone','3',1794802930000,'0010e00a',1,382618,11,0,382618,NULL,'live',5,1794986682138,1794986682860,'0010e00a',0,61,24,'what was said as number 1',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(25,1,'main','0a00010f-0000-4000-8000-00000000010f',NULL,'@STATE@/agents/main/sessions/0a00010f-0000-4000-8000-00000000010f.jsonl','primary',NULL,NULL,25,'/home/someone','3',1794802930000,'0010f004',1,914,5,0,914,NULL,'live',5,1794986682139,1794986682860,'0010f004',0,82,25,'hello',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(26,1,'main','ec77ae1a-d8e0-43f9-b59d-e747de020e1c',NULL,'@STATE@/agents/main/sessions/2026-11-16T04-18-31-525Z_ec77ae1a-d8e0-43f9-b59d-e747de020e1c.jsonl','fork',5,'/home/claw/.openclaw/agents/main/sessions/0a000003-0000-4000-8000-000000000003.jsonl',5,'/home/claw','3',1794802711525,'60776fb0',1,3967,16,0,3967,NULL,'live',5,1794986682139,1794986682139,'60776fb0',0,66,7,'First question',NULL,'/home/claw',NULL);
INSERT INTO transcripts VALUES(27,1,'main','790cc214-619c-482d-abdc-6b97862764b8',NULL,'@STATE@/agents/main/sessions/2026-11-16T04-18-31-545Z_790cc214-619c-482d-abdc-6b97862764b8.jsonl','successor',6,'/home/claw/.openclaw/agents/main/sessions/0a000004-0000-4000-8000-000000000004.jsonl',6,'/home/claw','3',1794802711545,'6fa99f20',1,2856,9,0,2856,NULL,'live',5,1794986682139,1794986682140,'6fa99f20',0,70,8,'Question 5',NULL,'/home/claw',NULL);
INSERT INTO transcripts VALUES(28,1,'main','352ab5ed-a842-462e-8907-0483ddd7572e',NULL,'@STATE@/agents/main/sessions/352ab5ed-a842-462e-8907-0483ddd7572e.jsonl','primary',NULL,NULL,28,'/home/claw/workspace','3',1794802711353,'b288c516',1,1369,6,0,1369,NULL,'live',5,1794986682140,1794986682140,'b288c516',0,71,3,'Hello again after the reset',NULL,'/home/claw/workspace',NULL);
INSERT INTO transcripts VALUES(29,1,'ops','0a00000b-0000-4000-8000-00000000000b',NULL,'@STATE@/agents/ops/sessions/0a00000b-0000-4000-8000-00000000000b.jsonl','primary',NULL,NULL,29,'/home/claw','3',1794802711698,'92bf9f00',1,790,3,0,790,NULL,'live',5,1794986682140,1794986682140,'92bf9f00',0,72,27,'In the channel',NULL,'/home/claw',NULL);
INSERT INTO transcripts VALUES(30,1,'main','0a000104-0000-4000-8000-000000000104',NULL,'@STATE@/agents/main/sessions/0a000104-0000-4000-8000-000000000104.jsonl','primary',NULL,NULL,30,'/home/someone','3',1794802930000,'00104001',1,341,2,0,341,NULL,'live',5,1794986682703,1794986682703,'00104001',0,76,15,'what was said as number 1',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(31,1,'main','0a000107-0000-4000-8000-000000000107',NULL,'@STATE@/agents/main/sessions/0a000107-0000-4000-8000-000000000107.jsonl','fork',11,'/home/claw/.openclaw/agents/main/sessions/0a000101-0000-4000-8000-000000000101.jsonl',11,'/home/someone','3',1794802930000,'00101004',1,1049,5,0,1049,NULL,'live',5,1794986682703,1794986684819,'00101004',0,104,28,'what was said as number 1',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(32,1,'main','0a00010f-0000-4000-8000-00000000010f',NULL,'@STATE@/agents/main/sessions/0a00010f-0000-4000-8000-00000000010f.checkpoint.0a000301-0000-4000-8000-000000000301.jsonl','checkpoint',25,NULL,25,'/home/someone','3',1794802930000,'0010f004',1,914,5,0,914,'6d5f068787016422142fa8fd0496d8a3cf0f212416d4bdcccde3a449f782df18','archived',5,1794986682862,1794986682863,'0010f004',0,86,25,'hello',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(33,1,'main','0a00010f-0000-4000-8000-00000000010f',NULL,'@STATE@/agents/main/sessions/0a00010f-0000-4000-8000-00000000010f.jsonl.bak-31223-1794802934685','backup',25,NULL,25,'/home/someone','3',1794802930000,'0010f004',1,913,5,0,913,'99546ddc264503d58fbcf8e769041bf4cde674eed373540071cbf0867fc44941','archived',5,1794986682885,1794986682885,'0010f004',0,88,25,'hello',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(34,1,'main','0a000302-0000-4000-8000-000000000302',NULL,'@STATE@/agents/main/sessions/0a000302-0000-4000-8000-000000000302.jsonl.reset.2026-11-17T09-00-00.000Z.abababababababababababababababab.zst','reset',NULL,NULL,34,'/home/someone','3',1794802930000,'00302002',1,552,3,0,552,'34d92827f526f1d5b3dba5e028c8432b9fa9d25cb59bed5e630ad2cdb9cf3ef4','archived',5,1794986683435,1794986683435,'00302002',0,90,NULL,'what was said as number 1',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(35,1,'lab','0a000202-0000-4000-8000-000000000202',NULL,'@STATE@/agents/lab/agent/openclaw-agent.sqlite/0a000202-0000-4000-8000-000000000202.jsonl','primary',NULL,NULL,35,'/home/someone','3',1794802930000,'00202006',2,1385,7,0,1385,NULL,'live',5,1794986683961,1794986684818,'00202006',0,109,29,'what was said as number 1',NULL,'/home/someone',NULL);
INSERT INTO transcripts VALUES(36,1,'lab','0a000202-0000-4000-8000-000000000202',NULL,'@STATE@/agents/lab/agent/openclaw-agent.sqlite/0a000202-0000-4000-8000-000000000202.trajectory.jsonl','trajectory',NULL,NULL,36,NULL,NULL,NULL,NULL,1,968,4,0,0,NULL,'live',5,1794986683982,1794986684839,NULL,0,NULL,29,NULL,NULL,NULL,NULL);
INSERT INTO entries VALUES(1,1,1,0,133,1,NULL,'0a000009-0000-4000-8000-000000000009',NULL,'session',1794802711588,0,0,NULL);
INSERT INTO entries VALUES(2,1,2,133,189,1,NULL,'4c8a5517',NULL,'message',1794802711588,1,0,NULL);
INSERT INTO entries VALUES(3,1,3,322,460,1,NULL,'5e4e0eaf','4c8a5517','message',1794802711588,1,0,NULL);
INSERT INTO entries VALUES(4,2,1,0,136,1,NULL,'0a000201-0000-4000-8000-000000000201',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(5,2,2,136,205,1,NULL,'00201001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(6,2,3,341,211,1,NULL,'00201002','00201001','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(7,2,4,552,211,1,NULL,'00201003','00201002','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(8,3,1,0,136,1,NULL,'0a000203-0000-4000-8000-000000000203',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(9,3,2,136,205,1,NULL,'00203001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(10,3,3,341,211,1,NULL,'00203002','00203001','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(11,3,4,552,211,1,NULL,'00203003','00203002','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(12,4,1,0,133,1,NULL,'0a000001-0000-4000-8000-000000000001',NULL,'session',1794802711376,0,0,NULL);
INSERT INTO entries VALUES(13,4,2,133,239,1,NULL,'80ba7bd5',NULL,'message',1794802711386,1,0,NULL);
INSERT INTO entries VALUES(14,4,3,372,515,1,NULL,'c60285cb','80ba7bd5','message',1794802711390,1,0,NULL);
INSERT INTO entries VALUES(15,4,4,887,232,1,NULL,'ae4e43d4','c60285cb','message',1794802711406,1,0,'surrogate');
INSERT INTO entries VALUES(16,4,5,1119,505,1,NULL,'b196500e','ae4e43d4','message',1794802711410,1,0,NULL);
INSERT INTO entries VALUES(17,5,1,0,133,1,NULL,'0a000003-0000-4000-8000-000000000003',NULL,'session',1794802711482,0,0,NULL);
INSERT INTO entries VALUES(18,5,2,133,142,1,NULL,'adf9e565',NULL,'model_change',1794802711482,1,0,NULL);
INSERT INTO entries VALUES(19,5,3,275,132,1,NULL,'c3a0f9a4','adf9e565','thinking_level_change',1794802711482,1,0,NULL);
INSERT INTO entries VALUES(20,5,4,407,200,1,NULL,'c2a24174','c3a0f9a4','message',1794802711483,1,0,NULL);
INSERT INTO entries VALUES(21,5,5,607,463,1,NULL,'8ee86bf4','c2a24174','message',1794802711483,1,0,NULL);
INSERT INTO entries VALUES(22,5,6,1070,137,1,NULL,'d0ec25a2','8ee86bf4','label',1794802711484,1,0,NULL);
INSERT INTO entries VALUES(23,5,7,1207,126,1,NULL,'27a8e459','d0ec25a2','session_info',1794802711485,1,0,NULL);
INSERT INTO entries VALUES(24,5,8,1333,201,1,NULL,'34ffccf0','27a8e459','message',1794802711485,1,0,NULL);
INSERT INTO entries VALUES(25,5,9,1534,464,1,NULL,'444c4b45','34ffccf0','message',1794802711485,0,0,NULL);
INSERT INTO entries VALUES(26,5,10,1998,220,1,NULL,'e6a8447b','8ee86bf4','message',1794802711486,0,0,NULL);
INSERT INTO entries VALUES(27,5,11,2218,476,1,NULL,'3d9b701f','e6a8447b','message',1794802711486,0,0,NULL);
INSERT INTO entries VALUES(28,5,12,2694,171,1,NULL,'992341ff','444c4b45','branch_summary',1794802711488,0,0,NULL);
INSERT INTO entries VALUES(29,5,13,2865,175,1,NULL,'20060a0a','992341ff','custom',1794802711488,0,0,NULL);
INSERT INTO entries VALUES(30,5,14,3040,188,1,NULL,'92c86f44','20060a0a','custom_message',1794802711489,0,0,NULL);
INSERT INTO entries VALUES(31,5,15,3228,200,1,NULL,'205524c1','92c86f44','message',1794802711489,0,0,NULL);
INSERT INTO entries VALUES(32,5,16,3428,463,1,NULL,'62301552','205524c1','message',1794802711489,0,0,NULL);
INSERT INTO entries VALUES(33,5,17,3891,476,1,NULL,'bef19fc4','34ffccf0','message',1794802711499,1,0,NULL);
INSERT INTO entries VALUES(34,5,18,4367,171,1,NULL,'f7b098a9','bef19fc4','branch_summary',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(35,5,19,4538,175,1,NULL,'e418d2e4','f7b098a9','custom',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(36,5,20,4713,188,1,NULL,'1c6d8a42','e418d2e4','custom_message',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(37,5,21,4901,200,1,NULL,'ac52d680','1c6d8a42','message',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(38,5,22,5101,463,1,NULL,'262bace3','ac52d680','message',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(39,6,1,0,133,1,NULL,'0a000004-0000-4000-8000-000000000004',NULL,'session',1794802711531,0,0,NULL);
INSERT INTO entries VALUES(40,6,2,133,190,1,NULL,'f8c2f3e5',NULL,'message',1794802711531,1,0,NULL);
INSERT INTO entries VALUES(41,6,3,323,459,1,NULL,'aedb6f10','f8c2f3e5','message',1794802711532,1,0,NULL);
INSERT INTO entries VALUES(42,6,4,782,196,1,NULL,'90b8e5b0','aedb6f10','message',1794802711532,1,0,NULL);
INSERT INTO entries VALUES(43,6,5,978,459,1,NULL,'26777043','90b8e5b0','message',1794802711533,1,0,NULL);
INSERT INTO entries VALUES(44,6,6,1437,196,1,NULL,'e006a265','26777043','message',1794802711534,1,0,NULL);
INSERT INTO entries VALUES(45,6,7,1633,459,1,NULL,'82f5e8ca','e006a265','message',1794802711534,1,0,NULL);
INSERT INTO entries VALUES(46,6,8,2092,196,1,NULL,'bc759925','82f5e8ca','message',1794802711535,1,0,NULL);
INSERT INTO entries VALUES(47,6,9,2288,459,1,NULL,'212cc47c','bc759925','message',1794802711535,1,0,NULL);
INSERT INTO entries VALUES(48,6,10,2747,196,1,NULL,'8b44b717','212cc47c','message',1794802711535,1,0,NULL);
INSERT INTO entries VALUES(49,6,11,2943,459,1,NULL,'5eefecd8','8b44b717','message',1794802711536,1,0,NULL);
INSERT INTO entries VALUES(50,6,12,3402,196,1,NULL,'681656a5','5eefecd8','message',1794802711537,1,0,NULL);
INSERT INTO entries VALUES(51,6,13,3598,459,1,NULL,'33e5f571','681656a5','message',1794802711537,1,0,NULL);
INSERT INTO entries VALUES(52,6,14,4057,193,1,NULL,'45239027','33e5f571','compaction',1794802711538,1,0,NULL);
INSERT INTO entries VALUES(53,6,15,4250,202,1,NULL,'c03c7acc','45239027','message',1794802711541,1,0,NULL);
INSERT INTO entries VALUES(54,6,16,4452,461,1,NULL,'6a2e18b7','c03c7acc','message',1794802711542,1,0,NULL);
INSERT INTO entries VALUES(55,7,1,0,133,1,NULL,'0a000005-0000-4000-8000-000000000005',NULL,'session',1794802711561,0,0,NULL);
INSERT INTO entries VALUES(56,7,2,133,211,1,NULL,'7c176eb0',NULL,'message',1794802711562,1,0,NULL);
INSERT INTO entries VALUES(57,7,3,344,463,1,NULL,'2a57e10d','7c176eb0','message',1794802711564,1,0,NULL);
INSERT INTO entries VALUES(58,8,1,0,133,1,NULL,'0a000006-0000-4000-8000-000000000006',NULL,'session',1794802711568,0,0,NULL);
INSERT INTO entries VALUES(59,8,2,133,207,1,NULL,'cebabfe5',NULL,'message',1794802711568,1,0,NULL);
INSERT INTO entries VALUES(60,8,3,340,461,1,NULL,'020564ac','cebabfe5','message',1794802711568,1,0,NULL);
INSERT INTO entries VALUES(61,9,1,0,133,1,NULL,'0a000007-0000-4000-8000-000000000007',NULL,'session',1794802711572,0,0,NULL);
INSERT INTO entries VALUES(62,9,2,133,207,1,NULL,'7feea85d',NULL,'message',1794802711572,1,0,NULL);
INSERT INTO entries VALUES(63,9,3,340,461,1,NULL,'cf7bca4e','7feea85d','message',1794802711572,1,0,NULL);
INSERT INTO entries VALUES(64,10,1,0,133,1,NULL,'0a000008-0000-4000-8000-000000000008',NULL,'session',1794802711577,0,0,NULL);
INSERT INTO entries VALUES(65,10,2,133,194,1,NULL,'5953a28e',NULL,'message',1794802711577,1,0,NULL);
INSERT INTO entries VALUES(66,10,3,327,467,1,NULL,'86dbf819','5953a28e','message',1794802711577,1,0,NULL);
INSERT INTO entries VALUES(67,10,4,794,201,1,NULL,'2f75e8e6','86dbf819','message',1794802711584,1,0,NULL);
INSERT INTO entries VALUES(68,10,5,995,460,1,NULL,'e82bb0b7','2f75e8e6','message',1794802711585,1,0,NULL);
INSERT INTO entries VALUES(69,11,1,0,136,1,NULL,'0a000101-0000-4000-8000-000000000101',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(70,11,2,136,205,1,3,'00101001',NULL,'message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(71,11,3,341,211,1,2,'00101002','00101001','message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(72,11,4,552,211,1,2,'00101003','00101002','message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(73,11,5,763,211,1,2,'00101004','00101003','message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(74,13,1,0,136,1,NULL,'0a000102-0000-4000-8000-000000000102',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(75,13,2,136,205,1,NULL,'00102001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(76,13,3,341,211,1,NULL,'00102002','00102001','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(77,13,4,552,211,1,2,'00102003','00102002','message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(78,13,5,763,211,1,2,'00102004','00102003','message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(79,14,1,0,136,1,NULL,'0a000103-0000-4000-8000-000000000103',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(80,14,2,136,205,1,NULL,'00103001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(81,14,3,341,211,1,NULL,'00103002','00103001','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(82,14,4,552,211,1,NULL,'00103003','00103002','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(83,14,5,763,211,1,NULL,'00103004','00103003','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(84,15,1,0,136,1,NULL,'0a000105-0000-4000-8000-000000000105',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(85,15,2,136,205,1,NULL,'00105001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(86,15,3,341,211,1,NULL,'00105002','00105001','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(87,15,4,552,211,1,NULL,'00105003','00105002','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(88,15,5,763,211,1,NULL,'00105004','00105003','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(89,16,1,0,136,1,NULL,'0a000106-0000-4000-8000-000000000106',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(90,16,2,136,205,1,NULL,'00106001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(91,16,3,341,211,1,NULL,'00106002','00106001','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(92,16,4,552,211,1,NULL,'00106003','00106002','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(93,16,5,763,211,1,NULL,'00106004','00106003','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(94,18,1,0,136,1,NULL,'0a000108-0000-4000-8000-000000000108',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(95,18,2,136,205,1,NULL,'00108001',NULL,'message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(96,18,3,341,211,1,NULL,'00108002','00108001','message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(97,19,1,0,136,1,NULL,'0a000109-0000-4000-8000-000000000109',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(98,19,2,136,205,1,NULL,'00109001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(99,19,3,341,211,1,NULL,'00109002','00109001','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(100,20,1,0,136,1,NULL,'0a00010a-0000-4000-8000-00000000010a',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(101,20,2,136,190,1,NULL,'00000001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(102,20,3,326,357,1,NULL,'00000002','00000001','message',1735689600000,1,0,NULL);
INSERT INTO entries VALUES(103,20,4,683,507,1,NULL,'00000003','00000002','message',1735689600000,1,0,NULL);
INSERT INTO entries VALUES(104,20,5,1190,357,1,NULL,'00000004','00000003','message',1735689600000,1,0,NULL);
INSERT INTO entries VALUES(105,20,6,1547,799,1,NULL,'00000005','00000004','message',1735689600000,1,0,NULL);
INSERT INTO entries VALUES(106,20,7,2346,200,1,NULL,'00000006','00000005','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(109,22,1,0,136,1,NULL,'0a00010c-0000-4000-8000-00000000010c',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(110,22,2,136,205,1,NULL,'0010c001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(111,22,3,341,211,1,NULL,'0010c002','0010c001','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(112,22,4,552,211,1,NULL,'0010c003','0010c002','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(113,22,5,763,211,1,NULL,'0010c004','0010c003','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(114,23,1,0,136,1,NULL,'0a00010d-0000-4000-8000-00000000010d',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(115,23,2,136,205,1,NULL,'0010d001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(116,23,3,341,211,1,NULL,'0010d002','0010d001','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(117,23,4,552,211,1,NULL,'0010d003','0010d002','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(118,23,5,763,211,1,NULL,'0010d004','0010d003','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(119,24,1,0,136,1,NULL,'0a00010e-0000-4000-8000-00000000010e',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(120,24,2,136,205,1,NULL,'0010e001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(121,24,3,341,40253,1,NULL,'0010e002','0010e001','message',1735689600000,1,0,NULL);
INSERT INTO entries VALUES(122,24,4,40594,40253,1,NULL,'0010e003','0010e002','message',1735689600000,1,0,NULL);
INSERT INTO entries VALUES(123,24,5,80847,40253,1,NULL,'0010e004','0010e003','message',1735689600000,1,0,NULL);
INSERT INTO entries VALUES(124,24,6,121100,40253,1,NULL,'0010e005','0010e004','message',1735689600000,1,0,NULL);
INSERT INTO entries VALUES(125,24,7,161353,40253,1,NULL,'0010e006','0010e005','message',1735689600000,1,0,NULL);
INSERT INTO entries VALUES(126,24,8,201606,40253,1,NULL,'0010e007','0010e006','message',1735689600000,1,0,NULL);
INSERT INTO entries VALUES(127,24,9,241859,40253,1,NULL,'0010e008','0010e007','message',1735689600000,1,0,NULL);
INSERT INTO entries VALUES(128,25,1,0,136,1,NULL,'0a00010f-0000-4000-8000-00000000010f',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(129,25,2,136,185,1,NULL,'0010f001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(130,25,3,321,199,1,NULL,'0010f002','0010f001','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(131,26,1,0,236,1,NULL,'ec77ae1a-d8e0-43f9-b59d-e747de020e1c',NULL,'session',1794802711525,0,0,NULL);
INSERT INTO entries VALUES(132,26,2,236,142,1,NULL,'adf9e565',NULL,'model_change',1794802711482,1,0,NULL);
INSERT INTO entries VALUES(133,26,3,378,132,1,NULL,'c3a0f9a4','adf9e565','thinking_level_change',1794802711482,1,0,NULL);
INSERT INTO entries VALUES(134,26,4,510,200,1,NULL,'c2a24174','c3a0f9a4','message',1794802711483,1,0,NULL);
INSERT INTO entries VALUES(135,26,5,710,463,1,NULL,'8ee86bf4','c2a24174','message',1794802711483,1,0,NULL);
INSERT INTO entries VALUES(136,26,6,1173,137,1,NULL,'d0ec25a2','8ee86bf4','label',1794802711484,1,0,NULL);
INSERT INTO entries VALUES(137,26,7,1310,126,1,NULL,'27a8e459','d0ec25a2','session_info',1794802711485,1,0,NULL);
INSERT INTO entries VALUES(138,26,8,1436,201,1,NULL,'34ffccf0','27a8e459','message',1794802711485,1,0,NULL);
INSERT INTO entries VALUES(139,26,9,1637,476,1,NULL,'bef19fc4','34ffccf0','message',1794802711499,1,0,NULL);
INSERT INTO entries VALUES(140,26,10,2113,171,1,NULL,'f7b098a9','bef19fc4','branch_summary',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(141,26,11,2284,175,1,NULL,'e418d2e4','f7b098a9','custom',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(142,26,12,2459,188,1,NULL,'1c6d8a42','e418d2e4','custom_message',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(143,26,13,2647,200,1,NULL,'ac52d680','1c6d8a42','message',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(144,26,14,2847,463,1,NULL,'262bace3','ac52d680','message',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(145,26,15,3310,197,1,NULL,'635e3f3c','262bace3','message',1794802711528,1,0,NULL);
INSERT INTO entries VALUES(146,26,16,3507,460,1,NULL,'60776fb0','635e3f3c','message',1794802711529,1,0,NULL);
INSERT INTO entries VALUES(147,27,1,0,236,1,NULL,'790cc214-619c-482d-abdc-6b97862764b8',NULL,'session',1794802711545,0,0,NULL);
INSERT INTO entries VALUES(148,27,2,236,453,1,NULL,'5eefecd8',NULL,'message',1794802711536,1,0,NULL);
INSERT INTO entries VALUES(149,27,3,689,196,1,NULL,'681656a5','5eefecd8','message',1794802711537,1,0,NULL);
INSERT INTO entries VALUES(150,27,4,885,459,1,NULL,'33e5f571','681656a5','message',1794802711537,1,0,NULL);
INSERT INTO entries VALUES(151,27,5,1344,193,1,NULL,'45239027','33e5f571','compaction',1794802711538,1,0,NULL);
INSERT INTO entries VALUES(152,27,6,1537,202,1,NULL,'c03c7acc','45239027','message',1794802711541,1,0,NULL);
INSERT INTO entries VALUES(153,27,7,1739,461,1,NULL,'6a2e18b7','c03c7acc','message',1794802711542,1,0,NULL);
INSERT INTO entries VALUES(154,27,8,2200,202,1,NULL,'e428bf2a','6a2e18b7','message',1794802711556,1,0,NULL);
INSERT INTO entries VALUES(155,27,9,2402,454,1,NULL,'6fa99f20','e428bf2a','message',1794802711557,1,0,NULL);
INSERT INTO entries VALUES(156,28,1,0,143,1,NULL,'352ab5ed-a842-462e-8907-0483ddd7572e',NULL,'session',1794802711353,0,0,NULL);
INSERT INTO entries VALUES(157,28,2,143,132,1,NULL,'ff60977a',NULL,'model_change',1794802716764,1,0,NULL);
INSERT INTO entries VALUES(158,28,3,275,135,1,NULL,'da720643','ff60977a','thinking_level_change',1794802716764,1,0,NULL);
INSERT INTO entries VALUES(159,28,4,410,229,1,NULL,'2d3c396b','da720643','custom',1794802716880,1,0,NULL);
INSERT INTO entries VALUES(160,28,5,639,188,1,NULL,'f91d7198','2d3c396b','message',1794802716973,1,0,NULL);
INSERT INTO entries VALUES(161,28,6,827,542,1,NULL,'b288c516','f91d7198','message',1794802717100,1,0,NULL);
INSERT INTO entries VALUES(162,29,1,0,133,1,NULL,'0a00000b-0000-4000-8000-00000000000b',NULL,'session',1794802711698,0,0,NULL);
INSERT INTO entries VALUES(163,29,2,133,194,1,NULL,'63a3b4b3',NULL,'message',1794802711698,1,0,NULL);
INSERT INTO entries VALUES(164,29,3,327,463,1,NULL,'92bf9f00','63a3b4b3','message',1794802711699,1,0,NULL);
INSERT INTO entries VALUES(165,11,3,341,221,2,3,'00101002','00101001','message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(166,11,4,562,211,2,3,'00101003','00101002','message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(167,11,5,773,211,2,3,'00101004','00101003','message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(168,30,1,0,136,1,NULL,'0a000104-0000-4000-8000-000000000104',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(169,30,2,136,205,1,NULL,'00104001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(170,16,6,974,211,1,NULL,'00106005','00106004','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(171,31,1,0,239,1,NULL,'0a000107-0000-4000-8000-000000000107',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(172,31,2,239,205,1,NULL,'00101001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(173,31,3,444,211,1,NULL,'00101002','00101001','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(174,31,4,655,197,1,NULL,'00101003','00101002','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(175,18,8,635,210,1,NULL,'00108003','00108002','message',1794802931000,0,1,NULL);
INSERT INTO entries VALUES(176,18,8,845,210,1,NULL,'00108004','00108003','message',1794802931000,0,1,NULL);
INSERT INTO entries VALUES(177,18,9,1096,210,1,NULL,'00108006','00108005','message',1794802931000,0,1,NULL);
INSERT INTO entries VALUES(178,18,10,1307,189,1,NULL,'00108007','00108006','message',1794802931000,1,0,'invalid_utf8');
INSERT INTO entries VALUES(179,18,11,1496,31,1,NULL,'x',NULL,'unheard_of',NULL,0,0,'unlinked');
INSERT INTO entries VALUES(180,18,12,1527,211,1,NULL,'00108008','00108007','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(181,19,4,552,211,1,NULL,'00109003','00109002','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(182,24,10,282112,40253,1,NULL,'0010e009','0010e008','message',1735689600000,1,0,NULL);
INSERT INTO entries VALUES(183,24,11,322365,60253,1,NULL,'0010e00a','0010e009','message',1735689600000,1,0,NULL);
INSERT INTO entries VALUES(184,25,4,520,195,1,NULL,'0010f003','0010f002','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(185,25,5,715,199,1,NULL,'0010f004','0010f003','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(186,32,1,0,136,1,NULL,'0a00010f-0000-4000-8000-00000000010f',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(187,32,2,136,185,1,NULL,'0010f001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(188,32,3,321,199,1,NULL,'0010f002','0010f001','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(189,32,4,520,195,1,NULL,'0010f003','0010f002','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(190,32,5,715,199,1,NULL,'0010f004','0010f003','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(191,33,1,0,136,1,NULL,'0a00010f-0000-4000-8000-00000000010f',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(192,33,2,136,185,1,NULL,'0010f001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(193,33,3,321,199,1,NULL,'0010f002','0010f001','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(194,33,4,520,195,1,NULL,'0010f003','0010f002','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(195,33,5,715,198,1,NULL,'0010f004','0010f003','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(196,34,1,0,136,1,NULL,'0a000302-0000-4000-8000-000000000302',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(197,34,2,136,205,1,NULL,'00302001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(198,34,3,341,211,1,NULL,'00302002','00302001','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(199,11,2,136,201,3,NULL,'00101001',NULL,'message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(200,11,3,337,211,3,NULL,'00101002','00101001','message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(201,13,4,552,195,2,NULL,'00102003','00102002','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(202,13,5,747,197,2,NULL,'00102004','00102003','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(203,19,5,763,211,1,NULL,'00109004','00109003','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(204,2,5,763,211,1,2,'00201004','00201003','message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(205,2,6,974,211,1,2,'00201005','00201004','message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(206,35,1,0,136,1,NULL,'0a000202-0000-4000-8000-000000000202',NULL,'session',1794802930000,0,0,NULL);
INSERT INTO entries VALUES(207,35,2,136,205,1,NULL,'00202001',NULL,'message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(208,35,3,341,211,1,2,'00202002','00202001','message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(209,35,4,552,211,1,2,'00202003','00202002','message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(210,35,5,763,211,1,2,'00202004','00202003','message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(211,35,6,974,211,1,2,'00202005','00202004','message',1794802931000,0,0,NULL);
INSERT INTO entries VALUES(212,2,5,763,195,2,NULL,'00201004','00201003','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(213,35,3,341,200,2,NULL,'00202002','00202001','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(214,35,4,541,211,2,NULL,'00202003','00202002','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(215,35,5,752,211,2,NULL,'00202004','00202003','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(216,35,6,963,211,2,NULL,'00202005','00202004','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(217,35,7,1174,211,2,NULL,'00202006','00202005','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(218,11,4,548,204,3,NULL,'00101004','00101003','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(219,31,5,852,197,1,NULL,'00101004','00101003','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(220,20,8,2546,507,1,NULL,'00000007','00000006','message',1735689600000,1,0,NULL);
INSERT INTO entries VALUES(221,20,9,3053,197,1,NULL,'00000008','00000007','message',1794802931000,1,0,NULL);
INSERT INTO entries VALUES(222,22,6,974,211,1,NULL,'0010c005','0010c004','message',1794802931000,1,0,NULL);
INSERT INTO turns VALUES(1,1,NULL,2,3,1794802711588,1794802711588,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(2,2,NULL,5,NULL,1794805032249,1794805032249,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(3,2,2,6,NULL,1794805032250,1794805032250,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(4,2,3,7,NULL,1794805032251,1794805032251,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(5,3,NULL,9,NULL,1794805040441,1794805040441,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(6,3,5,10,NULL,1794805040442,1794805040442,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(7,3,6,11,NULL,1794805040443,1794805040443,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(8,4,NULL,13,14,1794802711386,1794802711390,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(9,4,8,15,16,1794802711406,1794802711410,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(10,5,NULL,20,21,1794802711483,1794802711483,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(11,5,10,24,33,1794802711485,1794802711485,'done',0,240,60,0.00036,'claude-stub');
INSERT INTO turns VALUES(12,5,10,26,27,1794802711486,1794802711486,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(13,5,11,31,32,1794802711489,1794802711489,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(14,5,11,37,38,1794802711489,1794802711489,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(15,6,NULL,40,41,1794802711531,1794802711532,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(16,6,15,42,43,1794802711532,1794802711533,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(17,6,16,44,45,1794802711534,1794802711534,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(18,6,17,46,47,1794802711535,1794802711535,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(19,6,18,48,49,1794802711535,1794802711536,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(20,6,19,50,51,1794802711537,1794802711537,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(21,6,20,53,54,1794802711541,1794802711542,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(22,7,NULL,56,57,1794802711562,1794802711564,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(23,8,NULL,59,60,1794802711568,1794802711568,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(24,9,NULL,62,63,1794802711572,1794802711572,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(25,10,NULL,65,66,1794802711577,1794802711577,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(26,10,25,67,68,1794802711584,1794802711585,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(31,13,NULL,75,NULL,1794803987769,1794803987769,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(32,13,31,76,NULL,1794803987770,1794803987770,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(35,14,NULL,80,NULL,1794803991865,1794803991865,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(36,14,35,81,NULL,1794803991866,1794803991866,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(37,14,36,82,NULL,1794803991867,1794803991867,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(38,14,37,83,NULL,1794803991868,1794803991868,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(39,15,NULL,85,NULL,1794804000057,1794804000057,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(40,15,39,86,NULL,1794804000058,1794804000058,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(41,15,40,87,NULL,1794804000059,1794804000059,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(42,15,41,88,NULL,1794804000060,1794804000060,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(43,16,NULL,90,NULL,1794804004153,1794804004153,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(44,16,43,91,NULL,1794804004154,1794804004154,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(45,16,44,92,NULL,1794804004155,1794804004155,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(46,16,45,93,NULL,1794804004156,1794804004156,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(47,18,NULL,95,NULL,1794804012345,1794804012345,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(48,18,47,96,NULL,1794804012346,1794804012346,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(49,19,NULL,98,NULL,1794804016441,1794804016441,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(50,19,49,99,NULL,1794804016442,1794804016442,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(51,20,NULL,101,106,1794802931001,1735689600000,'aborted',2,10,14,1.0,NULL);
INSERT INTO turns VALUES(53,22,NULL,110,NULL,1794804028729,1794804028729,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(54,22,53,111,NULL,1794804028730,1794804028730,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(55,22,54,112,NULL,1794804028731,1794804028731,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(56,22,55,113,NULL,1794804028732,1794804028732,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(57,23,NULL,115,NULL,1794804032825,1794804032825,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(58,23,57,116,NULL,1794804032826,1794804032826,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(59,23,58,117,NULL,1794804032827,1794804032827,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(60,23,59,118,NULL,1794804032828,1794804032828,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(61,24,NULL,120,NULL,1794804036921,1794802930000,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(62,25,NULL,129,130,1794804041017,1794804041018,'done',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(63,26,NULL,134,135,1794802711483,1794802711483,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(64,26,63,138,139,1794802711485,1794802711485,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(65,26,64,143,144,1794802711489,1794802711489,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(66,26,65,145,146,1794802711528,1794802711529,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(67,27,NULL,NULL,148,1794802711536,1794802711536,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(68,27,67,149,150,1794802711537,1794802711537,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(69,27,68,152,153,1794802711541,1794802711542,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(70,27,69,154,155,1794802711556,1794802711557,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(71,28,NULL,160,161,1794802716299,1794802716985,'done',0,4122,16,0.004154,'stub-1');
INSERT INTO turns VALUES(72,29,NULL,163,164,1794802711698,1794802711699,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(76,30,NULL,169,NULL,1794803995961,1794803995961,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(77,16,46,170,NULL,1794804004157,1794804004157,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(78,31,NULL,172,NULL,1794803983673,1794803983673,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(79,31,78,173,NULL,1794803983674,1794803983674,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(80,31,79,174,NULL,1794803983675,1794803983675,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(81,19,50,181,NULL,1794804016443,1794804016443,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(82,25,62,184,185,1794804041019,1794804041020,'done',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(83,18,NULL,178,NULL,1794804012351,1794804012351,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(84,18,83,180,NULL,1794804012352,1794804012352,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(85,32,NULL,187,188,1794804041017,1794804041018,'done',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(86,32,85,189,190,1794804041019,1794804041020,'done',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(87,33,NULL,192,193,1794804041017,1794804041018,'done',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(88,33,87,194,195,1794804041019,1794804041020,'done',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(89,34,NULL,197,NULL,1794806084921,1794806084921,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(90,34,89,198,NULL,1794806084922,1794806084922,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(91,11,NULL,199,NULL,1794803983673,1794803983673,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(92,11,91,200,NULL,1794803983674,1794803983674,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(93,13,32,201,NULL,1794803987771,1794803987771,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(94,13,93,202,NULL,1794803987772,1794803987772,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(95,19,81,203,NULL,1794804016444,1794804016444,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(98,35,NULL,207,NULL,1794805036345,1794805036345,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(103,2,4,212,NULL,1794805032252,1794805032252,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(104,31,80,219,NULL,1794803983676,1794803983676,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(105,35,98,213,NULL,1794805036346,1794805036346,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(106,35,105,214,NULL,1794805036347,1794805036347,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(107,35,106,215,NULL,1794805036348,1794805036348,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(108,35,107,216,NULL,1794805036349,1794805036349,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(109,35,108,217,NULL,1794805036350,1794805036350,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(110,11,NULL,218,NULL,1794803983676,1794803983676,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(111,20,51,221,NULL,1794802931008,1794802931008,'aborted',0,0,0,0.0,NULL);
INSERT INTO turns VALUES(112,22,56,222,NULL,1794804028733,1794804028733,'aborted',0,0,0,0.0,NULL);
INSERT INTO messages VALUES(2,1,'user',1794802711588,'Delete me',9,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,1,NULL,NULL,NULL);
INSERT INTO messages VALUES(3,1,'assistant',1794802711588,'Gone soon',9,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,1,NULL,NULL,NULL);
INSERT INTO messages VALUES(5,2,'user',1794805032249,'what was said as number 1',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,2,NULL,NULL,NULL);
INSERT INTO messages VALUES(6,2,'user',1794805032250,'what was said as number 2',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,3,NULL,NULL,NULL);
INSERT INTO messages VALUES(7,2,'user',1794805032251,'what was said as number 3',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,4,NULL,NULL,NULL);
INSERT INTO messages VALUES(9,3,'user',1794805040441,'what was said as number 1',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,5,NULL,NULL,NULL);
INSERT INTO messages VALUES(10,3,'user',1794805040442,'what was said as number 2',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,6,NULL,NULL,NULL);
INSERT INTO messages VALUES(11,3,'user',1794805040443,'what was said as number 3',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,7,NULL,NULL,NULL);
INSERT INTO messages VALUES(13,4,'user',1794802711386,'Grüße aus Köln — 你好, 🌻 and   a line separator',59,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,8,NULL,NULL,NULL);
INSERT INTO messages VALUES(14,4,'assistant',1794802711390,'Привет! العربية ‮rtl‬ 👩‍👩‍👧‍👦',64,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,8,NULL,NULL,NULL);
INSERT INTO messages VALUES(15,4,'user',1794802711406,'broken surrogate: � end, and � alone',40,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,9,NULL,NULL,NULL);
INSERT INTO messages VALUES(16,4,'assistant',1794802711410,'nul-ish '||X'00'||' [31m and tab	quote" backslash\',41,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,9,NULL,NULL,NULL);
INSERT INTO messages VALUES(20,5,'user',1794802711483,'First question',14,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,10,NULL,NULL,NULL);
INSERT INTO messages VALUES(21,5,'assistant',1794802711483,'First answer',12,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,10,NULL,NULL,NULL);
INSERT INTO messages VALUES(24,5,'user',1794802711485,'Second question',15,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,11,NULL,NULL,NULL);
INSERT INTO messages VALUES(25,5,'assistant',1794802711485,'Second answer',13,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,11,NULL,NULL,NULL);
INSERT INTO messages VALUES(26,5,'user',1794802711486,'Second question, asked differently',34,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,12,NULL,NULL,NULL);
INSERT INTO messages VALUES(27,5,'assistant',1794802711486,'A different second answer',25,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,12,NULL,NULL,NULL);
INSERT INTO messages VALUES(31,5,'user',1794802711489,'Third question',14,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,13,NULL,NULL,NULL);
INSERT INTO messages VALUES(32,5,'assistant',1794802711489,'Third answer',12,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,13,NULL,NULL,NULL);
INSERT INTO messages VALUES(33,5,'assistant',1794802711485,'Second answer [rewritten]',25,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,11,NULL,NULL,NULL);
INSERT INTO messages VALUES(37,5,'user',1794802711489,'Third question',14,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,14,NULL,NULL,NULL);
INSERT INTO messages VALUES(38,5,'assistant',1794802711489,'Third answer',12,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,14,NULL,NULL,NULL);
INSERT INTO messages VALUES(40,6,'user',1794802711531,'Question 0',10,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,15,NULL,NULL,NULL);
INSERT INTO messages VALUES(41,6,'assistant',1794802711532,'Answer 0',8,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,15,NULL,NULL,NULL);
INSERT INTO messages VALUES(42,6,'user',1794802711532,'Question 1',10,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,16,NULL,NULL,NULL);
INSERT INTO messages VALUES(43,6,'assistant',1794802711533,'Answer 1',8,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,16,NULL,NULL,NULL);
INSERT INTO messages VALUES(44,6,'user',1794802711534,'Question 2',10,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,17,NULL,NULL,NULL);
INSERT INTO messages VALUES(45,6,'assistant',1794802711534,'Answer 2',8,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,17,NULL,NULL,NULL);
INSERT INTO messages VALUES(46,6,'user',1794802711535,'Question 3',10,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,18,NULL,NULL,NULL);
INSERT INTO messages VALUES(47,6,'assistant',1794802711535,'Answer 3',8,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,18,NULL,NULL,NULL);
INSERT INTO messages VALUES(48,6,'user',1794802711535,'Question 4',10,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,19,NULL,NULL,NULL);
INSERT INTO messages VALUES(49,6,'assistant',1794802711536,'Answer 4',8,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,19,NULL,NULL,NULL);
INSERT INTO messages VALUES(50,6,'user',1794802711537,'Question 5',10,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,20,NULL,NULL,NULL);
INSERT INTO messages VALUES(51,6,'assistant',1794802711537,'Answer 5',8,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,20,NULL,NULL,NULL);
INSERT INTO messages VALUES(53,6,'user',1794802711541,'After compaction',16,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,21,NULL,NULL,NULL);
INSERT INTO messages VALUES(54,6,'assistant',1794802711542,'Still here',10,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,21,NULL,NULL,NULL);
INSERT INTO messages VALUES(56,7,'user',1794802711562,'[Subagent Task] count the files',31,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,22,NULL,NULL,NULL);
INSERT INTO messages VALUES(57,7,'assistant',1794802711564,'Three files.',12,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,22,NULL,NULL,NULL);
INSERT INTO messages VALUES(59,8,'user',1794802711568,'[cron:job-1 nightly] report',27,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,23,NULL,NULL,NULL);
INSERT INTO messages VALUES(60,8,'assistant',1794802711568,'All quiet.',10,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,23,NULL,NULL,NULL);
INSERT INTO messages VALUES(62,9,'user',1794802711572,'[cron:job-1 nightly] report',27,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,24,NULL,NULL,NULL);
INSERT INTO messages VALUES(63,9,'assistant',1794802711572,'All quiet.',10,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,24,NULL,NULL,NULL);
INSERT INTO messages VALUES(65,10,'user',1794802711577,'About to crash',14,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,25,NULL,NULL,NULL);
INSERT INTO messages VALUES(66,10,'assistant',1794802711577,'Before the crash',16,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,25,NULL,NULL,NULL);
INSERT INTO messages VALUES(67,10,'user',1794802711584,'After the crash',15,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,26,NULL,NULL,NULL);
INSERT INTO messages VALUES(68,10,'assistant',1794802711585,'Recovered',9,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,26,NULL,NULL,NULL);
INSERT INTO messages VALUES(70,11,'user',1794803983673,'what was said as number 1',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(71,11,'user',1794803983674,'what was said as number 2',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(72,11,'user',1794803983675,'what was said as number 3',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(73,11,'user',1794803983676,'what was said as number 4',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(75,13,'user',1794803987769,'what was said as number 1',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,31,NULL,NULL,NULL);
INSERT INTO messages VALUES(76,13,'user',1794803987770,'what was said as number 2',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,32,NULL,NULL,NULL);
INSERT INTO messages VALUES(77,13,'user',1794803987771,NULL,25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(78,13,'user',1794803987772,NULL,25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(80,14,'user',1794803991865,'what was said as number 1',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,35,NULL,NULL,NULL);
INSERT INTO messages VALUES(81,14,'user',1794803991866,'what was said as number 2',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,36,NULL,NULL,NULL);
INSERT INTO messages VALUES(82,14,'user',1794803991867,'what was said as number 3',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,37,NULL,NULL,NULL);
INSERT INTO messages VALUES(83,14,'user',1794803991868,'what was said as number 4',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,38,NULL,NULL,NULL);
INSERT INTO messages VALUES(85,15,'user',1794804000057,'what was said as number 1',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,39,NULL,NULL,NULL);
INSERT INTO messages VALUES(86,15,'user',1794804000058,'what was said as number 2',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,40,NULL,NULL,NULL);
INSERT INTO messages VALUES(87,15,'user',1794804000059,'what was said as number 3',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,41,NULL,NULL,NULL);
INSERT INTO messages VALUES(88,15,'user',1794804000060,'what was said as number 4',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,42,NULL,NULL,NULL);
INSERT INTO messages VALUES(90,16,'user',1794804004153,'what was said as number 1',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,43,NULL,NULL,NULL);
INSERT INTO messages VALUES(91,16,'user',1794804004154,'what was said as number 2',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,44,NULL,NULL,NULL);
INSERT INTO messages VALUES(92,16,'user',1794804004155,'what was said as number 3',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,45,NULL,NULL,NULL);
INSERT INTO messages VALUES(93,16,'user',1794804004156,'what was said as number 4',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,46,NULL,NULL,NULL);
INSERT INTO messages VALUES(95,18,'user',1794804012345,'what was said as number 1',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,47,NULL,NULL,NULL);
INSERT INTO messages VALUES(96,18,'user',1794804012346,'what was said as number 2',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,48,NULL,NULL,NULL);
INSERT INTO messages VALUES(98,19,'user',1794804016441,'what was said as number 1',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,49,NULL,NULL,NULL);
INSERT INTO messages VALUES(99,19,'user',1794804016442,'what was said as number 2',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,50,NULL,NULL,NULL);
INSERT INTO messages VALUES(101,20,'user',1794802931001,'a question',10,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,51,NULL,NULL,NULL);
INSERT INTO messages VALUES(102,20,'assistant',1735689600000,NULL,0,NULL,'p','m',NULL,'toolUse',NULL,5,7,NULL,NULL,12,0.5,NULL,0,NULL,NULL,NULL,51,NULL,NULL,NULL);
INSERT INTO messages VALUES(103,20,'toolResult',1735689600000,NULL,260,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'call3','read',0,51,NULL,0,NULL);
INSERT INTO messages VALUES(104,20,'assistant',1735689600000,NULL,0,NULL,'p','m',NULL,'toolUse',NULL,5,7,NULL,NULL,12,0.5,NULL,0,NULL,NULL,NULL,51,NULL,NULL,NULL);
INSERT INTO messages VALUES(105,20,'toolResult',1735689600000,NULL,268,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'call5','read',0,51,NULL,1,NULL);
INSERT INTO messages VALUES(106,20,'assistant',1794802931006,'an answer',9,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,51,NULL,NULL,NULL);
INSERT INTO messages VALUES(110,22,'user',1794804028729,'what was said as number 1',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,53,NULL,NULL,NULL);
INSERT INTO messages VALUES(111,22,'user',1794804028730,'what was said as number 2',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,54,NULL,NULL,NULL);
INSERT INTO messages VALUES(112,22,'user',1794804028731,'what was said as number 3',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,55,NULL,NULL,NULL);
INSERT INTO messages VALUES(113,22,'user',1794804028732,'what was said as number 4',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,56,NULL,NULL,NULL);
INSERT INTO messages VALUES(115,23,'user',1794804032825,'what was said as number 1',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,57,NULL,NULL,NULL);
INSERT INTO messages VALUES(116,23,'user',1794804032826,'what was said as number 2',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,58,NULL,NULL,NULL);
INSERT INTO messages VALUES(117,23,'user',1794804032827,'what was said as number 3',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,59,NULL,NULL,NULL);
INSERT INTO messages VALUES(118,23,'user',1794804032828,'what was said as number 4',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,60,NULL,NULL,NULL);
INSERT INTO messages VALUES(120,24,'user',1794804036921,'what was said as number 1',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,61,NULL,NULL,NULL);
INSERT INTO messages VALUES(121,24,'toolResult',1794802930000,NULL,40000,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'call1105922','read',0,61,NULL,0,'orphan');
INSERT INTO messages VALUES(122,24,'toolResult',1794802930000,NULL,40000,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'call1105923','read',0,61,NULL,0,'orphan');
INSERT INTO messages VALUES(123,24,'toolResult',1794802930000,NULL,40000,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'call1105924','read',0,61,NULL,0,'orphan');
INSERT INTO messages VALUES(124,24,'toolResult',1794802930000,NULL,40000,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'call1105925','read',0,61,NULL,0,'orphan');
INSERT INTO messages VALUES(125,24,'toolResult',1794802930000,NULL,40000,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'call1105926','read',0,61,NULL,0,'orphan');
INSERT INTO messages VALUES(126,24,'toolResult',1794802930000,NULL,40000,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'call1105927','read',0,61,NULL,0,'orphan');
INSERT INTO messages VALUES(127,24,'toolResult',1794802930000,NULL,40000,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'call1105928','read',0,61,NULL,0,'orphan');
INSERT INTO messages VALUES(129,25,'user',1794804041017,'hello',5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,62,NULL,NULL,NULL);
INSERT INTO messages VALUES(130,25,'assistant',1794804041018,'good day',8,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,62,NULL,NULL,NULL);
INSERT INTO messages VALUES(134,26,'user',1794802711483,'First question',14,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,63,NULL,NULL,NULL);
INSERT INTO messages VALUES(135,26,'assistant',1794802711483,'First answer',12,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,63,NULL,NULL,NULL);
INSERT INTO messages VALUES(138,26,'user',1794802711485,'Second question',15,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,64,NULL,NULL,NULL);
INSERT INTO messages VALUES(139,26,'assistant',1794802711485,'Second answer [rewritten]',25,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,64,NULL,NULL,NULL);
INSERT INTO messages VALUES(143,26,'user',1794802711489,'Third question',14,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,65,NULL,NULL,NULL);
INSERT INTO messages VALUES(144,26,'assistant',1794802711489,'Third answer',12,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,65,NULL,NULL,NULL);
INSERT INTO messages VALUES(145,26,'user',1794802711528,'In the fork',11,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,66,NULL,NULL,NULL);
INSERT INTO messages VALUES(146,26,'assistant',1794802711529,'Only here',9,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,66,NULL,NULL,NULL);
INSERT INTO messages VALUES(148,27,'assistant',1794802711536,'Answer 4',8,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,67,NULL,NULL,NULL);
INSERT INTO messages VALUES(149,27,'user',1794802711537,'Question 5',10,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,68,NULL,NULL,NULL);
INSERT INTO messages VALUES(150,27,'assistant',1794802711537,'Answer 5',8,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,68,NULL,NULL,NULL);
INSERT INTO messages VALUES(152,27,'user',1794802711541,'After compaction',16,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,69,NULL,NULL,NULL);
INSERT INTO messages VALUES(153,27,'assistant',1794802711542,'Still here',10,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,69,NULL,NULL,NULL);
INSERT INTO messages VALUES(154,27,'user',1794802711556,'In the successor',16,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,70,NULL,NULL,NULL);
INSERT INTO messages VALUES(155,27,'assistant',1794802711557,'Yes',3,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,70,NULL,NULL,NULL);
INSERT INTO messages VALUES(160,28,'user',1794802716299,'Hello again after the reset',27,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,71,NULL,NULL,NULL);
INSERT INTO messages VALUES(161,28,'assistant',1794802716985,'ok: [Mon 2026-11-16 04:18 UTC] Hello again after the reset',58,NULL,'stub','stub-1','openai-completions','stop',NULL,4122,16,0,0,4138,0.004154,'chatcmpl-1794802717052',0,NULL,NULL,NULL,71,NULL,NULL,NULL);
INSERT INTO messages VALUES(163,29,'user',1794802711698,'In the channel',14,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,72,NULL,NULL,NULL);
INSERT INTO messages VALUES(164,29,'assistant',1794802711699,'Acknowledged',12,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,72,NULL,NULL,NULL);
INSERT INTO messages VALUES(165,11,'user',1794803983674,'what was said as number 2, repaired',35,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(166,11,'user',1794803983675,'what was said as number 3',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(167,11,'user',1794803983676,'what was said as number 4',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(169,30,'user',1794803995961,'what was said as number 1',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,76,NULL,NULL,NULL);
INSERT INTO messages VALUES(170,16,'user',1794804004157,'what was said as number 5',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,77,NULL,NULL,NULL);
INSERT INTO messages VALUES(172,31,'user',1794803983673,'what was said as number 1',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,78,NULL,NULL,NULL);
INSERT INTO messages VALUES(173,31,'user',1794803983674,'what was said as number 2',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,79,NULL,NULL,NULL);
INSERT INTO messages VALUES(174,31,'user',1794803983675,'another way',11,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,80,NULL,NULL,NULL);
INSERT INTO messages VALUES(175,18,'user',1794804012347,'what was said as number 3',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(176,18,'user',1794804012348,'what was said as number 4',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(177,18,'user',1794804012350,'what was said as number 6',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(178,18,'user',1794804012351,'���',9,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,83,NULL,NULL,NULL);
INSERT INTO messages VALUES(180,18,'user',1794804012352,'what was said as number 8',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,84,NULL,NULL,NULL);
INSERT INTO messages VALUES(181,19,'user',1794804016443,'what was said as number 3',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,81,NULL,NULL,NULL);
INSERT INTO messages VALUES(182,24,'toolResult',1794802930000,NULL,40000,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'call1105929','read',0,61,NULL,0,'orphan');
INSERT INTO messages VALUES(183,24,'toolResult',1794802930000,NULL,60000,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'call1105930','read',0,61,NULL,0,'orphan');
INSERT INTO messages VALUES(184,25,'user',1794804041019,'and then?',9,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,82,NULL,NULL,NULL);
INSERT INTO messages VALUES(185,25,'assistant',1794804041020,'NO_REPLY',8,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,82,'no_reply',NULL,NULL);
INSERT INTO messages VALUES(187,32,'user',1794804041017,'hello',5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,85,NULL,NULL,NULL);
INSERT INTO messages VALUES(188,32,'assistant',1794804041018,'good day',8,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,85,NULL,NULL,NULL);
INSERT INTO messages VALUES(189,32,'user',1794804041019,'and then?',9,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,86,NULL,NULL,NULL);
INSERT INTO messages VALUES(190,32,'assistant',1794804041020,'NO_REPLY',8,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,86,'no_reply',NULL,NULL);
INSERT INTO messages VALUES(192,33,'user',1794804041017,'hello',5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,87,NULL,NULL,NULL);
INSERT INTO messages VALUES(193,33,'assistant',1794804041018,'good day',8,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,87,NULL,NULL,NULL);
INSERT INTO messages VALUES(194,33,'user',1794804041019,'and then?',9,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,88,NULL,NULL,NULL);
INSERT INTO messages VALUES(195,33,'assistant',1794804041020,'NO_REPLY',8,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,88,'no_reply',NULL,NULL);
INSERT INTO messages VALUES(197,34,'user',1794806084921,'what was said as number 1',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,89,NULL,NULL,NULL);
INSERT INTO messages VALUES(198,34,'user',1794806084922,'what was said as number 2',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,90,NULL,NULL,NULL);
INSERT INTO messages VALUES(199,11,'user',1794803983673,'all else is compacted',21,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,91,NULL,NULL,NULL);
INSERT INTO messages VALUES(200,11,'user',1794803983674,'what was said as number 2',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,92,NULL,NULL,NULL);
INSERT INTO messages VALUES(201,13,'user',1794803987771,'otherwise',9,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,93,NULL,NULL,NULL);
INSERT INTO messages VALUES(202,13,'user',1794803987772,'than before',11,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,94,NULL,NULL,NULL);
INSERT INTO messages VALUES(203,19,'user',1794804016444,'what was said as number 4',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,95,NULL,NULL,NULL);
INSERT INTO messages VALUES(204,2,'user',1794805032252,NULL,25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(205,2,'user',1794805032253,NULL,25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(207,35,'user',1794805036345,'what was said as number 1',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,98,NULL,NULL,NULL);
INSERT INTO messages VALUES(208,35,'user',1794805036346,NULL,25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(209,35,'user',1794805036347,NULL,25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(210,35,'user',1794805036348,NULL,25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(211,35,'user',1794805036349,NULL,25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,NULL,NULL);
INSERT INTO messages VALUES(212,2,'user',1794805032252,'otherwise',9,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,103,NULL,NULL,NULL);
INSERT INTO messages VALUES(213,35,'user',1794805036346,'repaired there',14,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,105,NULL,NULL,NULL);
INSERT INTO messages VALUES(214,35,'user',1794805036347,'what was said as number 3',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,106,NULL,NULL,NULL);
INSERT INTO messages VALUES(215,35,'user',1794805036348,'what was said as number 4',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,107,NULL,NULL,NULL);
INSERT INTO messages VALUES(216,35,'user',1794805036349,'what was said as number 5',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,108,NULL,NULL,NULL);
INSERT INTO messages VALUES(217,35,'user',1794805036350,'what was said as number 6',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,109,NULL,NULL,NULL);
INSERT INTO messages VALUES(218,11,'user',1794803983676,'after two rewrites',18,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,110,NULL,NULL,NULL);
INSERT INTO messages VALUES(219,31,'user',1794803983676,'and further',11,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,104,NULL,NULL,NULL);
INSERT INTO messages VALUES(220,20,'toolResult',1735689600000,NULL,260,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'call7','read',0,51,NULL,0,'orphan');
INSERT INTO messages VALUES(221,20,'user',1794802931008,'still there',11,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,111,NULL,NULL,NULL);
INSERT INTO messages VALUES(222,22,'user',1794804028733,'what was said as number 5',25,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,112,NULL,NULL,NULL);
INSERT INTO tool_calls VALUES(1,102,20,'call3','read','{"path":"/x"}',103,0,'paired',1735689600000,1735689600000);
INSERT INTO tool_calls VALUES(2,104,20,'call5','read','{"path":"/x"}',105,0,'paired',1735689600000,1735689600000);
INSERT INTO compactions VALUES(52,6,'## Goal
Answer six questions.','681656a5',NULL,NULL,54321,NULL,NULL,NULL);
INSERT INTO compactions VALUES(151,27,'## Goal
Answer six questions.','5eefecd8',NULL,NULL,54321,NULL,NULL,NULL);
INSERT INTO branch_summaries VALUES(28,5,'444c4b45','The other branch asked differently.',NULL,NULL);
INSERT INTO branch_summaries VALUES(34,5,'bef19fc4','The other branch asked differently.',NULL,NULL);
INSERT INTO branch_summaries VALUES(140,26,'bef19fc4','The other branch asked differently.',NULL,NULL);
INSERT INTO custom_entries VALUES(29,5,'openclaw.cache-ttl','{"timestamp":1,"provider":"anthropic"}');
INSERT INTO custom_entries VALUES(35,5,'openclaw.cache-ttl','{"timestamp":1,"provider":"anthropic"}');
INSERT INTO custom_entries VALUES(141,26,'openclaw.cache-ttl','{"timestamp":1,"provider":"anthropic"}');
INSERT INTO custom_entries VALUES(159,28,'model-snapshot','{"timestamp":1794802716880,"provider":"stub","modelApi":"openai-completions","modelId":"stub-1"}');
INSERT INTO custom_messages VALUES(30,5,'openclaw.runtime-context','Injected context',0,NULL);
INSERT INTO custom_messages VALUES(36,5,'openclaw.runtime-context','Injected context',0,NULL);
INSERT INTO custom_messages VALUES(142,26,'openclaw.runtime-context','Injected context',0,NULL);
INSERT INTO model_changes VALUES(18,5,'anthropic','claude-stub');
INSERT INTO model_changes VALUES(132,26,'anthropic','claude-stub');
INSERT INTO model_changes VALUES(157,28,'stub','stub-1');
INSERT INTO thinking_changes VALUES(19,5,'low');
INSERT INTO thinking_changes VALUES(133,26,'low');
INSERT INTO thinking_changes VALUES(158,28,'medium');
INSERT INTO labels VALUES(22,5,'c2a24174','start here');
INSERT INTO labels VALUES(136,26,'c2a24174','start here');
INSERT INTO session_infos VALUES(23,5,'A named session');
INSERT INTO session_infos VALUES(137,26,'A named session');
INSERT INTO cron_runs VALUES(1,1,'job-1',1794802930001,'ok','0a00010f-0000-4000-8000-00000000010f','agent:main:cron:job-1',1,'{"input_tokens":3,"output_tokens":4,"total_tokens":7}',1,'{"ts":1794802930001,"jobId":"job-1","action":"finished","status":"ok","summary":"run 1","sessionId":"0a00010f-0000-4000-8000-00000000010f","sessionKey":"agent:main:cron:job-1","runAtMs":1794802930000,"durationMs":1,"usage":{"input_tokens":3,"output_tokens":4,"total_tokens":7}}',2688433455);
INSERT INTO cron_runs VALUES(2,1,'job-1',1794802930002,'ok','0a00010f-0000-4000-8000-00000000010f','agent:main:cron:job-1',2,'{"input_tokens":3,"output_tokens":4,"total_tokens":7}',1,'{"ts":1794802930002,"jobId":"job-1","action":"finished","status":"ok","summary":"run 2","sessionId":"0a00010f-0000-4000-8000-00000000010f","sessionKey":"agent:main:cron:job-1","runAtMs":1794802930000,"durationMs":2,"usage":{"input_tokens":3,"output_tokens":4,"total_tokens":7}}',1068590674);
INSERT INTO cron_runs VALUES(3,1,'job-1',1794802930003,'ok','0a00010f-0000-4000-8000-00000000010f','agent:main:cron:job-1',3,'{"input_tokens":3,"output_tokens":4,"total_tokens":7}',1,'{"ts":1794802930003,"jobId":"job-1","action":"finished","status":"ok","summary":"run 3","sessionId":"0a00010f-0000-4000-8000-00000000010f","sessionKey":"agent:main:cron:job-1","runAtMs":1794802930000,"durationMs":3,"usage":{"input_tokens":3,"output_tokens":4,"total_tokens":7}}',1254862713);
INSERT INTO quarantine VALUES(1,18,5,557,8,1,NULL,'not_json',X'6E6F206A736F6E');
INSERT INTO quarantine VALUES(2,18,6,565,41,1,NULL,'nul',X'00000000000000000000000000000000000000000000000000000000000000000000000000000000');
INSERT INTO quarantine VALUES(3,18,7,606,29,1,NULL,'not_json',X'7B2274797065223A226D657373616765222C226964223A22746F726E');
INSERT INTO quarantine VALUES(4,18,8,635,421,1,NULL,'several_objects',X'7B2274797065223A226D657373616765222C226964223A223030313038303033222C22706172656E744964223A223030313038303032222C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A2277686174207761732073616964206173206E756D6265722033227D5D2C2274696D657374616D70223A313739343830343031323334377D7D7B2274797065223A226D657373616765222C226964223A223030313038303034222C22706172656E744964223A223030313038303033222C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A2277686174207761732073616964206173206E756D6265722034227D5D2C2274696D657374616D70223A313739343830343031323334387D7D');
INSERT INTO quarantine VALUES(5,18,9,1056,251,1,NULL,'splice',X'7B2274797065223A226D657373616765222C226964223A223030313038303035222C22706172656E7B2274797065223A226D657373616765222C226964223A223030313038303036222C22706172656E744964223A223030313038303035222C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A2277686174207761732073616964206173206E756D6265722036227D5D2C2274696D657374616D70223A313739343830343031323335307D7D');
INSERT INTO quarantine VALUES(6,16,7,1185,60,1,NULL,'not_json',X'7B2274797065223A226D657373616765222C226964223A223030313036303036222C22706172656E744964223A223030313036303035222C2274696D');
INSERT INTO sync_events VALUES(1,1794986682694,'archive_rename',14,'{"former":"@STATE@/agents/main/sessions/0a000103-0000-4000-8000-000000000103.jsonl","path":"@STATE@/agents/main/sessions/0a000103-0000-4000-8000-000000000103.jsonl.reset.2026-11-16T04-22-14.522Z"}',NULL);
INSERT INTO sync_events VALUES(2,1794986682699,'archive_rename',15,'{"former":"@STATE@/agents/main/sessions/0a000105-0000-4000-8000-000000000105.jsonl","path":"@STATE@/agents/main/sessions/0a000105-0000-4000-8000-000000000105.jsonl.deleted.2026-11-17T09-00-00.000Z"}',NULL);
INSERT INTO sync_events VALUES(3,1794986682700,'rewrite',11,'{"offset":341,"superseded_bytes":633,"generation":2}',3521091124);
INSERT INTO sync_events VALUES(4,1794986682702,'truncation',13,'{"offset":552,"superseded_bytes":422,"generation":2}',4266013138);
INSERT INTO sync_events VALUES(5,1794986682898,'session_id_change',NULL,'{"agent_id":"main","session_key":"agent:main:direct:103","session":15,"former_session_id":"0a000103-0000-4000-8000-000000000103","session_id":"0a000104-0000-4000-8000-000000000104","ended_by":"reset"}',2119200621);
INSERT INTO sync_events VALUES(6,1794986682931,'removal',NULL,'{"agent_id":"main","session_key":"agent:main:direct:105","session":16,"session_id":"0a000105-0000-4000-8000-000000000105","ended_by":"deleted"}',2899788399);
INSERT INTO sync_events VALUES(7,1794986683500,'rewrite',11,'{"offset":136,"superseded_bytes":848,"generation":3}',3791927448);
INSERT INTO sync_events VALUES(8,1794986683503,'rewrite',12,'{"offset":0,"superseded_bytes":1210,"generation":2}',4121231774);
INSERT INTO sync_events VALUES(9,1794986683509,'gone',16,'{"path":"@STATE@/agents/main/sessions/0a000106-0000-4000-8000-000000000106.jsonl","bytes":1245,"lost_bytes":0}',NULL);
INSERT INTO sync_events VALUES(10,1794986683509,'gone',17,'{"path":"@STATE@/agents/main/sessions/0a000106-0000-4000-8000-000000000106.trajectory.jsonl","bytes":484,"lost_bytes":0}',NULL);
INSERT INTO sync_events VALUES(11,1794986683509,'gone',23,'{"path":"@STATE@/agents/main/sessions/0a00010d-0000-4000-8000-00000000010d.jsonl","bytes":974,"lost_bytes":0}',NULL);
INSERT INTO sync_events VALUES(12,1794986683546,'removal',NULL,'{"agent_id":"main","session_key":"agent:main:direct:10d","session":23,"session_id":"0a00010d-0000-4000-8000-00000000010d","ended_by":"deleted"}',1523583880);
INSERT INTO sync_events VALUES(13,1794986683959,'migration',2,'{"former":"@STATE@/agents/lab/sessions/0a000201-0000-4000-8000-000000000201.jsonl","path":"@STATE@/agents/lab/agent/openclaw-agent.sqlite/0a000201-0000-4000-8000-000000000201.jsonl"}',NULL);
INSERT INTO sync_events VALUES(14,1794986683962,'migration',3,'{"former":"@STATE@/agents/lab/sessions/0a000203-0000-4000-8000-000000000203.jsonl","path":"@STATE@/agents/lab/agent/openclaw-agent.sqlite/0a000203-0000-4000-8000-000000000203.jsonl"}',NULL);
INSERT INTO sync_events VALUES(15,1794986683969,'stale',2,'{"path":"@STATE@/agents/lab/session-sqlite-import-archive/agent_lab_direct_201.0a000201-0000-4000-8000-000000000201.jsonl.imported-1794802732071","source":"@STATE@/agents/lab/agent/openclaw-agent.sqlite/0a000201-0000-4000-8000-000000000201.jsonl"}',NULL);
INSERT INTO sync_events VALUES(16,1794986683969,'copy_found',3,'{"path":"@STATE@/agents/lab/session-sqlite-import-archive/agent_lab_direct_203.0a000203-0000-4000-8000-000000000203.jsonl.imported-1794802732071"}',NULL);
INSERT INTO sync_events VALUES(17,1794986684799,'rewrite',2,'{"offset":763,"superseded_bytes":422,"generation":2}',1822049050);
INSERT INTO sync_events VALUES(18,1794986684817,'rewrite',35,'{"offset":341,"superseded_bytes":844,"generation":2}',932010848);
INSERT INTO sync_events VALUES(19,1794986687685,'purged',NULL,'{"tombstone":7,"why":"purge","sessions":1,"transcripts":1,"entries":2,"bytes":338}',82027910);
INSERT INTO job_runs VALUES(1,'repair',1794986688031,1794986688745,1,'{"found": {}, "derived": 0, "mended": 0, "lost": 0, "transcripts": 0, "lines": 0, "bytes": 0, "sessions": 0, "problems": 0, "audited_to": 0, "index_seconds": 0.003, "checksums_to": "", "rows_mended": 0, "rows_in_doubt": 0}',3551418438);
INSERT INTO _blocks VALUES(1,1,0,782,1,NULL,1,3,X'28B52FFD600E02650B0086154123304DDC06432D46817DD6F912E71EB3C79AAD59D0406D6C1108F1DDCA0EC5D010550507350038003700EA0A8C2D026B916CA582088C85AC8530124C9E871E6DDEA7F5D51DC810445410C4818ACF37ED6A91D1465CDDBDC6BCFCFC4214FD8A4FC0F63A4BF0EC89ED857CBB6DF7A265E9F9755EF48A741CC9E51B83761B2974F5C65A16658CF27D50E67D00A64BA8C30CECF31E0312CC03C836923ACCF3CE36EFB97AB44D8B7811234C835EF468A7CF3748DD7B1CB0EE15B4D3E6C6AC0EBAB8CA2E1363CB5A8D0499E2682C86E91BAC7B00BDE6AB69620C4C16220A60F35B569EDD423C0447FBF5768B12F28DEEC13E1865AE70D1D2BBC264E55B825C7B454A576F909A03282030028394D1DBCF84C0AA480013405AE18344B899202182C536D2DA4018557EDF3055106755A5160FE22DDB322024782B2F21C5A8DECECCEC821156E4000707CC56E49D8A01940502781D8982521320303878E71851FD5E170A5D813113354C2D693B9B665F9C49');
INSERT INTO _blocks VALUES(2,2,0,763,1,NULL,1,3,X'28B52FFD60FB018D0700020E2B21506B9B03E30403D7D276FB2D066AF81CFF74336882E747DBA4E4D9E2B99B0951D58728422595271233622C99CA135F2C8C0034888C08B407CBC110A710A6510E71EA813CD5785893DFC2BE02F563FB5883D639AC5EA7416E50741C075333028F2DA41E27E3BF09CAB95D87C8CBDAAEE610BB5A03F1407032C17F80A366EAF20105268889229F563F4B3DB7AB794E8A42ABE0647C7EB124FF9FE0F3BFBAD54CE364D61AE7D659BD0FC373431B0080910CD2031F034E8350DE6A10C07B469BE20A03CC8603382EA88D4A81394E350AC0EA6058502A1000E29A03990D0C80361656AB638892D595381210F708CA1351321AAE');
INSERT INTO _blocks VALUES(3,3,0,763,1,NULL,1,3,X'28B52FFD60FB018D0700F20D2B21406BAB03FB14CB12D32F693F1D725D053EF93BC0A5D128B27590E22B11450DC68088E7594B2DA5927A1263670FF8820D082484C7E96834C139EFD876244ADB635BE3888DD17022C7068D07E9F8343ED8E83A4EEB021B3F645A16E7A51382F8B4698C91D3AF0B6D571DE2B13EA80E6E421D64241A0A4636F80FF0944A257B81222129210A75E534E35A5C754A345AD9288391D7D5170CF97F645DFD6F773A518CFCA0B2ABEBB4320ED10F011B0080910CD2031F038E00736F3528E03DA34D71850166C3011C17D446A5C01CA71A056075302C2815080071CD81CC0606401B0BABD53144C9EA4A1C09887B04E509403663E5');
INSERT INTO _blocks VALUES(4,4,0,1624,1,NULL,1,3,X'28B52FFD605805F51200C661703C408BDA06033088BCE0D8CB07A7AC811EA67E507964B08469AB0228A861C86EB5B75884143D851C5FBBC38C2A163062DB9291B612FC6325E131E0744D5B0065006300315EF9180AB0F2A963ECF0045614AF7AE2B7F05AFF02917186474BE22FD3229161B1C305240A14E1A037B9173585E41EE71E49D2127E8C5DDCD6BF5C961D763D3DDD1D3D8F6B6F7E0C2F76A0471F831D96F3AAF52B3F7E2C81658D18402E806800C1846440AC745BAF5ABD2B953599242D59993441CE51243D45158A3390319DD6A9635FDBCB2B366F1C984D83D21B87069991E67848F810C1C3438380D93419337C0C68F57AFBCC47870F1A809F45F0B6E2B1956FE5A45F2F3FFE38296BBC298FABFC8B4911DD4EFBF6A2041E43FF89B7586EB1D390BD939D96B8C7F662F2628D77AFADCFC3EBD1E2C7F1E1A40F2F8C493176B83ED6854D6AB1D2F9F185F9840D07984DC783CC48A380D9444B2B6036AD43C34084436341B341B3406443D3002808091059D62EA2284BF5582F2CAF1A536FE73D60A9CAEDC5411595BB54B3D4EB8957BAE8BB2752C5551DBD9CD15BB7052FE540F90D4213BC547B6FDD62527A6BA395D45104A1E8A3F7AE54FF096CDACA4E964D524B5C7747B4AD73E2023F2060022124763D6C90430D760928B7F261F500C5E308700C923919EC6E36B53769320FF0BE95C1CA0003076240993BA081C4413112A002EC5CF86044B889205D04CB6D246803A1A8E2FBC6A9829E9DB01619BE9B632B18E4C965B9026807CC2C37BD2F52F0F405ABCBA0EC921108E00007278FAD00696732AC528100A823E1A0D408B86E6090C1EF6244F5F73AB6302B10335186194BDA86268A45FCB0');
INSERT INTO _blocks VALUES(5,5,0,5564,1,NULL,1,3,X'28B52FFD60BC141D1D00562B7D22304DF4433788B63BD7E0EAA148938254832371FB784ECB5804552E984EBC8C60B2C0720073007400CE94B1F272722876D2914AF63EB97AC3BE2F2984BD12044D15B624C8F5AF4B9DB463DC37537A3F43F52736A097360278B4C3A118F0917D021CB1934E60AF29D602DF824D3198A5ACA5304CB1862D459EF1473477D28B7A8A52AA29CAA25C356C493B59E07D884EBA5A8AF1E386FD9244EE89960179B6F933BD08B0A5BFC13FD163276AC993ED44B1053B4F52A53D01A74EB04225BFEFC0D573F58C29C63E1DE6FDBFC7F2DA5A0BA65E6B166BE191F14F0F48C6970E34CC119F1560E7FAB9DAD849DFC753C37EC8DE9E804B5BACC69C45C7F82DD4B00B9A3753F912211E6A3054EA50E99303F6CE37E76A0B6B1A89EB5134E1C613AB5F87C1880033975A388D5C1809E8E7A41291EF801D491867D1DA73E69D73CD69B1B5E664B5F10FD48C71CEB620121168D81F79758D6BFF7CC1ECACB4F1F71F245F7F86EBB931772CBE92D03B0E617F03C966DCC9E3F118C596524AA132B66EC1C6F51D02CB477718C3D4632473D159F32799B8DA33F9567BA55CE3AF51CE62BA85FA39D3EBF8AB80344D8BB359F39DA661CE2DB530A6B9F461ACD898738A35AD4DE645F618F2095BC221095389C8CFF11B2A41472875BA8D84E7CA15A3D463797699B3A2A82F594664339EA202B9FF648BFCC368180580BCA8A1293266644E143629145A0390021191BAB1031260B210C522180E6234420811144208414424243832222289413A5A1C2C69AAE1CEA77D8771E44AEE415A107E6CD56AE7D3A6C12E320B83C76929937CFCB070C96F76BC188508937690B3D3BB76C24954CA921F41BB16EA09C053C2576701434DBBD089E68ACF1CD7DE480777FF47A5542B3B7E6435F641F72345EA05C9ABE38D6EAAE29602D90184A172368F5DBCA9A057CD19BAA2A5BC10E3449FADEC5AACC4FC6236C9A4CF356F8A3012552E6DDFFEE86360AC4465C6D9A40EECB099B2CB8DCF61808DABA3B6A27375B20CD8CF60DBE4B13464559C6C14A16E6E64B4B5E8D300C28A419BA29942B48D3A34BEB625FC1649ACC1B9C2A1D41D985F498D360F85D314056D268EEB422023CDD072AEE80626423C723AC4BC6A1B627A3C69EDCBD1055BC8370FC8EA1B6DC98F58F2930445D23D8991318C53604C71E3E908104AF21F2BDA3E05139DADE7A127314218DB75FB2C0BFC4D311968F5ECE2016BC6D4D542EFE4248FC7E035441457E83B33D01001DA86C1106B34F61E7982F40DB0747F6A930A3043081FED95A1E029BC7E9E0358BDBADF1FF9031754');
INSERT INTO _blocks VALUES(6,6,0,4913,1,NULL,1,3,X'28B52FFD603112DD1500F6E266222051F3F3F938B6BCF20BC32CDF4B76CC0F863063B868DBB655F5A09BB000E100A6015D005B005B0017F7866C1AC8CA5E10DE3A9E4F23ED9C318B46A67D62E6EC0E40D418B3A103EE5C8A010CDA483F28E604149351C9961A9E4A944ADE4AAB653FCEFCEC4EFD46BAA598A4945A92B43453CB5E6A234C62BF68A4EDAD397B6ED9FE687C6F04ECA1DB485A4AF6438FADBD21A1465A813E27BE40B3A12DBBF1E5625FEAC5C539A1F5B998E2ED6CD9F599D831B225783B3FD79CE74A8A79CAE23352CC2905578AED019544D4C9616FFDEC9042CBCFF08790FDD6DF5EEC196AD9DE0471A1CEB8BB0615545A53A2638EC246E952CB31B71E0F07A9D2569B34BA63566CABB9B7E64BC99962AC2508E15B4B29CEA3921E2B4F5F78EEE746A228BEB4544A49207DBE4EC9CED62B6E4333FFBE7FC50EB297E90B4E41276D24050051B49A63A770344D7D86D5A01295AFF95473607F8640354A27A42C51B55873B21D5FC60B34F05B837F3CE133AE4C232D902D1C1935DB8866DE03474040CBD6C0D371A01CE14A0FB65CA3F3712E850E2AE818E78C4107DD7CEEA9F85E7B018081A851C1212233271264342DB406E0021111322A36122082041CC7304087B18C90082342639530434D24C14CA041E11C26F011BE5AC6F8AF06485959B265CBF780284DB0C8826AAE846F8B01B90D5CBA44241D2CAD20845DF95228A22FB5701E848B367C7EEF9D5A5F47670F88EEF0EE83EF5A3F11D328424F7EFD44DC81BA03BACBDE57F51F3B726F26F58EEF78F9EE3553318D40F1E42E56C8DDF11E2FDFBD662AA611289EDCB589B823758C74B78D2BDF9D9544D586E48F6168EFFCEB5564858C208D675027B81D47C943EB9F4B35974045254B8B0C26C8A1A85607C6EB01B6AC6CF199BC92089EB9D7E3C7F2349597B95792B76410B0CFFEC81ACA1422003113EB5165D0029F946FF01088D4CB77B1DE21E222C2B032AF03F107B5F4D547');
INSERT INTO _blocks VALUES(7,7,0,807,1,NULL,1,3,X'28B52FFD602702350C00C6564523306D9C03432DB6C56E1361CE7D493710B3289A6C06271EED7FB449C51E90010BA306393A003C003C0050808373F583C52C8AB550C652251BCC42D642982493EBA5076BDE47EBAB2FC9403253419025595EFFB4AB85C26DB8BA7B8D79F9FA9520FA11014E2281815923D16E17982316205CFB611B41DF6EDB3DB81CAFDFE8C147681245D1E99F81760B9974F5742CD32CA7F92E30E67D004C77609113B08F17FB441639D747FB3CB84F6B789011A7490F42EDD8F54D628A8550A31D6B6ECC4C79726DB3B0644A9865AD26498622D0AC84E9BC5153482CD48976F10500D3A4305B02E9355F4D1383C96465A6229BDFB2F4EC96E13522D6AFB71B34D03F6C0916729873958B8EEF2A93A5EF28B9F6088D5777C466242C2030028394C1DDD2C401B1480013605DE10388700B41820896DB4867036154F97DC354419C354C4B01573B88CD6FF61ACD75DE6E73970C4F1E771CC0BA246A5CC7C0660E7070D66D45C4EE7500658100AA2351502A090E6E6193C1EB62C4FA7B9D2D7405C64CD430B5A4ED6C02102A68F4');
INSERT INTO _blocks VALUES(8,8,0,801,1,NULL,1,3,X'28B52FFD602102F50B00B6564523406D9B03BFE4D1C2AAED7A1C5C87D88EEEAB46EF6227D9CAECDF4EE2C557920C0F69443A003B003D00900089F5F484865918AAA18D52471E302A512A619454AE879EEDC80FEBA733D92499E948122637AF77D8534321473CDD3D1623C7EB19A2E85704AD210DCC2D54F2780EEA1E5C0AD79EE056D0B7E3760F728CAEE7F6E02BB4B5C8E99D82760C177AFAC20C8F7DF03A376C8CFC00442EB16D05F0F302DBD6F58D9DF73C1DB2C3221E8CC962D08390767B3D8396D1CC2288456B04EDB6238B71D73A9825958C34CCA29480928D6340402D44DEF0410C170B140171D9007A1D9F22918649456526233BBE45E9A3E38777D0B65F733388A077960D18B2763D65A3A3F7948AD2770439F60A8D9EFE883A26EC4401282020028394C9DDD08480AF480015A05CE18389701B415204EB6DA4B58138AAE4BE11AA20CEDA4B2D1EC68B8765C2133069FB2EE461DB8322185C1B80461CE0E0A4DB0A84DDEB00CA02015447A2A01404081C1C7C394658BF5785C2AD40CD640C7396B42D4D29962809');
INSERT INTO _blocks VALUES(9,9,0,801,1,NULL,1,3,X'28B52FFD602102FD0B00B6964524406D9B03F8AC61B20DDBF538B80EB11DDD578DDEC54E32D68F8F16D1175F49323CA411013A003B003D00918088F5748485712C14431BA58D3478284529E5B1E4723DF46C477E583F9DC946C9CC86A230B979BDC39E180A19E2E9EEB118395ECFD0445F12AD230CCC299402790DEA1E5C09D796E04ED0B7E3760F728CAEE7F6E025DA5AE4F40E413B860B3DDD7134CBBCC09C1936467E00268FD8B602F87901DBD6F58D9DF73C1DB2C3201E8CCA62D08391767B3D8376D1CCA207456B03EDB6238B71B9B10BC22CACC9C2389462966C1A028C5298BCE183182A14260271B9007A1D9F2693E6918BCACC45767C0EA58F8E1D9E41DB7ECDCDE081DE592EE0C8DAF5948C8EDE532E4ADF11E4D8251A3D1D127554D88902282020028394C9DDD08480AF480015A05CE18389701B415204EB6DA4B58138AAE4BE11AA20CEDA4B2D1EC68B8765C2133069FB2EE461DB8322185C1B80461CE0E0A4DB0A84DDEB00CA02015447A2A01404081C1C7C394658BF5785C2AD40CD640C7396B42D4D32163606');
INSERT INTO _blocks VALUES(10,10,0,1455,1,NULL,1,3,X'28B52FFD60AF04A50D0056984923406B9C03388BF1E5422FA3BCD721ED5A02B75EE0559924B6FD8F36694D6F9651FC7C4D3F0041003D004E7A04B811238186E7EB084DB304B0C436B68A1A300C610C61124DBE9F1AAE27375E7FBD694354554190A64EBF87DE5762253BBE0EE39B93E7F73C3DF41F010C07625AD5340B634DA24D51344CA17A349D7C10B1114D4567E0DB0EDC09FB86DC304A9ED4F72C45F9C74A1205F7504143966E6A894B2C8AE5BCE0E6E40640F5865F9A682A7E69C2F64D4DF0FDB1D4D71DAA27C210E5A4E77B89A1D8F8BA64E839A29CBE3E91E74D51460DDDF76F721C35826564304143D7F3CDE914AC050055B53488253BE2C38BA571D47192C64A93DC0CA531DC786918C974BC9862CFAFAA6A8C264C5503B4675CD87E4266880692EBD8DC4F1EEC21C70B8E1EF7043820600219923C1E1798A2C0D915CE4F3101E5EE42BC012EF302328B81530CA0D9114F82400AF2087662C032B76619B7440258006F860F20C2AD089222586F231D1B484715DF374E15E0596D498B479C3A9D8114A3878ABC253CC091C15503B673E00757DC566FB95061950402781D098252130078A0066BF8640E41FD5E2B146605D44C8261C692B6AA0993785268');
INSERT INTO _blocks VALUES(12,12,0,726,1,2,0,3,X'28B52FFD60D601ED0100D4027B2274797065223A227472616A6563746F7279222C22736571223A302C2270726F6D7074223A2278227D0A313204005340891BA85B37E1009102657EBA953B');
INSERT INTO _blocks VALUES(14,14,0,974,1,NULL,1,3,X'28B52FFD60CE02ED0700320E2C2150699C03205DF9935D13E59686D8482BAF2822A6A58BD7DE4424E283E3CCCC26F4866952108624D862C9D23501248A2E0B4B0559125A305D0D880D5CF48C6E06D3B436BA49466C0AE9AB1E153812ECE3E3F820C41D7DCF0E84BE58759CE8ED9980F8186ACFD53593115A373BC3747E901D6C043BA8404807571FC8CC43EAAEB5480A247AA81EC9CAF5FDE35A6C764DBC620B71C2D5596A2AC8919979B0D4CC6CF93DD35CFDC1A69BFB7B7E16E217011F0080910CD2031F038E00E6324819F80438070CBFD52083978D36D91546980D07705C501B9502739C6A1480D5C1B0A0542000C43507321B18006D2CAC56C71025AB2B712420EE11942794B1D2A9');
INSERT INTO _blocks VALUES(15,15,0,974,1,NULL,1,3,X'28B52FFD60CE02D50700024E2B2150699C03205D70B07D13E59686D8482BAF2822A6251ADFFE4412FAC1716666137A86693AA3244A225949B3724D88E56F9404220B26E721AD415BB803B2C379183C20631C91291856E5A8B091401DDD46F7A4850BAB177A921B9A10B4706A2720BA955864E5FC178141B8CD3079DDDBF6E061DB531C1807561EF80FF0D4B554B900934826C2AC2FABA3C622DCF644AB44A54DB0F2F27CA320FF8F2CCFFFEC563B8F95DD7B205C68F5460BD18D2020F0029940AC0742C9D3F3B18E602E93B29F744E86DF1AD9BD6CA46417469871D0E34269084A6B5110C729A300A883D1A0540212D76C643603D4C6825A1D7D947CAE0489C53D02F8042AD84E3C');
INSERT INTO _blocks VALUES(16,16,0,974,1,NULL,1,3,X'28B52FFD60CE02ED0700320E2C22406B9C033817F5BBF0BB43158B5C47539FBA98E0C2E0067D22095E8A9CCB30D1050187285256B212894A964A1525895CFFBA620904E441E43C9E4568903B203B1686C10332C611D982614D8E0C1B0DD4D16D74EF590859BDCD7BDCD06C1AC8A99781E8F6618E93F35F0506E1B643E4756FDB83886D6F81602438B9E03FC05395D2750225914C445157563B8D45B88D894E893EBBE064E579C542FE1F519EFFD9AD5E1827BBC740B8D0EA751AA21B011F0080910CD2031F038E00E6324819F80438070CBFD52083978D36D91546980D07705C501B9502739C6A1480D5C1B0A0542000C43507321B18006D2CAC56C71025AB2B712420EE1194271F26FB64');
INSERT INTO _blocks VALUES(17,17,0,484,1,NULL,0,4,X'010100000000000000E40100002F749115D249F74B282384CD686BC1E35A0A0FB2B740C6469E17F1D86534178228B52FFD60E4007500002820200A200A02006D40613605B01FD1B0A6');
INSERT INTO _blocks VALUES(18,18,0,552,1,NULL,1,3,X'28B52FFD6028013D0700B28D2A22406B9C03FB140BADEAD3EE2A16B98EA63E7531C185E5732322095E8A9CCB30D1050188285214AA282051287CF22519104084C878409AC018EDD87530CDDA6357E3786BD17026BF067D07E9D7F43507E9329C56C7417E48741C464B3304AF29B41E27E3AF0B6B571922B236A7CC6D42995B241A0A4E36F80F704CA5327981820822A2A82BA71FB6DE2A6B9E9322216570F272FC9220FF8F2CC7FFEB4E338D939B6B76759DD6C7E1F9211700C0C85B0D0278CF68535C6180D97000C705B5512930C7A94601581D0C0B4A0502405C7320B38101D0C6C26A750C51B2BA124702E21E417902DA6F0F75');
INSERT INTO _blocks VALUES(19,19,0,552,1,NULL,1,3,X'28B52FFD602801250700B2CD2920504B9C0320F3D1DBFCDD2F4E438E9F701B5DD52D8DEF1D5B067CF2383327316B8728522A55946B21F9F5C44A04F220721ACE22B4C7199019CAC2A001196444A680ACC99161A3813ABA8DEE390B1FAB97798E179A0CF338B53210DD3AAC7172FEABC020DC7688BCEE6D7B10B1ED29105082930BFE033C55295D2740F2C83C10756575D35884DB96E814A0CE2E3839793EB18EFF3F92E77F76AB95C5C9EE2D102EB47A9B86E8451700C0C85B0D0278CF68535C6180D97000C705B5512930C7A94601581D0C0B4A0502405C7320B38101D0C6C26A750C51B2BA124702E21E417902B1E50DB5');
INSERT INTO _blocks VALUES(20,20,0,2546,1,NULL,0,4,X'00030000005B03000078040000F1F52329A2AE6A73C22794CE3DD3A008C8348900A41D004C8350897AD7189E53BB060000E00700003E4D126F2763B0928714493C9A990EC5EEE388456D7D3B92E4CB9D45C2935CA51708000026090000DACD708CA4377C46D9189BA9ED887F31190574680A635495C57F2C26AE18B36228B52FFD60F208C50F00269A4C24208DB60DB3BC3159B351DBE5DE25F2A4688A34A1124101AA3DBE75CA1574B082C00047034100410042000B395E2CE418161092AB23206200AE5C966420C459CA5A8AB3E0F27C0469F3424F5F31F9F6E1EA8A0B1D0C051151515C88A8F8FCE4B97A730FF3F2F31B49F42702DAFC306B2242162A0B95669916E2621E0B3A188FC68A4CCD2B3928F4A9DE11DB09F96EDBCDBD65E9F965EE7D22176352CB4F08BAEDD3E8EA6B1794792180E9DB5C02CCB9696A0230DFEC2457CBCA73DB060761DAAEAF1A2DB9AB26DF52D49E4FA4C407CCB93EEB1A44AEF9EAD0F36C270EBA7AF4FCDBC9F3E05E74E53C1C4EC334560B00D3E4BC85E0A68AB61A67628FF64EAE1A46D3308C65A60AF9E7DE1BE0E72AA2286012AFC1C244A6E9118BE7195A23EEB690B4F0F4EA13DDF7FC42DAAECE30A612C63449A8714589448A28902013A8246DA0021291B2CE0112E0F214C39318C3480225544268841BC108662C66A29A851DAF48392C92F586146A29A327541B69B0C6F443444D905F38206032C9DA6D99E5D0385007A90A05C7B28F098DFFEBCAB654F5171978FE051A63E210E194102B452190F6E27AC43C9B4683FC17248D59325D1FF0D240144B4C0E6819CF730576549910F19A2CE291D717DE375DBDF0BD8206FBA0509A2D91F12324160610C858A2CEB866F3A55C170E0B3175F459599DB7B81E18FA07B93D49E1');
INSERT INTO _blocks VALUES(22,22,0,974,1,NULL,1,3,X'28B52FFD60CE02E50700824E2C2150699C03231E32D2B2977DDF80584B2BAF2822A6253A9A2C91847E709C99D9841E8628522B5999A8E4894A15295442515F579622910591F380D6A031DC01D9C1340C1E90358EC8160D6B724CD848A08E6EA37BD04286D5EB3CC80B9A8EC3706A2620BA85D8E3E4FC97E7F78041B8CD1079DDDBF6E061DB5B1C1A8B9307FE033C55295D174024928920D495D54F63116E6BA253A2D0223879795E59C8FF23CBF33FBBD54CE364F71A08175ABD8F42F4421E0080910CD2031F038E00E6324819F8047010427EAB41062F1B6DB22B8C301B0EE0B8A0362A05E638D52800AB836141A9400088CB1CF000BD2DAC56C71025AB2B712420EE1194279CB0FFEC');
INSERT INTO _blocks VALUES(23,23,0,974,1,NULL,1,3,X'28B52FFD60CE02E5070032CE2B21504B9C0320F3D156EF69A72806397EC26D7455B78CE2B97F4B219E304DCC4ECC1A87284AD8C112C73A90A52B0A58C93A9265C204127A105D93C308EE79A95B5296D6A91B946253405FF5C8C0D1601F1FC7071DEEE77B66A0F3C52AC33C6FAF0CC4C74E6BAEAE99ACD0BAD91DA2F383EC6023D84105024AB87A416602A4EE5ACB92005143D54056AEEF1BD762B35BE2D5B10E2F5C5D49CD8419999986929A992DBF5796AB3FB874737FCF4D43FC221F0080910CD2031F038E00E6324819F80438070CBFD52083978D36D91546980D07705C501B9502739C6A1480D5C1B0A0542000C43507321B18006D2CAC56C71025AB2B712420EE11942711D4F920');
INSERT INTO _blocks VALUES(24,24,0,282112,1,NULL,1,3,X'28B52FFDA0004E0400140B0076543D23308B380700AD8E6B017C3F87A71C89FB087285ED54520AEA772312F03F4C04053554212F0032003500895C3297C4FAB2FA21B108578AA21546DF3658F13EFF2B96FFCDF2FFCB3EFFB35B0D45563CB908C28556EFE3215A1210ABB7B96789666B90490D2DE2B48F3DAC38FF7D7E1918842B014CBC935BC941C44ACE81B01A8A34ACF8E07FC053D7D2E68CFA33F24B7E71D697D724D79360DE5CD13C02993071AAB70A126452902928625041165191392256C5D16123823A4E1B27D7B0E2B730CA711A47350DD3288659CCFF33CF5AD8D882FAB9F70860A416C4F659BD122B58EB719ED91A6B580D2D5A6303CDB906816BD09C8B012820E0029291B9B50322263CCEC99A497CC746C30EA73A8E93B5497CC747C30EA774DC93B5497E179D01756400D839720AD3910BEC70121D4F20E2FBAE092D9C153D189100F7D6B5B1E69CF160A18D4AC13F4E18650096A112538231C758BDC142D7C99D405B17E1E801D40000302036353636200600E5C8F93870B2069380EF18A05161EFE00A7D01005836373637372038373838200C008108EC70723A0E9CACC124E03B0668D8E1E4741C38598349C0770CD0909AE8E00A8C770C3F');
INSERT INTO _blocks VALUES(25,25,0,520,1,NULL,1,3,X'28B52FFD6008012D0700724D2921606BD3010327E2176DC8EE1164F6354E442248E05CA6991ADA9247BB19093A08E28728521E6B01585A632C5BAB8CEA3A1529EE973CB9920C280E21726B9A6C18939721F700BD2C973528D56174360D72035ED338187A215896D07A9C7C7F32966A3A87C8C95A3A4D11E9B4066221C1C906FF037EA814262F481C728724D495D18FB356D361D64900A15470F2E2772541FE1F59FCFEAF1BBD304E668D514D353A9FC7BA2118004A63F8A39127341E8038994D71850152C3011C17CF46E5868354A300AC0E8605A5020120AE3990D9C000686361B53A8628595D892301718FA03C01F472B540');
INSERT INTO _blocks VALUES(26,26,0,3967,1,NULL,1,3,X'28B52FFD607F0EBD1C00F6EC8224106DCA038EE988B60F059F94A1A8C9EFD9DA16E6B519200D47B644A4075C14008015E120780078007600D34B4B015C3D558B19120B7B14C618A3280B73A6C08A4A9D52E05CBFE18AFA954D280E72FDEB5527EDF0292A9EB292C2113BE984E75EA22DF06990618BA629AD298D63AE61579467FC14CD9D746CCF1C7BE930CE2B127A9102CD8551D83F52F1F6EE38F11BB6A49D2CF0FE43275D2DC5F871C3FEEA913B22EFC0D573F58C29C63EA3E6F97FAEE5615A731C7B18C8690B57C66F3920195F2AD030437C56809DEBE76A63277D1F5B0DFB277B3B022E8CD318E72E3AC64F39ECD4B009188726F3253EFCC46854DA50A994232B63E5A5E5536C5AD92BE5EA0DFBBEA40FF656EE61A6C9AAB0E5C06BDE43537A7FA3BA141901D56FF416EAE74CAFE3AF02024171426D7EF464B5F10FD88C714E66412412D0B09FF2FAA0C7FCE38EB3B352C6DF97907CFD1BD733E3FCB9F84C4E1FF984FD0D2A9B7127D7F534CC35C65882656C5F838DEB37D8C5E4D9E6CFF422C096FE062F458F9DB0255BB613E61AEC6C55957604B43AC10AADFC0600D705B9F7986A01E41E8B66E338AC79DC6BB876222F65A40E3C2E2E73F9B734D0F2D123D738E85269C19E46BA17DD31FEC826B6C7934FD80F9F2A4C25223FC767A8030DA154EB32DEC9A73157F3EC326725B1A06CC6564C3CA69F934A447E037604B92F658BBCB46848D93B197BFE402C72E6E33A45599821C580A4A891A151C6CC9888CCA420693380021191BAA90E1280D2140933188B520E11238C10428C098586644661DA7219415383A1C40A785AF03E26FF2E2DF0CA9FF34ACE911EA408FD63C5FAE0439AB8C80817A4419FB1DAF98176B83F220A09EDA589F1652130B9C00BA3611CA8DED58DFBD02FFB04BCC369C15F2FDF554147A3EC4065B7F6280E0C3A1FD0E4C924F1416D4345689271E9830838ADB7211333909C28AD28D1A363CB0B7599C8707BF0FE8174934117F8352D4CA22466CC77BC8E36DA43F465803492D8872560A54934920F1DA4F185272BB94CA62B2BA5D701E6636C571334FE5A2A80C49B90D231E191D7104D77AD419C8837A502D07C814AC1842FA49764680CE7CB6253D0CBB9F5413FC09A93B41412032F4FF178F1C147E28E76042E2409CC8A56537CCB89DB09B550B38709D99FE4F27FDE1AC8849EC049F29638A64AAD0BF95CF5A0C35981D0E203B173377A02280C46F9595073CB4807A28029430D3D01C1050492EBA19BA1EF534380079604B39263185C57C60636A0D052D94557A90EFF016E9DA09D');
INSERT INTO _blocks VALUES(27,27,0,2856,1,NULL,1,3,X'28B52FFD60280AB51400B6636A232051F4F3797EDA28D73C9C357F598F303C388419C4843D29464AC3026E0C488080050360005E005F005F5B4232B529EB6014BEF695142B8C21A5C9F46427188CC90A3B3CF71CAC890F8B6E2D40B630B6C0B61A47A626F9DE137D56F88138E834F8380F085C2604910BD41EB7CC07838B636DCEF5703832445969E2ED0B56B85AEADECE919BD278DE080CA9DE97862A294D8E2C35646F43F4C25E5F26A5EC9DF84A29C94A44845D721BC3AB00C78CFE87C85FFBABFD2ADFA9BBE4C82DD9CB1B11369254D5C890C103CD8EBA1FB78474EF0920C252B54EE170EB59D65A6E59DC928B71A65239311E4E5B8FA63D372535D9E93CE6BCE875D3382FA996BE778570DB2BE749F8207B6004368F31A7ADC73D1CE6B21328FBCE4A24F2C0D5D85ACBB1DEED6391BD76855D90E4DBEFA7972132243BA127A69CACACE62BCBCA6A2CF25754A5BC112B5602009188F3BC1BDE6AD1E3212308DFB5EE3D67E5494F7C520DE0932D823CCD75737D7B229124FA0ACD399087759390B9E4F64702CCCD299DD9ACC95AE35EE4BE36EA018DFB95E0A93E78BF3462851D6E916450AF1092B40549400047D6B8729A2A7F025FA8919923C49841993492A8DDA00291113AF21260D3042849512C8A41E1114182E28C2A289298071C93381168D078047B6420F8926C77C8E6206E22BB38D4EB04D2C0E31136919D95B0B7A2F0543E1E09A519A9839FD7146D30DAFB982288FAA4B329584D6556290FF1A64191A2E807E72888D542EA03B022D4819A48A26A44974197BC23D7394B9631A3C98F783ACED0DE13DCCB91D139310A5DAEC31400E49B1051DE96CE91E021592021BFA3198196625E0395C458BCF2A03FC51820C8D236475818B3CE4765AFCBF5C406A563AFF73E357823983A06C07E61BEA316031E4341F9B34B54A52CA306EBEA6918');
INSERT INTO _blocks VALUES(28,28,0,1369,1,NULL,1,3,X'28B52FFD6059042D1200A6A06123306DF4C055D6FC21C586B167F68F8BFC85472E561B4213D6BE5C898828B91A8A680003570059005500FEB4BD8EA9462C223A7A162E556811F1F062058551144D89B0C585319A96B496348E398E6CA5FEEBD27C5EECEE314F4AA9C085258F393071D72C895B6027D299463B46E1C872F252E2E410BC98D679AF5F8EEC76E2F911D30630089BF61C838BF3DA23727F4B5EFC15BAB6E94D1852FD4B3D1235A54B1CB940591AE65E4B088F1A1EE874D0097D4B1637A89F5C4E883AD9A5798A268A281A59123CF5A92D2FEEF71CD638383CD0869E86C86595002A0E8ECA51C27FE169FF9DF736634DF19AC63C10BA46E538EEFDFA8438F4C8E4EFD0089DFDD0488D221FE0C84FFD699DFC521CD9A33AF1233E073AEDC9E6F4BD2E2930081B8DA33C8A7497D6F91E59A93EC96CEAB672E40055C58E612F89ACF47C438F5F5AEDF58917039DDB7E60EB5F5E55B5304E618C3105FB0B954BDD5119517F7DFF3925B0C8B2FDC0A1A71F5E4D7BAAF272AE2D919FB274F22352BC9A174385300830101004A1D56001890146A84195328A19A90948668216B6B00660222172681E124073190AA33094A6A0D008C7CC4C051326582D0620480F87B8ED2301BBEE293D44B09E572660E9A274E68CF33F10E485D90744D0A1384AA025E29701DBEA19C1C5C7B268085DCFC57E887C0EFE52D53252FFD58A2AC0C4B6A9A7FC9A6670A48DFA7CFC02E8AE07DA04FB057C03B86D08A94403A0D80139242870939EB029FA9FDEE8822C749392B83990D80E9E942C63BD069EAF5F6FBF7B71FB717789F7B3CBB0AA6EA6012C901E97');
INSERT INTO _blocks VALUES(29,29,0,790,1,NULL,1,3,X'28B52FFD601602CD0B00D6954222304DD506016BD8D4D312120CC037FCC6ACF3A6D2A256BD55BE31B79F8791115C0A07370039003B00CF8F2F30CD22B09464562A306159C85AC89260F2BCB4D0E65DB0FE71071904111508E2A0E2F310FBA1E4B4113FEE1E635E7E7EA5897E23CE69F4046CD401EEE0D912DB0CF976DBEE4DCBD4F3DBDEF446B646B93C74D06E27957E5C71148EA2CAF27D50E65D005467687B0676F1A201468C2C44697B9E6F0BBD692116F126461E26BD296AA7CF3349A17D80B6319E83780CDA693363D606D1A1717092A6629A65AD8204194553B01AAAB70D0055D5B02E82F49A7F5415B360B21051009B1FC1CAB35B8897D0B45F6FB349210FE9226CF4E8F30395A6DE0F4C56BE29C9B13792A23A2B203002839441EDD2C4C1AC480013405BE10388700B41820896DB4867036154F97DC35441CECAB6C5FBED16660583D8DAB0D7782E676D0A1579CB71807538D5B88A61FB1CF8E08AB7D55B173AAC528100AE2341500A02040E1CBC394650BF1784825780CD440D534BDACE26D0121057');
INSERT INTO _blocks VALUES(31,11,341,633,1,2,0,3,X'28B52FFD607901CD0500C24A2321506BAA0320470349DEC00F165F08A9F11A47842DFFCD28D974C2E2D998419B0A01478C4B251590503A6254C94A0744CA8342246A108FCCE383B67006329350183490314C3305C6B719B80BF6EDB89D02E1E78FE1E27B5E50BC37F69C2033015417A15539B0145145164AF4FDD258436E4AFF5C05DAF163CBCF51A6A6667E9F507ECE090C426EDFF3D2D06F04100080910CD2031F038E00E63248197C6235097F3C600A6D2930E7AA005D04B2C1CA90168A561A530F828C5DE8');
INSERT INTO _blocks VALUES(32,11,341,643,2,3,0,3,X'28B52FFD608301FD0500628B2420506BDA062047436969BF5D73B01C3FE136BAAA6DF1D14C4474A18669647A339C87F7964A2A20A174784F2556522C122AD4229106EF0837B60B377390697C903414E3D6206C9D71EB30BD0A8E6B337017E85BE15618083F6FEC1AD7F302A3FDA1E704880890A908A9C28195884CC44288AE5F926DC709EB9FA7402BDC76F939424C4CC4EB11F6734E58E738B99E9786FE23100080910CD2031F0347AC86B90C52069F804D42C21ED085B6C03057AAB05D04B2C1CA90168A561A530F41076C96');
INSERT INTO _blocks VALUES(33,12,726,484,1,2,0,2,X'7B2274797065223A227472616A6563746F7279222C22736571223A332C2270726F6D7074223A227878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878227D0A7B2274797065223A227472616A6563746F7279222C22736571223A342C2270726F6D7074223A227878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878787878227D0A54864BFB');
INSERT INTO _blocks VALUES(34,13,0,552,1,NULL,1,3,X'28B52FFD6028013D0700C28D2A2150699C03205D70D3B2977DDF80D8482BAF2822A6A5FDD39148423F38CECC6C420F8669BAB2724D4CA2280B83F882304A164C4E235A8326390332A371183420531891251456E5A8B091401DDD46F7A28592D5FBBCC80BCDE7919CBA09886E23065939FF4560106E334C5EF7B63D78D8F61207C5819507FE033C752D452E90E4917924EBCB6AA8B108B739D10AA1D12658793DBF20C7FF1FEBF99FDDEAC6B1B27B0E840BAD5E68217A11170010CA5B0D0278CF68535C6180D97000C705B5512930C7A94601581D0C0B4A0502405C7320B38101D0C6C26A750C51B2BA124702E21E417902DDEE36F1');
INSERT INTO _blocks VALUES(35,13,552,422,1,2,0,4,X'010100000000000000A60100000F18E56BD6E50B0883FF84ACC84D4FE58BC808E9FCAF141861CA1612642AD51E28B52FFD60A6007500002820200A200A02004E40E12605B064D4D97C');
INSERT INTO _blocks VALUES(36,30,0,341,1,NULL,1,2,X'7B2274797065223A2273657373696F6E222C226964223A2230613030303130342D303030302D343030302D383030302D303030303030303030313034222C2276657273696F6E223A332C2274696D657374616D70223A22323032362D31312D31365430343A32323A31302E3030305A222C22637764223A222F686F6D652F736F6D656F6E65227D0A7B2274797065223A226D657373616765222C226964223A223030313034303031222C22706172656E744964223A6E756C6C2C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A2277686174207761732073616964206173206E756D6265722031227D5D2C2274696D657374616D70223A313739343830333939353936317D7D0A32939547');
INSERT INTO _blocks VALUES(37,16,974,211,1,NULL,1,2,X'7B2274797065223A226D657373616765222C226964223A223030313036303035222C22706172656E744964223A223030313036303034222C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A2277686174207761732073616964206173206E756D6265722035227D5D2C2274696D657374616D70223A313739343830343030343135377D7D0AB6078087');
INSERT INTO _blocks VALUES(38,31,0,852,1,NULL,1,3,X'28B52FFD6054023D0900E65035224089A80DBB5899B2C126D2AED26C205A6AC9FC77CC11F1D8375A69E7793447AD634C28002C002A00B8CE2E357DBD0D7A4F1A366DC2933F988870144444E5C14444C5B32FA0276707756F9F7DA5C7FB428DE9C7CB505EC92D0CA59142E0F14E2A3DF9B2DBE69AD9E61A0CA5787202445C30D95ACCC181432A99CA61057F0AFB0AD81FEF63376D3BCEBE919BBEC0328A1CCCBE0848C4C4C46568F73643F5885D232C994C330C6986AA027828854CDB788E7535CECA5535CFA141241A443889270DAA2732ED417330D28A2C206DA495429E36A8B3242120B002A160C8079B311EA4EC4F3A07C36F051978B935C92E8D30C3C1E3821E95823D4E470158C71C41290924AE76CC1B68B31879050EB7D5E1D9BAD41538101011D93A9E952C9AC40BEF3DD6F50423DC35B6');
INSERT INTO _blocks VALUES(39,18,552,1186,1,NULL,1,3,X'28B52FFD60A203AD0800A2CD2E2C9027CD01CFCCCCCCCCCC7862F4B3A365436F428EDAD097FEFDEF932F4784A0D64DA889C03726FBBCA844B70148ADCC310B7307834C682664468C968B90985096758A535CAD4C4B5AAD4B4BD8DAB64C1B5816427D92262B3C514C14A6C6813451D8480D198DBF76701FBC77E48E72E1EA9369F4777E90F38FA76EB0BB026B3DC65EDB02652DD65A286CD9DFA10736E5C7E9AB33828E3C2174F56497D9B51BA7ECBF37CED5B90152CACFDF1982E83F1005122575483222010920052320B022912ADD0142C9A7D78F5B49594106038E40C0E070A3C209A467E504C4F5E3A090E54905BA03216E6971C4450D9FCCE55356D597DF19E4C8E08300524555F02FE558DD216F6019BA61D16C2E36960DB4E44AA70439D293C5');
INSERT INTO _blocks VALUES(40,19,552,211,1,NULL,1,2,X'7B2274797065223A226D657373616765222C226964223A223030313039303033222C22706172656E744964223A223030313039303032222C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A2277686174207761732073616964206173206E756D6265722033227D5D2C2274696D657374616D70223A313739343830343031363434337D7D0A0985CA24');
INSERT INTO _blocks VALUES(41,24,282112,100506,1,NULL,1,3,X'28B52FFDA09A8801008D0600124C2521508B9A0320044676B6DD12355381B8052614B411C3320ACC93399F3CCECC21660D89A32F14229AE6FF172ABD11A00450364586335B8C11B4C467A17142F9BC9084E42A9C77C95D96C3C70F4CE6732A68A092621C215574A8E2C0F1AA43CB035D6B7D4E5DCC913B4EF80F703F02BA025DC1484F3E330A6E4B25591F370A7649868C8FD59F47BFCF8FC4C7D980ADA5E273320FEB48120081AD4704B4D43A7D0C9CC86062E013A0CE9090CE190F50E40C6D65E78C23EC70721D95108E9C29D82767885B06239A86CBA8BB4E69CC3228F8A74F');
INSERT INTO _blocks VALUES(42,25,520,394,1,NULL,1,2,X'7B2274797065223A226D657373616765222C226964223A223030313066303033222C22706172656E744964223A223030313066303032222C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A22616E64207468656E3F227D5D2C2274696D657374616D70223A313739343830343034313031397D7D0A7B2274797065223A226D657373616765222C226964223A223030313066303034222C22706172656E744964223A223030313066303033222C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A22617373697374616E74222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A224E4F5F5245504C59227D5D2C2274696D657374616D70223A313739343830343034313032307D7D0A67DAFB1E');
INSERT INTO _blocks VALUES(43,32,0,914,1,NULL,1,3,X'28B52FFD6092028D0800F24E2F24308D9B03434A7EDAF95DFEFD8FCAF0828C74BADF19CBE50D0A3522C18928B91A8A40E0048A69FA522038104070302860D823C0AD242E1CD716D3549AB370DE8B44D7227C206CB926473ED9D91BF67064C3E407412BB12A47898D0CEAE836BA272DA458BDD0933CA1094114A77606A25BA94DAC9CFF461A841B2926AF7B1B3DC8D8E84918110F565EF80FF0D4B5943DA1914BE6D2585F564FA216E1464FB462545A082B439E6FD8F2FF0BE4F9BFDD6AE7B1B27B0F840BADDE49257A222220C00299408E0F08D946CD48E9FC188E308EB9899690D2F9311CA19CE18F9327ECE1C4C92CC58501D238E0B8788FCA8583C42800EB60382895C0896B1E998D81B4B1A056C71A258B2B8944E31EC17A027581B337');
INSERT INTO _blocks VALUES(44,33,0,715,1,NULL,1,3,X'28B52FFD60CB01D5070032CE2B224089380738DD38926993D8FF0872EC2546EBE21448A2341D89043ABF83296A1D630285696200346D9E81696C251608630C8C738ED7D85B6797E19A167854AE7C51180B2C98EC9E471BA7F24BD047907E4D5F7392EEC3697D9CE448E2F33C5A9A09784D251659197F75B05D850A93B53985DC2214720D02C1C0CA03FF0FC75C2B950B2830414C14EBCBE908626F15729E5522253DB072E3F84549FE3F691CFFB33BCD38566ECED9D5755A23C873241D0046636EE22A21403AF0317084D218FE68E4098D07204E66535C6180D47000C7C5B351B9E120D52800AB836141A94000886B0E64363000DA5858AD8E214A5657E24840DC23284F7D777B23');
INSERT INTO _blocks VALUES(45,33,715,198,1,NULL,1,2,X'7B2274797065223A226D657373616765222C226964223A223030313066303034222C22706172656E744964223A223030313066303033222C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A22617373697374616E74222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A224E4F5F5245504C59227D5D2C2274696D657374616D70223A313739343830343034313032307D7D855ED9FB');
INSERT INTO _blocks VALUES(46,34,0,552,1,NULL,1,3,X'28B52FFD602801350700B24D2A2150699C03205DF9935D13E59686D8482BAF2822A625FAD84D2881278F33739AD9038669626CB169B144B25CF992240056C1E465406AE0A2676C3398A6ADB14D326253484EE5A8A091201D9FC60721DDC8697520E4452EC7895E9A09884FA1F65879FD8AD076D51926EB83EAE022D44105423AB0F2C0FFC3573296C9059475AC7528ECCCE9C7B5B8EA9A688524A409566647BE24C7FF1FECC8FF76A799C6CA0F36BBBA4EEBB310BD081700C0C85B0D0278CF68535C6180D97000C705B5512930C7A94601581D0C0B4A0502405C7320B38101D0C6C26A750C51B2BA124702E21E4179027FABEB9F');
INSERT INTO _blocks VALUES(47,11,0,136,1,NULL,1,2,X'7B2274797065223A2273657373696F6E222C226964223A2230613030303130312D303030302D343030302D383030302D303030303030303030313031222C2276657273696F6E223A332C2274696D657374616D70223A22323032362D31312D31365430343A32323A31302E3030305A222C22637764223A222F686F6D652F736F6D656F6E65227D0A71DE9C6F');
INSERT INTO _blocks VALUES(48,11,136,205,1,3,0,2,X'7B2274797065223A226D657373616765222C226964223A223030313031303031222C22706172656E744964223A6E756C6C2C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A2277686174207761732073616964206173206E756D6265722031227D5D2C2274696D657374616D70223A313739343830333938333637337D7D0A6BAC1119');
INSERT INTO _blocks VALUES(49,11,136,412,3,NULL,1,2,X'7B2274797065223A226D657373616765222C226964223A223030313031303031222C22706172656E744964223A6E756C6C2C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A22616C6C20656C736520697320636F6D706163746564227D5D2C2274696D657374616D70223A313739343830333938333637337D7D0A7B2274797065223A226D657373616765222C226964223A223030313031303032222C22706172656E744964223A223030313031303031222C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A2277686174207761732073616964206173206E756D6265722032227D5D2C2274696D657374616D70223A313739343830333938333637347D7D0A1D8D130B');
INSERT INTO _blocks VALUES(50,12,0,968,2,NULL,1,3,X'28B52FFD60C8020D0200E4027B2274797065223A227472616A6563746F7279222C22736571223A322C2270726F6D7074223A2278227D0A33343505005340891B50E7068AD54DE840A4801EC7625FD9');
INSERT INTO _blocks VALUES(51,13,552,392,2,NULL,1,2,X'7B2274797065223A226D657373616765222C226964223A223030313032303033222C22706172656E744964223A223030313032303032222C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A226F7468657277697365227D5D2C2274696D657374616D70223A313739343830333938373737317D7D0A7B2274797065223A226D657373616765222C226964223A223030313032303034222C22706172656E744964223A223030313032303033222C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A227468616E206265666F7265227D5D2C2274696D657374616D70223A313739343830333938373737327D7D0AF9D01395');
INSERT INTO _blocks VALUES(52,19,763,211,1,NULL,1,2,X'7B2274797065223A226D657373616765222C226964223A223030313039303034222C22706172656E744964223A223030313039303033222C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A2277686174207761732073616964206173206E756D6265722034227D5D2C2274696D657374616D70223A313739343830343031363434347D7D0A1CBB8CA5');
INSERT INTO _blocks VALUES(53,16,1185,60,1,NULL,1,2,X'7B2274797065223A226D657373616765222C226964223A223030313036303036222C22706172656E744964223A223030313036303035222C2274696DFE6FB898');
INSERT INTO _blocks VALUES(54,2,763,422,1,2,0,4,X'010100000000000000A6010000A373999E1DDCE5AFBB6A4D1B13A8E74D23128AA28477FAF05C2E75A6509C2BB928B52FFD60A6007500002820200A200A02004E40E12605B0EF8FFA38');
INSERT INTO _blocks VALUES(56,36,0,726,1,NULL,0,4,X'010100000000000000D6020000BF6BFC9F62F896C5DA1D6F16CCC254F049D77783CDCBC3177AFE56D1F41EA94B28B52FFD60D6018500002020200A2003042BF0BA016D80D9000B82E5FECD');
INSERT INTO _blocks VALUES(57,2,763,195,2,NULL,1,2,X'7B2274797065223A226D657373616765222C226964223A223030323031303034222C22706172656E744964223A223030323031303033222C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A226F7468657277697365227D5D2C2274696D657374616D70223A313739343830353033323235327D7D0A95CF3D0F');
INSERT INTO _blocks VALUES(58,35,0,341,1,NULL,1,2,X'7B2274797065223A2273657373696F6E222C226964223A2230613030303230322D303030302D343030302D383030302D303030303030303030323032222C2276657273696F6E223A332C2274696D657374616D70223A22323032362D31312D31365430343A32323A31302E3030305A222C22637764223A222F686F6D652F736F6D656F6E65227D0A7B2274797065223A226D657373616765222C226964223A223030323032303031222C22706172656E744964223A6E756C6C2C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A2277686174207761732073616964206173206E756D6265722031227D5D2C2274696D657374616D70223A313739343830353033363334357D7D0A5BF243F4');
INSERT INTO _blocks VALUES(59,35,341,844,1,2,0,4,X'0101000000000000004C030000EB3D0BDAB62B1CD757B828281D665B5DBCBF3C02E44074EA79B87FEEAAD9D81428B52FFD604C028D00002020200A200300A456A30227A07093025892F5D7C2');
INSERT INTO _blocks VALUES(60,35,341,1044,2,NULL,1,3,X'28B52FFD601403C5060022CC26215089AA0320057E21699119AE01C496B03C88D9319100760965D1DE308E2A444C0D861873B1C5144BAD844A0A91CC6383A4A118D80CE21A34B0394CB78543932146A6124BB932A114085410CF8F176D107EAE2DFCBEADC04DB06F855B611CFCFC316C7CCF098CF7C79E0F64260042ABBA2A05183A2074609AFAFD92B4869CB8FE390A68855F5B7EAE999A9AF93DE27ECE080D424EBEE765A1FF08180020940CD2031F038E00E6324819F80438071896412AE03B705856C3E0005281EF9626838E0720A1AD77B85085ED22900D5686B450B4D2987A6871957A');
INSERT INTO _blocks VALUES(61,11,548,204,3,NULL,1,2,X'7B2274797065223A226D657373616765222C226964223A223030313031303034222C22706172656E744964223A223030313031303033222C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A2261667465722074776F207265777269746573227D5D2C2274696D657374616D70223A313739343830333938333637367D7D0A0B4E9515');
INSERT INTO _blocks VALUES(62,31,852,197,1,NULL,1,2,X'7B2274797065223A226D657373616765222C226964223A223030313031303034222C22706172656E744964223A223030313031303033222C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A22616E642066757274686572227D5D2C2274696D657374616D70223A313739343830333938333637367D7D0A838FB513');
INSERT INTO _blocks VALUES(63,36,726,242,1,NULL,0,4,X'010100000000000000F20000009994994C2DE088627921EFD2A1594F42E1D739791FC02D2300E13E15583276FD28B52FFD20F25500001820200A01006C0A6001A6BA5A93');
INSERT INTO _blocks VALUES(64,20,2546,704,1,NULL,1,3,X'28B52FFD60C0016D0700B20D2B22308BB60D00F174AF3DBD3F2B96406096C80E6933E0D6FE0BD52E2B3B142E2218504E87285A10558259B82818655568C46ED38FF54194CAB552810CA612A512A62C872862CCC2160945E9DB969067C72CF09A2784E808D6C7D3342BB46EE1C9A07D90EF47FB718DA73B9AB2D308765B63B705AC73BD90A705EB5C3FAFEBF8914C374044804464284C14268B85EB79C869FDD469FAE96CA01FE5063D5DC1E71DCDD3F5D1DE53E779851AFA911800483B80B5CB8F5E2401EC05DEC1C7FE2BED745F705A1DDCDBF2AAEB08E930A954B68868EECC2880CA1CC72C8D46426C23C1C534AC465D7339A30F036340CC0B48');
INSERT INTO _blocks VALUES(65,22,974,211,1,NULL,1,2,X'7B2274797065223A226D657373616765222C226964223A223030313063303035222C22706172656E744964223A223030313063303034222C2274696D657374616D70223A22323032362D31312D31365430343A32323A31312E3030305A222C226D657373616765223A7B22726F6C65223A2275736572222C22636F6E74656E74223A5B7B2274797065223A2274657874222C2274657874223A2277686174207761732073616964206173206E756D6265722035227D5D2C2274696D657374616D70223A313739343830343032383733337D7D0ACF18AB54');
INSERT INTO _tails VALUES(19,X'7B2274797065223A226D657373616765222C226964223A223030313039303035222C22706172656E744964223A223030313039303034222C2274696D657374616D70223A2232',1008451586);
INSERT INTO _files VALUES(1,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303030392D303030302D343030302D383030302D3030303030303030303030392E6A736F6E6C2E64656C657465642E323032362D31312D31365430342D31382D33312E3539335A',1,'place',1,65024,2157585,782,1794985602673559127,1794986681838927352,1,782,X'9511575BD2F782B418A3B4642EDEC746',256,X'6DDB9ED4DB9A5A2DFEAE90CD8CB0C960',782);
INSERT INTO _files VALUES(2,1,X'6167656E74732F6C61622F73657373696F6E732F30613030303230312D303030302D343030302D383030302D3030303030303030303230312E6A736F6E6C',2,'place',0,65024,2158490,763,1794986681863145321,1794986681863145321,0,763,X'31B5277D4590275B81C5E1C4AB0C9807',256,X'13471F0BDDD5E0C41F2ED18AB329CE6B',763);
INSERT INTO _files VALUES(3,1,X'6167656E74732F6C61622F73657373696F6E732F30613030303230332D303030302D343030302D383030302D3030303030303030303230332E6A736F6E6C',3,'place',0,65024,2158491,763,1794986681863607050,1794986681863607050,0,763,X'B9EE6090EACEEE205925C79A902CA959',256,X'CDE7DF005142FFD223881359CBA7F4BA',763);
INSERT INTO _files VALUES(4,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303030312D303030302D343030302D383030302D3030303030303030303030312D746F7069632D372E6A736F6E6C',4,'place',1,65024,2157889,1624,1794985602671087578,1794986681843425364,1,1024,X'03B34A3C12AA10C1E232CC05AA67DAD9',256,X'A33CC07D629B34E1293AAC4366568417',1624);
INSERT INTO _files VALUES(5,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303030332D303030302D343030302D383030302D3030303030303030303030332E6A736F6E6C',5,'place',1,65024,2157810,5564,1794985602672873093,1794986681841886938,1,1024,X'FA3719CC5C25F38D3862213D531DB97A',256,X'B86D51BF670CD4A51BCEA7A9F4B79A24',5564);
INSERT INTO _files VALUES(6,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303030342D303030302D343030302D383030302D3030303030303030303030342E6A736F6E6C',6,'place',1,65024,2157857,4913,1794985602673395303,1794986681842648585,1,1024,X'68C62572D91DB41A541140A26BB70E10',256,X'DEFE90E94FE92851356BAF42102EEAB4',4913);
INSERT INTO _files VALUES(7,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303030352D303030302D343030302D383030302D3030303030303030303030352E6A736F6E6C',7,'place',1,65024,2157665,807,1794985602673395303,1794986681840389884,1,807,X'7ADB895D8FD877288989459C4300E6BA',256,X'E8E1E3C51BCC6F009B7771741C3C1A3D',807);
INSERT INTO _files VALUES(8,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303030362D303030302D343030302D383030302D3030303030303030303030362E6A736F6E6C',8,'place',1,65024,2157745,801,1794985602673395303,1794986681841522805,1,801,X'BD6B0E68BF349F576D55AB2C894DEDC4',256,X'B41AD97C1D7675FB5D54BFC2E7A27101',801);
INSERT INTO _files VALUES(9,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303030372D303030302D343030302D383030302D3030303030303030303030372E6A736F6E6C',9,'place',1,65024,2157475,801,1794985602673395303,1794986681838135330,1,801,X'927182AC55BD7DCEA3F4A9381D48E19D',256,X'A7F9D43EA6BBBCFC18F348E91B411F96',801);
INSERT INTO _files VALUES(10,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303030382D303030302D343030302D383030302D3030303030303030303030382E6A736F6E6C',10,'place',1,65024,2157873,1455,1794985602673395303,1794986681843052448,1,1024,X'011EF2D852D1CB40209B0445DA57C7BB',256,X'10F9FC1AC224E076CC297076E62D2695',1455);
INSERT INTO _files VALUES(11,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130312D303030302D343030302D383030302D3030303030303030303130312E6A736F6E6C',11,'place',1,65024,2158587,752,1794986684497561731,1794986684497561731,1,752,X'CAE2082731A3D42AD4B250D22A70B69D',256,X'947F276D20CCDD64CF5FB089B2B477F7',752);
INSERT INTO _files VALUES(12,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130312D303030302D343030302D383030302D3030303030303030303130312E7472616A6563746F72792E6A736F6E6C',12,'place',1,65024,2158483,968,1794986683052328538,1794986683052328538,1,968,X'1BDDEB18783B6801FB5333968E2F2CF3',256,X'82F5D0156BE13F100AB50F657951B48F',968);
INSERT INTO _files VALUES(13,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130322D303030302D343030302D383030302D3030303030303030303130322E6A736F6E6C',13,'place',1,65024,2157570,944,1794986683051959978,1794986683051959978,1,944,X'1B6609A4E2836343980BAFF5FB6E02B6',256,X'E1467F446BB136F26CA12181C13324E2',944);
INSERT INTO _files VALUES(14,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130332D303030302D343030302D383030302D3030303030303030303130332E6A736F6E6C',NULL,'place',0,65024,2157841,974,1794986681851994812,1794986681851994812,0,974,X'3BC387C14A7F17EEA1D21E5C768E0C49',256,X'8644C286BA0753DB829E6B124CA9D45B',974);
INSERT INTO _files VALUES(15,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130352D303030302D343030302D383030302D3030303030303030303130352E6A736F6E6C',NULL,'place',0,65024,2158049,974,1794986681852412856,1794986681852412856,0,974,X'7410D2C37DFB8C36B38A69E5C7980583',256,X'9C8F841906073ACA238580E8180D0127',974);
INSERT INTO _files VALUES(16,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130362D303030302D343030302D383030302D3030303030303030303130362E6A736F6E6C',16,'place',0,65024,2158113,1245,1794986682209423288,1794986682209423288,0,1024,X'B364BA1B2C570699CC14F61E1E09425E',256,X'5A306F152F0866B1A8A42ED1E47C0CED',1245);
INSERT INTO _files VALUES(17,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130362D303030302D343030302D383030302D3030303030303030303130362E7472616A6563746F72792E6A736F6E6C',17,'place',0,65024,2158484,484,1794986681858937412,1794986681858937412,0,484,X'732CEEA386330FF6C809978461103E0B',256,X'22AEAB10A4C9D68F103E1DC4A7FBDC1C',484);
INSERT INTO _files VALUES(18,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130382D303030302D343030302D383030302D3030303030303030303130382E6A736F6E6C',18,'place',1,65024,2158177,1738,1794986682209935302,1794986682209935302,1,1024,X'001746288D2808FC7BAA8A91181E1AAD',256,X'49FC40D82BC5C6D7ED992E66831EB331',1738);
INSERT INTO _files VALUES(19,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130392D303030302D343030302D383030302D3030303030303030303130392E6A736F6E6C',19,'place',1,65024,2158237,1044,1794986683052224893,1794986683052224893,1,974,X'077E54B7EC2E9964A075AC217237C9D9',256,X'8AF719DFC83918CE47952E9BB42D1B14',1044);
INSERT INTO _files VALUES(20,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130612D303030302D343030302D383030302D3030303030303030303130612E6A736F6E6C',20,'place',1,65024,2158241,3250,1794986688770211071,1794986688770211071,1,1024,X'C62080E6E615D37BA3A1DA405B470954',256,X'63B45B38E1495A9304C8216AC3D2C23E',3250);
INSERT INTO _files VALUES(22,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130632D303030302D343030302D383030302D3030303030303030303130632E6A736F6E6C',22,'place',1,65024,2158138,1185,1794986688770211071,1794986688770211071,1,1024,X'A0ED9B810A553856D2711DF92B0FA2DE',256,X'A35DC5F89A48D4E5200245B816B45931',1185);
INSERT INTO _files VALUES(23,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130642D303030302D343030302D383030302D3030303030303030303130642E6A736F6E6C',23,'place',0,65024,2158145,974,1794986681853661709,1794986681853661709,0,974,X'9D219AC6A6CEC67EE66504DB76FF6271',256,X'8446C36AF71394D7214696D3CD61D28A',974);
INSERT INTO _files VALUES(24,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130652D303030302D343030302D383030302D3030303030303030303130652E6A736F6E6C',24,'place',1,65024,2158481,382618,1794986682209935302,1794986682209935302,1,1024,X'2C510F654879861409A188E7BC3E6E88',256,X'4282EFFCCBE48B8845CB0D8CC8C91572',382618);
INSERT INTO _files VALUES(25,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130662D303030302D343030302D383030302D3030303030303030303130662E6A736F6E6C',25,'place',1,65024,2158482,914,1794986682209935302,1794986682209935302,1,914,X'0103537DE4B9180C1853280F111B14C5',256,X'D7E7C8976CAEDEAD0F2004A2F7D5CE36',914);
INSERT INTO _files VALUES(26,1,X'6167656E74732F6D61696E2F73657373696F6E732F323032362D31312D31365430342D31382D33312D3532355A5F65633737616531612D643865302D343366392D623539642D6537343764653032306531632E6A736F6E6C',26,'place',1,65024,2157458,3967,1794985602673559127,1794986681837767201,1,1024,X'727A01B610AE4B3B4B0D312D648285CD',256,X'2992B1CB6A9A7D3835E7B7A1DD1A8279',3967);
INSERT INTO _files VALUES(27,1,X'6167656E74732F6D61696E2F73657373696F6E732F323032362D31312D31365430342D31382D33312D3534355A5F37393063633231342D363139632D343832642D616264632D3662393738363237363462382E6A736F6E6C',27,'place',1,65024,2157729,2856,1794985602673559127,1794986681841162247,1,1024,X'B03571D9FF3F8FEB8D4DE051144E5D67',256,X'62427D3B63F773174715BCBF8EC55CDE',2856);
INSERT INTO _files VALUES(28,1,X'6167656E74732F6D61696E2F73657373696F6E732F33353261623565642D613834322D343632652D383930372D3034383364646437353732652E6A736F6E6C',28,'place',1,65024,2157601,1369,1794985602673559127,1794986681839283423,1,1024,X'B7BBDF1EB9E66396A11403B055FB60ED',256,X'06193D210FF47FEAAF20A6352104CE52',1369);
INSERT INTO _files VALUES(29,1,X'6167656E74732F6F70732F73657373696F6E732F30613030303030622D303030302D343030302D383030302D3030303030303030303030622E6A736F6E6C',29,'place',1,65024,2156411,790,1794985602674087475,1794986681833561856,1,790,X'8D7118428728ED005C1257DEF824FFA9',256,X'66933E71C7C90AB7F971BA7DEE63B5D0',790);
INSERT INTO _files VALUES(30,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130332D303030302D343030302D383030302D3030303030303030303130332E6A736F6E6C2E72657365742E323032362D31312D31365430342D32322D31342E3532325A',14,'place',1,65024,2157841,974,1794986681851994812,1794986682209041949,1,974,X'3BC387C14A7F17EEA1D21E5C768E0C49',256,X'8644C286BA0753DB829E6B124CA9D45B',974);
INSERT INTO _files VALUES(31,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130352D303030302D343030302D383030302D3030303030303030303130352E6A736F6E6C2E64656C657465642E323032362D31312D31375430392D30302D30302E3030305A',15,'place',1,65024,2158049,974,1794986681852412856,1794986682209423288,1,974,X'7410D2C37DFB8C36B38A69E5C7980583',256,X'9C8F841906073ACA238580E8180D0127',974);
INSERT INTO _files VALUES(32,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130342D303030302D343030302D383030302D3030303030303030303130342E6A736F6E6C',30,'place',1,65024,2157316,341,1794986682209373164,1794986682209373164,1,341,X'6E61F1FAB36609D71533B67992394675',256,X'E4310E9E98F11DC5748FE1C77A16BAD9',341);
INSERT INTO _files VALUES(33,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130372D303030302D343030302D383030302D3030303030303030303130372E6A736F6E6C',31,'place',1,65024,2158588,1049,1794986684497561731,1794986684497561731,1,1024,X'DD5DD41EAF3064C08FD5C9DA98ED782A',256,X'B78014E4AFBAD6610200EF2513F0CCE9',1049);
INSERT INTO _files VALUES(34,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130662D303030302D343030302D383030302D3030303030303030303130662E636865636B706F696E742E30613030303330312D303030302D343030302D383030302D3030303030303030303330312E6A736F6E6C',32,'place',1,65024,2158589,914,1794986682210700815,1794986682210700815,1,914,X'0103537DE4B9180C1853280F111B14C5',256,X'D7E7C8976CAEDEAD0F2004A2F7D5CE36',914);
INSERT INTO _files VALUES(35,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303130662D303030302D343030302D383030302D3030303030303030303130662E6A736F6E6C2E62616B2D33313232332D31373934383032393334363835',33,'place',1,65024,2158590,913,1794986682211171758,1794986682211171758,1,913,X'4D65B407F78E81461351A9BD95F39E2C',256,X'D703EE741CA6CF37F7FE736D4D1893C1',913);
INSERT INTO _files VALUES(36,1,X'6167656E74732F6D61696E2F73657373696F6E732F30613030303330322D303030302D343030302D383030302D3030303030303030303330322E6A736F6E6C2E72657365742E323032362D31312D31375430392D30302D30302E3030305A2E61626162616261626162616261626162616261626162616261626162616261622E7A7374',34,'place',1,65024,2158113,240,1794986683052989765,1794986683052989765,1,0,X'',0,X'',0);
INSERT INTO _files VALUES(37,1,X'6167656E74732F6C61622F6167656E742F6F70656E636C61772D6167656E742E73716C6974652F30613030303230312D303030302D343030302D383030302D3030303030303030303230312E6A736F6E6C',2,'place',1,2158593,8395883027976367590,958,1794802931015000004,1794802931015000000,1,958,X'142FC87000147D3DA3F3C3BD808FAEAB',256,X'0740E11190CD03C382CF08005F6D6F70',958);
INSERT INTO _files VALUES(38,1,X'6167656E74732F6C61622F6167656E742F6F70656E636C61772D6167656E742E73716C6974652F30613030303230322D303030302D343030302D383030302D3030303030303030303230322E6A736F6E6C',35,'place',1,2158593,1354662181936063680,1385,1794802931017000006,1794802931017000000,1,1024,X'F94D0B1EAA24BFCB1BFF8BC4AF143846',256,X'F858DF2E298F9AFE722BD715D873515C',1385);
INSERT INTO _files VALUES(39,1,X'6167656E74732F6C61622F6167656E742F6F70656E636C61772D6167656E742E73716C6974652F30613030303230332D303030302D343030302D383030302D3030303030303030303230332E6A736F6E6C',3,'place',0,2158593,6160726048661206393,763,1794802931004000003,1794802931004000000,0,763,X'B9EE6090EACEEE205925C79A902CA959',256,X'CDE7DF005142FFD223881359CBA7F4BA',763);
INSERT INTO _files VALUES(40,1,X'6167656E74732F6C61622F73657373696F6E2D73716C6974652D696D706F72742D617263686976652F6167656E745F6C61625F6469726563745F3230312E30613030303230312D303030302D343030302D383030302D3030303030303030303230312E6A736F6E6C2E696D706F727465642D31373934383032373332303731',2,'stale',1,65024,2158490,763,1794986681863145321,1794986683625561772,1,0,X'',0,X'',0);
INSERT INTO _files VALUES(41,1,X'6167656E74732F6C61622F73657373696F6E2D73716C6974652D696D706F72742D617263686976652F6167656E745F6C61625F6469726563745F3230332E30613030303230332D303030302D343030302D383030302D3030303030303030303230332E6A736F6E6C2E696D706F727465642D31373934383032373332303731',3,'copy',1,65024,2158491,763,1794986681863607050,1794986683629561772,1,0,X'',0,X'',0);
INSERT INTO _files VALUES(42,1,X'6167656E74732F6C61622F6167656E742F6F70656E636C61772D6167656E742E73716C6974652F30613030303230322D303030302D343030302D383030302D3030303030303030303230322E7472616A6563746F72792E6A736F6E6C',36,'log',1,0,0,0,3,0,0,0,X'',0,X'',0);
INSERT INTO _indexes VALUES(1,1,X'405354415445402F6167656E74732F6C61622F73657373696F6E732F73657373696F6E732E6A736F6E',X'',NULL,NULL,NULL,NULL,NULL);
INSERT INTO _indexes VALUES(2,1,X'405354415445402F6167656E74732F6D61696E2F73657373696F6E732F73657373696F6E732E6A736F6E',X'3863256CBDB8296D67E14655F199DC63',65024,2158145,19654,1794986683053871380,1794986683053871380);
INSERT INTO _indexes VALUES(3,1,X'405354415445402F6167656E74732F6F70732F73657373696F6E732F73657373696F6E732E6A736F6E',X'955732C28E4D38A3A24E63CDD8AD5E71',65024,2156915,513,1794985602674087475,1794986681836354412);
INSERT INTO _indexes VALUES(4,1,X'405354415445402F6167656E74732F6C61622F6167656E742F6F70656E636C61772D6167656E742E73716C697465',X'6D97261F9F8D0D6A527FEC070CD4A18B',65024,2158593,606208,1794986684481561732,1794986684481561732);
INSERT INTO _index_entries VALUES(2,'main','agent:main:cron:job-1',10,X'210D9ED2C1B284EBEDF5AA8605E323C6',1794802711565,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:cron:job-1:run:0c000000-0000-4000-8000-00000000000c',11,X'746A1EA452ED933FB821D0E15E0A58C2',1794802711569,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:direct:101',13,X'2D96DD5A8928E12C3A1956E9D5EF4352',1794802930257,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:direct:102',14,X'1F0B5DD70D0679A6D013D6F1F5B1536A',1794802930258,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:direct:103',15,X'C94154BD44D13BC51843E187AFC2AD18',1794802930010,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:direct:106',17,X'6B5C7B0028C008C5A9456F0EF38F49B7',1794802930262,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:direct:107',28,X'7E30AE192DEDC692BAA9D79341B13944',1794802930263,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:direct:108',18,X'398DCC3A0EA418E19E036D0616303962',1794802930264,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:direct:109',19,X'3DD1E3CCA7834803822C76439B139124',1794802930265,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:direct:10a',20,X'DEB3CCAE888599303BFBAFADA340AE69',1794802930266,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:direct:10c',22,X'91CF676540994BD3B53B8A97DE9DCE81',1794802930020,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:direct:10e',24,X'EF13A895C87D164EE6334A38B083F044',1794802930270,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:direct:10f',25,X'CABFBB23F8A0A50B4371E8683B418828',1794802930271,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:direct:branchy',6,X'70F11272C30D43F909DE60E42495DC2D',1794802711480,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:direct:compacted',8,X'627F2526D012F92C5FF7FD2EBD3AEA41',1794802711554,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:direct:forked',7,X'16CD9DF9267F46F70EBDA26FB5160A0C',1794802711526,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:direct:repaired',12,X'75B538AB59FBE62F8835E550267E39C9',1794802711573,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:main',3,X'14D1F497AC68E7987FDE9BCA1E1A7BDA',1794802717158,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:subagent:0b000000-0000-4000-8000-00000000000b',9,X'1B4524F3D7AECB706F462473C22289FB',1794802711557,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:telegram:direct:4242',5,X'26508C8477FC233866421A2F33547A6C',1794802711412,NULL);
INSERT INTO _index_entries VALUES(2,'main','agent:main:telegram:group:-1001234:topic:7',4,X'92B5A9C32E9B712699E0D571FED438EC',1794802711362,NULL);
INSERT INTO _index_entries VALUES(3,'ops','agent:ops:discord:channel:99',27,X'0CF0A6F5FB3941A79A164DF473F55B2D',1794802711695,NULL);
INSERT INTO _index_entries VALUES(3,'ops','agent:ops:main',26,X'9CC17CFA41CC85813562B2FDB5178321',1794802711594,NULL);
INSERT INTO _index_entries VALUES(4,'lab','agent:lab:direct:201',1,X'9406CCA6EA767EA3AF7905A6D435AC62',1794802931001,NULL);
INSERT INTO _index_entries VALUES(4,'lab','agent:lab:direct:202',29,X'611D15C54CEB742ED4BD1F5E6E0BFAFE',1794802931007,NULL);
INSERT INTO _index_entries VALUES(4,'lab','agent:lab:direct:203',2,X'119A1495A9B821F305A28CFBA44A4210',1794802931003,NULL);
INSERT INTO _cron_logs VALUES(1,1,X'405354415445402F63726F6E2F72756E732F6A6F622D312E6A736F6E6C',834,256,X'F0256E6A98CFE4C244301D15B0AD8ACB',65024,2158487,834,1794986682220054919,1794986682220054919,1);
INSERT INTO _repeats VALUES(33,25);
INSERT INTO _repeats VALUES(38,32);
INSERT INTO _repeats VALUES(104,102);
INSERT INTO _repeats VALUES(135,21);
INSERT INTO _repeats VALUES(139,25);
INSERT INTO _repeats VALUES(144,32);
INSERT INTO _repeats VALUES(148,49);
INSERT INTO _repeats VALUES(150,51);
INSERT INTO _repeats VALUES(153,54);
INSERT INTO _repeats VALUES(188,130);
INSERT INTO _repeats VALUES(190,185);
INSERT INTO _repeats VALUES(193,130);
INSERT INTO _repeats VALUES(195,185);
INSERT INTO _answer_ids VALUES(1,'5e4e0eaf',3);
INSERT INTO _answer_ids VALUES(4,'b196500e',16);
INSERT INTO _answer_ids VALUES(4,'c60285cb',14);
INSERT INTO _answer_ids VALUES(5,'262bace3',38);
INSERT INTO _answer_ids VALUES(5,'3d9b701f',27);
INSERT INTO _answer_ids VALUES(5,'444c4b45',25);
INSERT INTO _answer_ids VALUES(5,'62301552',32);
INSERT INTO _answer_ids VALUES(5,'8ee86bf4',21);
INSERT INTO _answer_ids VALUES(5,'bef19fc4',33);
INSERT INTO _answer_ids VALUES(6,'212cc47c',47);
INSERT INTO _answer_ids VALUES(6,'26777043',43);
INSERT INTO _answer_ids VALUES(6,'33e5f571',51);
INSERT INTO _answer_ids VALUES(6,'5eefecd8',49);
INSERT INTO _answer_ids VALUES(6,'6a2e18b7',54);
INSERT INTO _answer_ids VALUES(6,'82f5e8ca',45);
INSERT INTO _answer_ids VALUES(6,'aedb6f10',41);
INSERT INTO _answer_ids VALUES(7,'2a57e10d',57);
INSERT INTO _answer_ids VALUES(8,'020564ac',60);
INSERT INTO _answer_ids VALUES(9,'cf7bca4e',63);
INSERT INTO _answer_ids VALUES(10,'86dbf819',66);
INSERT INTO _answer_ids VALUES(10,'e82bb0b7',68);
INSERT INTO _answer_ids VALUES(20,'00000002',102);
INSERT INTO _answer_ids VALUES(20,'00000004',104);
INSERT INTO _answer_ids VALUES(20,'00000006',106);
INSERT INTO _answer_ids VALUES(25,'0010f002',130);
INSERT INTO _answer_ids VALUES(25,'0010f004',185);
INSERT INTO _answer_ids VALUES(26,'262bace3',144);
INSERT INTO _answer_ids VALUES(26,'60776fb0',146);
INSERT INTO _answer_ids VALUES(26,'8ee86bf4',135);
INSERT INTO _answer_ids VALUES(26,'bef19fc4',139);
INSERT INTO _answer_ids VALUES(27,'33e5f571',150);
INSERT INTO _answer_ids VALUES(27,'5eefecd8',148);
INSERT INTO _answer_ids VALUES(27,'6a2e18b7',153);
INSERT INTO _answer_ids VALUES(27,'6fa99f20',155);
INSERT INTO _answer_ids VALUES(28,'b288c516',161);
INSERT INTO _answer_ids VALUES(29,'92bf9f00',164);
INSERT INTO _answer_ids VALUES(32,'0010f002',188);
INSERT INTO _answer_ids VALUES(32,'0010f004',190);
INSERT INTO _answer_ids VALUES(33,'0010f002',193);
INSERT INTO _answer_ids VALUES(33,'0010f004',195);
INSERT INTO tombstones VALUES(1,1794986687259,'trajectory','trajectories',17,0,1,0,484,0,1794986687330,34436202);
INSERT INTO tombstones VALUES(2,1794986687260,'trajectory','trajectories',36,0,1,0,968,0,1794986687330,1422552149);
INSERT INTO tombstones VALUES(3,1794986687261,'superseded','superseded',13,0,1,2,422,0,1794986687330,314784087);
INSERT INTO tombstones VALUES(4,1794986687261,'superseded','superseded',2,0,1,2,422,0,1794986687330,1618968878);
INSERT INTO tombstones VALUES(5,1794986687262,'superseded','superseded',35,0,1,4,844,0,1794986687330,203462746);
INSERT INTO tombstones VALUES(6,1794986687263,'tool_results','tool_results',20,0,1,2,849,0,1794986687330,3726451704);
INSERT INTO tombstones VALUES(7,1794986687685,'session','purge',NULL,1,1,2,338,0,1794986687709,1554301653);
INSERT INTO _hash_key VALUES(1,X'109AD2937904DF5CB9045A04150B6BCDB482A1F3AEDD51CBF4F3E5B195DDD000',2678803079);
INSERT INTO _kept_out VALUES(X'6A86E45006E4EC0F5652D377A2F374B7','key',7,0,1915989679);
INSERT INTO _kept_out VALUES(X'719142741C9C47F5B44E65E23B405E20','line',7,0,564327680);
INSERT INTO _kept_out VALUES(X'C1B959265CD12A8507F021036ACEF1A3','session',7,0,627044774);
INSERT INTO _cut_results VALUES(20,683,1,260,0,NULL,761106858);
INSERT INTO _cut_results VALUES(20,1547,1,268,1,NULL,1149545579);
INSERT INTO pins VALUES(1,1,22,NULL,1794986686345,1847819808);
INSERT INTO pins VALUES(2,1,13,NULL,1794986686573,1711500397);
INSERT INTO pins VALUES(3,1,NULL,'0a000103-0000-4000-8000-000000000103',1794986686933,2850879261);
CREATE INDEX sessions_by_status ON sessions(status);
CREATE INDEX session_versions_by_session ON session_versions(session, seen_at);
CREATE INDEX session_ids_by_id ON session_ids(session_id);
CREATE INDEX transcripts_by_lineage ON transcripts(lineage_id);
CREATE INDEX transcripts_rewritten ON transcripts(generation) WHERE generation > 1;
CREATE INDEX transcripts_by_parent ON transcripts(parent_transcript_id) WHERE parent_transcript_id IS NOT NULL;
CREATE INDEX turns_by_transcript ON turns(transcript_id);
CREATE INDEX tool_calls_by_call ON tool_calls(transcript_id, call_id);
CREATE INDEX tool_calls_by_message ON tool_calls(message_id);
CREATE INDEX cron_runs_by_log ON cron_runs(log_id);
CREATE INDEX cron_runs_by_job ON cron_runs(job_id, at);
CREATE INDEX quarantine_by_superseded ON quarantine(superseded_in);
CREATE INDEX sync_events_by_transcript ON sync_events(transcript_id) WHERE transcript_id IS NOT NULL;
CREATE INDEX job_runs_by_job ON job_runs(job, started_at);
CREATE INDEX _blocks_open ON _blocks(transcript_id) WHERE is_open = 1;
CREATE INDEX _files_by_transcript ON _files(transcript_id);
CREATE INDEX _index_entries_by_session ON _index_entries(session);
CREATE INDEX _index_entries_missing ON _index_entries(index_id) WHERE missing_at IS NOT NULL;
CREATE INDEX transcripts_by_tip_turn ON transcripts(tip_turn_id);
CREATE INDEX messages_by_turn ON messages(turn_id);
CREATE INDEX turns_by_parent ON turns(parent_turn_id);
CREATE INDEX _repeats_by_counted ON _repeats(counted_id);
CREATE INDEX messages_by_answer ON messages(transcript_id, at) WHERE role = 'assistant';
CREATE INDEX transcripts_by_start ON transcripts(agent_id, started_at);
CREATE INDEX transcripts_by_session ON transcripts(session_id, installation_id, agent_id);
CREATE INDEX transcripts_of_session ON transcripts(session);
CREATE INDEX sessions_by_session_id ON sessions(session_id);
CREATE INDEX messages_with_faults ON messages(transcript_id) WHERE result_fault IS NOT NULL;
CREATE INDEX tool_calls_pending ON tool_calls(transcript_id) WHERE status = 'pending';
CREATE INDEX turns_in_progress ON turns(transcript_id) WHERE status = 'in_progress';
CREATE INDEX sessions_by_key ON sessions(session_key);
CREATE INDEX sessions_for_lists ON sessions(updated_at, last_interaction_at, created_at, session_started_at, agent_id, channel, status, lifecycle,
  session_key, session_id, installation_id, title, label, display_name, subject);
CREATE INDEX tool_calls_without_result ON tool_calls(transcript_id) WHERE status = 'missing_result';
CREATE INDEX sessions_by_parent ON sessions(parent);
CREATE INDEX sessions_by_parent_key ON sessions(parent_key, parent) WHERE parent_key IS NOT NULL;
CREATE INDEX messages_that_flush ON messages(transcript_id) WHERE silence = 'memory_flush';
CREATE VIEW _searchable AS SELECT id, text FROM messages WHERE text IS NOT NULL AND role IN ('user', 'assistant');
CREATE VIEW _counted_answers AS
SELECT messages.id, messages.transcript_id, messages.at, messages.provider, messages.model, messages.input_tokens,
  messages.output_tokens, messages.cache_read_tokens, messages.cache_write_tokens, messages.total_tokens,
  messages.cost_total, coalesce(messages.total_tokens, messages.cost_total, messages.input_tokens,
    messages.output_tokens, messages.cache_read_tokens, messages.cache_write_tokens) IS NOT NULL AS tells_usage
FROM messages LEFT JOIN _repeats ON _repeats.message_id = messages.id
WHERE messages.role = 'assistant' AND messages.is_delivery_mirror = 0 AND _repeats.message_id IS NULL;
CREATE VIEW _live_answers AS
SELECT messages.id, messages.transcript_id, messages.at, messages.provider, messages.model, messages.input_tokens,
  messages.output_tokens, messages.cache_read_tokens, messages.cache_write_tokens, messages.total_tokens,
  messages.cost_total, coalesce(messages.total_tokens, messages.cost_total, messages.input_tokens,
    messages.output_tokens, messages.cache_read_tokens, messages.cache_write_tokens) IS NOT NULL AS tells_usage
FROM messages CROSS JOIN entries ON entries.id = messages.id
LEFT JOIN _repeats ON _repeats.message_id = messages.id
WHERE messages.role = 'assistant' AND messages.is_delivery_mirror = 0 AND entries.superseded_in IS NULL
AND (_repeats.message_id IS NULL OR messages.id IN (
  SELECT message_id FROM (
    SELECT _repeats.message_id, row_number() OVER (PARTITION BY _repeats.counted_id ORDER BY
        version.at IS counted.at AND version.provider IS counted.provider AND version.model IS counted.model
          AND version.response_id IS counted.response_id AND version.input_tokens IS counted.input_tokens
          AND version.output_tokens IS counted.output_tokens
          AND version.cache_read_tokens IS counted.cache_read_tokens
          AND version.cache_write_tokens IS counted.cache_write_tokens
          AND version.total_tokens IS counted.total_tokens AND version.cost_total IS counted.cost_total DESC,
        coalesce(version.total_tokens, version.cost_total, version.input_tokens, version.output_tokens,
          version.cache_read_tokens, version.cache_write_tokens) IS NULL,
        transcripts.kind IN ('checkpoint', 'backup', 'corrupt', 'import_archive'), line.generation DESC,
        transcripts.started_at DESC, transcripts.id DESC, line.byte_offset DESC) AS place
    FROM _repeats CROSS JOIN entries AS counted_line ON counted_line.id = _repeats.counted_id
    CROSS JOIN entries AS line ON line.id = _repeats.message_id
    CROSS JOIN messages AS counted ON counted.id = counted_line.id
    CROSS JOIN messages AS version ON version.id = line.id
    CROSS JOIN transcripts ON transcripts.id = line.transcript_id
    WHERE counted_line.superseded_in IS NOT NULL AND line.superseded_in IS NULL)
  WHERE place = 1));
CREATE VIEW daily_usage AS
SELECT date(answer.at / 1000, 'unixepoch') AS day,              -- UTC; null = the message has no time
  transcripts.agent_id AS agent_id,                             -- the OpenClaw agent
  count(*) AS messages,                                         -- answers that tell what they used, each once
  CAST(total(answer.input_tokens) AS INTEGER) AS input_tokens,  -- tokens of the prompts that came from no cache
  CAST(total(answer.output_tokens) AS INTEGER) AS output_tokens,  -- tokens of the answers
  CAST(total(answer.cache_read_tokens) AS INTEGER) AS cache_read_tokens,    -- tokens read from the provider's cache
  CAST(total(answer.cache_write_tokens) AS INTEGER) AS cache_write_tokens,  -- tokens written to it
  CAST(total(answer.total_tokens) AS INTEGER) AS total_tokens,  -- all of them
  total(answer.cost_total) AS cost_total                        -- US dollars, as OpenClaw reckoned them
FROM _counted_answers AS answer CROSS JOIN transcripts ON transcripts.id = answer.transcript_id
WHERE answer.tells_usage GROUP BY 1, 2 ORDER BY 1, 2;
CREATE VIEW model_usage AS
SELECT answer.provider AS model_provider,                       -- whose model it is, such as anthropic
  answer.model AS model,                                        -- as the provider names it
  count(*) AS messages,                                         -- answers that tell what they used, each once
  CAST(total(answer.input_tokens) AS INTEGER) AS input_tokens,  -- tokens of the prompts that came from no cache
  CAST(total(answer.output_tokens) AS INTEGER) AS output_tokens,  -- tokens of the answers
  CAST(total(answer.cache_read_tokens) AS INTEGER) AS cache_read_tokens,    -- tokens read from the provider's cache
  CAST(total(answer.cache_write_tokens) AS INTEGER) AS cache_write_tokens,  -- tokens written to it
  CAST(total(answer.total_tokens) AS INTEGER) AS total_tokens,  -- all of them
  total(answer.cost_total) AS cost_total                        -- US dollars, as OpenClaw reckoned them
FROM _counted_answers AS answer WHERE answer.tells_usage GROUP BY 1, 2 ORDER BY cost_total DESC, total_tokens DESC;
CREATE VIEW _dropped_results AS
SELECT call_id, is_error, finished_at FROM (
  SELECT tool_calls.id AS call_id, result.is_error, result.at AS finished_at,
    row_number() OVER (PARTITION BY tool_calls.id ORDER BY result_line.generation DESC, result_line.byte_offset) AS place
  FROM entries AS result_line CROSS JOIN messages AS result ON result.id = result_line.id
  CROSS JOIN tool_calls ON tool_calls.transcript_id = result.transcript_id AND tool_calls.call_id = result.tool_call_id
  CROSS JOIN entries AS line ON line.id = tool_calls.message_id
  WHERE result_line.superseded_in IS NOT NULL AND result.role = 'toolResult'
  AND tool_calls.result_message_id IS NULL AND line.superseded_in IS NOT NULL
  AND line.byte_offset < result_line.byte_offset
  AND line.generation < result_line.superseded_in AND result_line.generation < line.superseded_in)
WHERE place = 1;
CREATE VIEW _counted_calls AS
SELECT tool_calls.id, tool_calls.message_id, tool_calls.name, tool_calls.started_at,
  coalesce(tool_calls.is_error, dropped.is_error) AS is_error,
  coalesce(tool_calls.finished_at, dropped.finished_at) AS finished_at
FROM tool_calls LEFT JOIN _dropped_results AS dropped ON dropped.call_id = tool_calls.id;
CREATE VIEW tool_usage AS
SELECT call.name AS tool,                                       -- the tool's name; null = the call had none
  count(*) AS calls,                                            -- calls of answers that count, each once
  count(nullif(call.is_error, 0)) AS errors,                    -- those that failed
  count(*) - count(call.is_error) AS unanswered,                -- those without a result
  CAST(total(max(call.finished_at - call.started_at, 0)) AS INTEGER) AS duration_ms,  -- from call to result, summed
  CAST(avg(max(call.finished_at - call.started_at, 0)) AS INTEGER) AS mean_duration_ms,  -- null = no call has a result
  max(max(call.finished_at - call.started_at, 0)) AS max_duration_ms  -- the longest
FROM _counted_calls AS call JOIN _counted_answers AS answer ON answer.id = call.message_id
GROUP BY 1 ORDER BY calls DESC, 1;
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
INSERT INTO search (search) VALUES ('rebuild');
PRAGMA user_version = 6;
COMMIT;
