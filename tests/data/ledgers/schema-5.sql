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
, titles_by_label INTEGER NOT NULL DEFAULT 0 /* 1 = a release that calls sessions by their label first (2026.7.1 and later) writes its index */) STRICT;
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
  entry_json TEXT NOT NULL DEFAULT '{}', parent_key TEXT /* session key it hangs on: who spawned it, what it was forked from, or what its own key says (the job of a cron run, the chat of a thread); null = none */, parent INTEGER REFERENCES sessions(id) /* the session of that key; null = none, not seen yet, or it would be its own ancestor */,     -- the entry verbatim: every field OpenClaw stores
  UNIQUE (installation_id, agent_id, session_key)
) STRICT;
CREATE TABLE session_versions (
  id INTEGER PRIMARY KEY,                    -- in the order the changes were read
  session INTEGER NOT NULL REFERENCES sessions(id),  -- whose entry changed
  seen_at INTEGER NOT NULL,                  -- when the change was read
  changed_json TEXT NOT NULL                 -- the changed fields only, with their new values; null = field removed
) STRICT;
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
, append_entry_id TEXT /* entry id that the next entry names as its parent, if it simply goes on */, is_tree_due INTEGER NOT NULL DEFAULT 0 /* 1 = active path and turns are to be worked out anew */, tip_turn_id INTEGER REFERENCES turns(id) DEFERRABLE INITIALLY DEFERRED /* the turn at the tip of the active path */, session INTEGER REFERENCES sessions(id) /* the session it belongs to; null = no index names its session id */, title TEXT /* the user's first words, cut as OpenClaw cuts them; null = none where it looks for them */, mentions TEXT /* words of the user's first messages, their case folded, where no cwd tells the project: those they name are found by them */, folded_cwd TEXT /* cwd with the case of its letters folded, of any alphabet: SQLite itself knows A to Z only */) STRICT;
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
) STRICT;
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
) STRICT;
CREATE TABLE job_runs (
  id INTEGER PRIMARY KEY,                    -- number of this row
  job TEXT NOT NULL,                         -- repair, scrub, retention, backup, optimize
  started_at INTEGER NOT NULL,               -- when it began
  finished_at INTEGER,                       -- when it ended; null = it runs, or was cut short
  ok INTEGER,                                -- 1 = it did what it should, 0 = it failed; null = not ended, or stopped
  summary_json TEXT NOT NULL DEFAULT '{}'    -- what it did, in counts
) STRICT;
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
) STRICT;
CREATE TABLE _hash_key (
  id INTEGER PRIMARY KEY CHECK (id = 1),     -- there is one
  key BLOB NOT NULL                          -- random bytes, made with the first tombstone
) STRICT;
CREATE TABLE _kept_out (
  hash BLOB NOT NULL,                        -- keyed hash of a session id, a session key, or a line
  kind TEXT NOT NULL CHECK (kind IN ('session', 'key', 'line')),  -- which of them
  tombstone_id INTEGER NOT NULL REFERENCES tombstones(id),  -- the removal
  with_forks INTEGER NOT NULL,               -- as its tombstone has it
  PRIMARY KEY (hash, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE _cut_results (
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id),  -- whose line it is
  byte_offset INTEGER NOT NULL,              -- where the line starts
  generation INTEGER NOT NULL,               -- as in entries
  text_bytes INTEGER NOT NULL,               -- as in messages
  says_error INTEGER,                        -- as in messages
  result_fault TEXT,                         -- as in messages
  PRIMARY KEY (transcript_id, byte_offset, generation)
) STRICT, WITHOUT ROWID;
CREATE TABLE pins (
  id INTEGER PRIMARY KEY,                    -- number of this row
  installation_id INTEGER NOT NULL REFERENCES installations(id),  -- where it is
  session INTEGER REFERENCES sessions(id),   -- the pinned session, under whatever key and session id; null = a session id alone
  session_id TEXT,                           -- the pinned session id; null = all of the session
  at INTEGER NOT NULL                        -- since when
) STRICT;
INSERT INTO installations VALUES(1,'@STATE@','host','jsonl',NULL,1794975688127,1);
INSERT INTO sessions VALUES(1,1,'main','agent:main:main','352ab5ed-a842-462e-8907-0483ddd7572e','Hello again after the reset','main',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,'stub-1','stub',4122,16,4122,200000,NULL,NULL,NULL,1794802716270,1794802717153,1794802716270,1794802717158,'idle','live',NULL,'{"sessionId":"352ab5ed-a842-462e-8907-0483ddd7572e","sessionFile":"/home/claw/.openclaw/agents/main/sessions/352ab5ed-a842-462e-8907-0483ddd7572e.jsonl","updatedAt":1794802717158,"systemSent":false,"abortedLastRun":false,"model":"stub-1","modelProvider":"stub","inputTokens":4122,"outputTokens":16,"totalTokens":4122,"totalTokensFresh":true,"sessionStartedAt":1794802716270,"skillsSnapshot":{"skills":[{"name":"clawhub"},{"name":"diagram-maker"},{"name":"healthcheck"},{"name":"meme-maker","requiredEnv":[]},{"name":"node-connect"},{"name":"node-inspect-debugger","requiredEnv":[]},{"name":"notion","primaryEnv":"NOTION_API_TOKEN","requiredEnv":[]},{"name":"python-debugpy","requiredEnv":[]},{"name":"skill-creator"},{"name":"spike"},{"name":"taskflow"},{"name":"taskflow-inbox-triage"},{"name":"tmux","requiredEnv":[]},{"name":"weather"}],"version":1794802716041,"promptFormatVersion":1,"promptRef":{"version":1,"algorithm":"sha256","hash":"23d3029629f2f3ad6993c08bcce49f5b13dd124227eae59a87ca776e101ede75","bytes":4940}},"lastInteractionAt":1794802717153,"lastActivityAt":1794802717153,"contextTokens":200000,"agentHarnessId":"openclaw","systemPromptReport":{"source":"run","generatedAt":1794802716737,"sessionId":"352ab5ed-a842-462e-8907-0483ddd7572e","sessionKey":"agent:main:main","provider":"stub","model":"stub-1","workspaceDir":"/home/claw/workspace","bootstrapMaxChars":20000,"bootstrapTotalMaxChars":60000,"bootstrapTruncation":{"warningMode":"always","warningShown":false,"truncatedFiles":0,"nearLimitFiles":0,"totalNearLimit":false},"sandbox":{"mode":"off","sandboxed":false},"systemPrompt":{"chars":16160,"hash":"9600ce87456504738c1ec5f96d17ff3e48650084b85361a864652b72c94b59d7","projectContextChars":585,"nonProjectContextChars":15575},"injectedWorkspaceFiles":[{"name":"AGENTS.md","path":"/home/claw/workspace/AGENTS.md","missing":true,"rawChars":0,"injectedChars":53,"truncated":false},{"name":"SOUL.md","path":"/home/claw/workspace/SOUL.md","missing":true,"rawChars":0,"injectedChars":51,"truncated":false},{"name":"TOOLS.md","path":"/home/claw/workspace/TOOLS.md","missing":true,"rawChars":0,"injectedChars":52,"truncated":false},{"name":"IDENTITY.md","path":"/home/claw/workspace/IDENTITY.md","missing":true,"rawChars":0,"injectedChars":55,"truncated":false},{"name":"USER.md","path":"/home/claw/workspace/USER.md","missing":true,"rawChars":0,"injectedChars":51,"truncated":false},{"name":"HEARTBEAT.md","path":"/home/claw/workspace/HEARTBEAT.md","missing":true,"rawChars":0,"injectedChars":56,"truncated":false},{"name":"BOOTSTRAP.md","path":"/home/claw/workspace/BOOTSTRAP.md","missing":true,"rawChars":0,"injectedChars":0,"truncated":false}],"skills":{"promptChars":4938,"hash":"e26a9b3ac2163236aaf7571ee31dc09128c6ff096e7d060501830fd9f5ea88cf","entries":[{"name":"clawhub","blockChars":337},{"name":"diagram-maker","blockChars":310},{"name":"healthcheck","blockChars":322},{"name":"meme-maker","blockChars":295},{"name":"node-connect","blockChars":325},{"name":"node-inspect-debugger","blockChars":321},{"name":"notion","blockChars":316},{"name":"python-debugpy","blockChars":309},{"name":"skill-creator","blockChars":303},{"name":"spike","blockChars":295},{"name":"taskflow","blockChars":325},{"name":"taskflow-inbox-triage","blockChars":335},{"name":"tmux","blockChars":313},{"name":"weather","blockChars":333}]},"tools":{"listChars":0,"schemaChars":28613,"entries":[{"name":"read","summaryChars":303,"summaryHash":"b15dd29794ef5562ddee30a6282387ee7b40b9806c10ae2616daf75514ddc1f6","schemaChars":304,"schemaHash":"134f19bcabe3e29d63c5cebb38f1d2556759fd08adad6bc90a4b4d3cd1fb8441","propertiesCount":3},{"name":"edit","summaryChars":326,"summaryHash":"c498a85576e187d069e8e8ea4f70f81bddd57829600d385ef61c4359fd634c9e","schemaChars":834,"schemaHash":"457e8bb9f800b21be76c4fd8c0e3078bf07ee9bf93ac82f39944c171bd8f6d84","propertiesCount":2},{"name":"write","summaryChars":127,"summaryHash":"cdb1c46027b22d1f1b923b47bfe297821d9fe589a9f9d92994961948060a4d89","schemaChars":225,"schemaHash":"e98a2484f667cf7c22d76ca103bf2022bf9113dc63fe38b899e71c328cb1e833","propertiesCount":2},{"name":"apply_patch","summaryChars":132,"summaryHash":"432bf38688a4f011d2b765a441ac07e1fdfa9faf2051679adee04abcd9332d93","schemaChars":153,"schemaHash":"05521268363ff4f191472c90d69ef08a503ba9acf1d2febc50b3ee68db32ab65","propertiesCount":1},{"name":"exec","summaryChars":539,"summaryHash":"4825198988fbfa8ebf5c2a8fbe3946da0be639b1e3b737ceaa4364195bba3f04","schemaChars":1332,"schemaHash":"49dcb29ee9f7016cd248f40cfb44508aac4d6a67d4c9acb52cbd08ad3e3ae893","propertiesCount":12},{"name":"process","summaryChars":456,"summaryHash":"55297e65d460e0e1e06e7fad4cedb75ffda8fac9fa8b10aa06d6cead3c5a76ea","schemaChars":1074,"schemaHash":"a2d30a25569f409d7e8539844c89a088044535388b24031d014577b96ed27c5c","propertiesCount":12},{"name":"nodes","summaryChars":143,"summaryHash":"ea1b0a5498ca3c788b26d164245652e1aaa989806e0123715793ab25f9578121","schemaChars":1782,"schemaHash":"827d777d06a1139d4bc1fc907c0f944b2382e18101854b738eae53185d89a3f9","propertiesCount":32},{"name":"cron","summaryChars":4062,"summaryHash":"7038f1b185a7cdf7a40525eeca91ed39dfd7bbaf85e89027896af264de54b4d9","schemaChars":9606,"schemaHash":"22220ca8ac2b96a6957b1363964bb4c7f17c7b3ec14026c1484d6b6728542714","propertiesCount":15},{"name":"message","summaryChars":71,"summaryHash":"e43fe566f2d93be0d540da64d2a80a6e1a868757fe2fb49fa38e69fccf9fd4b0","schemaChars":5880,"schemaHash":"ffca049e7cdc61f71334a173d57e276aaa34337894751f28b6b1d5a920d979db","propertiesCount":106},{"name":"tts","summaryChars":217,"summaryHash":"652c1970c199d82b61061a40be2adddfc7e5634df5d896d776a8a0047c8a6b75","schemaChars":264,"schemaHash":"e40695f92ef72d913ee5eb13ef738a15d6f33ae3af3ec609975c45991ef99a78","propertiesCount":3},{"name":"gateway","summaryChars":566,"summaryHash":"1bef48b95fc67d7dc10e2f5f0cc3522951b067b762de6c3e77bc446de0f608b1","schemaChars":649,"schemaHash":"1a4f609a948c183832ee8a11c0cfcbe1afddf0732c30c67a593dfcdb630a5ee7","propertiesCount":14},{"name":"agents_list","summaryChars":63,"summaryHash":"a7afb8adbaf98833df68160db0677ec2a6bc30b1b96f3592392c9df59e310c65","schemaChars":33,"schemaHash":"8243f0af367f188a376f2c17b5eabe872a2f7a979813e0d4e2be6d594c2aa259","propertiesCount":0},{"name":"get_goal","summaryChars":71,"summaryHash":"58dea7906d9e17e5f89a75fea24597ee068d8a56af824370dc27f8501374d6e3","schemaChars":33,"schemaHash":"8243f0af367f188a376f2c17b5eabe872a2f7a979813e0d4e2be6d594c2aa259","propertiesCount":0},{"name":"create_goal","summaryChars":155,"summaryHash":"f01e3a63d673a410ba55213ce6bd3fa2b0d2279e8e780c18aa0cb5aa991b29b3","schemaChars":267,"schemaHash":"27ee794432736471bd76390e236cc7d7e98f8469a02656e7a27109041eea0f8c","propertiesCount":2},{"name":"update_goal","summaryChars":212,"summaryHash":"285201690e5f2456b4cdcd252ff391709b84d69538df61bad694d3c0cfc19958","schemaChars":207,"schemaHash":"c37894492eedfad02f1e7fe1488900765bfe547f3b3f34cefbab4f7f57441c2c","propertiesCount":2},{"name":"skill_workshop","summaryChars":171,"summaryHash":"577c1d2b8f56bf3e9dd5e00463bbce8b8bf4cf201da9b21b588dcaa3bc6ed8cf","schemaChars":2298,"schemaHash":"a15f720240f6f8fed5b136844a6868388a4c35170b419a89c570bc560dc27090","propertiesCount":13},{"name":"sessions_list","summaryChars":150,"summaryHash":"6991b34a692cbbecc50302184503776bf8d7317b336d649fcd9373beab5473dc","schemaChars":465,"schemaHash":"89e377fd8694a3b81a5d72a0e9536e1770a127aff3ee539cef01c5af01e59129","propertiesCount":10},{"name":"sessions_history","summaryChars":149,"summaryHash":"09b418c8da696b361c021f66705dab0215a613f6c18a9722767f6129907e0dcd","schemaChars":202,"schemaHash":"7c48bf270e608aa5c167ec15d571b536c626aed56e88d6e760fcf0802bb75cc4","propertiesCount":4},{"name":"sessions_send","summaryChars":282,"summaryHash":"061e9ef3487676bb2a4fd4c0336bd973aaab5eea0725e7443c4cb17518cd1e78","schemaChars":275,"schemaHash":"f1fbaa412fe6b6aee102234c87c5aa140f39c9086f9bae6e1e9691309a602ffb","propertiesCount":5},{"name":"sessions_spawn","summaryChars":578,"summaryHash":"c75061234ba01a4eb29ca223c1c63a44935e9e555ef2ca280722ba9e844db86d","schemaChars":1151,"schemaHash":"9a91c7668463da8a66386260ce2ae97e7efe3bb93b9b6f03ac85102c354457e1","propertiesCount":15},{"name":"sessions_yield","summaryChars":79,"summaryHash":"f3782fc41c1522657e1d3494f486a2df998fed38a6b89dcf7f6934fb41424320","schemaChars":60,"schemaHash":"b1c4c753820bc3096d85ef7a266a14c9fbe12450536db58076b75bb61d14dbbb","propertiesCount":1},{"name":"subagents","summaryChars":132,"summaryHash":"1c2ffd38549c0444b118d43736fc4b875ea1aaabc446bbf8bc1fc4ee9180cca4","schemaChars":122,"schemaHash":"c4a241d2c3d46ba7985abfce4d3fcd63298ce81f89d49183c8f3d584c48d0c33","propertiesCount":2},{"name":"session_status","summaryChars":278,"summaryHash":"71177e543dc6235bad4b1a26761995681dcec27ab58dcb4f4f8a7fc9a7b2b5aa","schemaChars":89,"schemaHash":"d2995f3d69d126e98ac93eec3c2a9fe5556925bd7979a8e4b6b5a2bf62d329dd","propertiesCount":2},{"name":"web_search","summaryChars":65,"summaryHash":"b38e9b3c079beaa988d3c576303660b91a55c2e72f56351da04160529173273f","schemaChars":991,"schemaHash":"3879e368875d824b14e0e683f81408824e9a2a5850fa2f8514a68caebda54d18","propertiesCount":12},{"name":"web_fetch","summaryChars":93,"summaryHash":"8875afbb51bd63673e5e6836ca31eeda73914a464862665cd73b346e28d28fd5","schemaChars":317,"schemaHash":"d2d8ad58a1b84d849dd16142282aff6c5606f7b0e3d08405e1b740a6a79e6bcc","propertiesCount":3}]},"currentTurn":{"promptChars":27,"runtimeContextChars":0}},"contextBudgetStatus":{"schemaVersion":1,"source":"pre-prompt-estimate","updatedAt":1794802716953,"provider":"stub","model":"stub-1","route":"fits","shouldCompact":false,"estimatedPromptTokens":4894,"contextTokenBudget":200000,"promptBudgetBeforeReserve":180000,"reserveTokens":20000,"effectiveReserveTokens":20000,"remainingPromptBudgetTokens":175106,"overflowTokens":0,"toolResultReducibleChars":0,"messageCount":0,"unwindowedMessageCount":0,"sessionId":"352ab5ed-a842-462e-8907-0483ddd7572e"},"cacheRead":0,"cacheWrite":0,"estimatedCostUsd":0.004154}',NULL,NULL);
INSERT INTO sessions VALUES(2,1,'main','agent:main:telegram:group:-1001234:topic:7','0a000001-0000-4000-8000-000000000001','Garden ✿ group','group','telegram','group','-1001234','7',NULL,NULL,'Garden ✿ group',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711362,1794802711362,'idle','live',NULL,'{"sessionId":"0a000001-0000-4000-8000-000000000001","updatedAt":1794802711362,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000001-0000-4000-8000-000000000001-topic-7.jsonl","chatType":"group","subject":"Garden ✿ group","groupId":"-1001234"}','agent:main:telegram:group:-1001234',NULL);
INSERT INTO sessions VALUES(3,1,'main','agent:main:telegram:direct:4242','0a000002-0000-4000-8000-000000000002','Alex','direct','telegram','direct','4242',NULL,NULL,'Alex',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711412,1794802711412,'created','live',NULL,'{"sessionId":"0a000002-0000-4000-8000-000000000002","updatedAt":1794802711412,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000002-0000-4000-8000-000000000002.jsonl","chatType":"direct","displayName":"Alex"}',NULL,NULL);
INSERT INTO sessions VALUES(4,1,'main','agent:main:direct:branchy','0a000003-0000-4000-8000-000000000003','Branches','direct',NULL,'direct','branchy',NULL,'Branches',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711480,1794802711480,'idle','live',NULL,'{"sessionId":"0a000003-0000-4000-8000-000000000003","updatedAt":1794802711480,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000003-0000-4000-8000-000000000003.jsonl","label":"Branches"}',NULL,NULL);
INSERT INTO sessions VALUES(5,1,'main','agent:main:direct:forked','ec77ae1a-d8e0-43f9-b59d-e747de020e1c','First question','direct',NULL,'direct','forked',NULL,NULL,NULL,NULL,NULL,'agent:main:direct:branchy',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711526,1794802711526,'idle','live',NULL,'{"sessionId":"ec77ae1a-d8e0-43f9-b59d-e747de020e1c","sessionFile":"/home/claw/.openclaw/agents/main/sessions/2026-11-16T04-18-31-525Z_ec77ae1a-d8e0-43f9-b59d-e747de020e1c.jsonl","updatedAt":1794802711526,"forkedFromParent":true,"parentSessionKey":"agent:main:direct:branchy"}','agent:main:direct:branchy',4);
INSERT INTO sessions VALUES(6,1,'main','agent:main:direct:compacted','790cc214-619c-482d-abdc-6b97862764b8','Question 5','direct',NULL,'direct','compacted',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711554,1794802711554,'idle','live',NULL,'{"sessionId":"790cc214-619c-482d-abdc-6b97862764b8","updatedAt":1794802711554,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/2026-11-16T04-18-31-545Z_790cc214-619c-482d-abdc-6b97862764b8.jsonl"}',NULL,NULL);
INSERT INTO sessions VALUES(7,1,'main','agent:main:subagent:0b000000-0000-4000-8000-00000000000b','0a000005-0000-4000-8000-000000000005','sub-one','subagent',NULL,NULL,NULL,NULL,'sub-one',NULL,NULL,'agent:main:main',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711557,1794802711557,'idle','live',NULL,'{"sessionId":"0a000005-0000-4000-8000-000000000005","updatedAt":1794802711557,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000005-0000-4000-8000-000000000005.jsonl","spawnedBy":"agent:main:main","spawnDepth":1,"label":"sub-one"}','agent:main:main',1);
INSERT INTO sessions VALUES(8,1,'main','agent:main:cron:job-1','0a000006-0000-4000-8000-000000000006','Cron: nightly','cron',NULL,NULL,NULL,NULL,'Cron: nightly',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711565,1794802711565,'idle','live',NULL,'{"sessionId":"0a000006-0000-4000-8000-000000000006","updatedAt":1794802711565,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000006-0000-4000-8000-000000000006.jsonl","label":"Cron: nightly"}',NULL,NULL);
INSERT INTO sessions VALUES(9,1,'main','agent:main:cron:job-1:run:0c000000-0000-4000-8000-00000000000c','0a000007-0000-4000-8000-000000000007','Cron: nightly','cron_run',NULL,NULL,NULL,NULL,'Cron: nightly',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711569,1794802711569,'idle','live',NULL,'{"sessionId":"0a000007-0000-4000-8000-000000000007","updatedAt":1794802711569,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000007-0000-4000-8000-000000000007.jsonl","label":"Cron: nightly"}','agent:main:cron:job-1',8);
INSERT INTO sessions VALUES(10,1,'main','agent:main:direct:repaired','0a000008-0000-4000-8000-000000000008','About to crash','direct',NULL,'direct','repaired',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711573,1794802711573,'idle','live',NULL,'{"sessionId":"0a000008-0000-4000-8000-000000000008","updatedAt":1794802711573,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000008-0000-4000-8000-000000000008.jsonl"}',NULL,NULL);
INSERT INTO sessions VALUES(11,1,'ops','agent:ops:main','0a00000a-0000-4000-8000-00000000000a','Ops hello','main',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711594,1794802711594,'idle','live',NULL,'{"sessionId":"0a00000a-0000-4000-8000-00000000000a","updatedAt":1794802711594,"sessionFile":"/home/claw/.openclaw/agents/ops/sessions/0a00000a-0000-4000-8000-00000000000a.jsonl"}',NULL,NULL);
INSERT INTO sessions VALUES(12,1,'ops','agent:ops:discord:channel:99','0a00000b-0000-4000-8000-00000000000b','In the channel','channel','discord','channel','99',NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1794802711695,1794802711695,'idle','live',NULL,'{"sessionId":"0a00000b-0000-4000-8000-00000000000b","updatedAt":1794802711695,"sessionFile":"/home/claw/.openclaw/agents/ops/sessions/0a00000b-0000-4000-8000-00000000000b.jsonl","chatType":"channel","groupChannel":"#ops"}',NULL,NULL);
INSERT INTO session_versions VALUES(1,1,1794975688144,'{"sessionId":"352ab5ed-a842-462e-8907-0483ddd7572e","sessionFile":"/home/claw/.openclaw/agents/main/sessions/352ab5ed-a842-462e-8907-0483ddd7572e.jsonl","updatedAt":1794802717158,"systemSent":false,"abortedLastRun":false,"model":"stub-1","modelProvider":"stub","inputTokens":4122,"outputTokens":16,"totalTokens":4122,"totalTokensFresh":true,"sessionStartedAt":1794802716270,"skillsSnapshot":{"skills":[{"name":"clawhub"},{"name":"diagram-maker"},{"name":"healthcheck"},{"name":"meme-maker","requiredEnv":[]},{"name":"node-connect"},{"name":"node-inspect-debugger","requiredEnv":[]},{"name":"notion","primaryEnv":"NOTION_API_TOKEN","requiredEnv":[]},{"name":"python-debugpy","requiredEnv":[]},{"name":"skill-creator"},{"name":"spike"},{"name":"taskflow"},{"name":"taskflow-inbox-triage"},{"name":"tmux","requiredEnv":[]},{"name":"weather"}],"version":1794802716041,"promptFormatVersion":1,"promptRef":{"version":1,"algorithm":"sha256","hash":"23d3029629f2f3ad6993c08bcce49f5b13dd124227eae59a87ca776e101ede75","bytes":4940}},"lastInteractionAt":1794802717153,"lastActivityAt":1794802717153,"contextTokens":200000,"agentHarnessId":"openclaw","systemPromptReport":{"source":"run","generatedAt":1794802716737,"sessionId":"352ab5ed-a842-462e-8907-0483ddd7572e","sessionKey":"agent:main:main","provider":"stub","model":"stub-1","workspaceDir":"/home/claw/workspace","bootstrapMaxChars":20000,"bootstrapTotalMaxChars":60000,"bootstrapTruncation":{"warningMode":"always","warningShown":false,"truncatedFiles":0,"nearLimitFiles":0,"totalNearLimit":false},"sandbox":{"mode":"off","sandboxed":false},"systemPrompt":{"chars":16160,"hash":"9600ce87456504738c1ec5f96d17ff3e48650084b85361a864652b72c94b59d7","projectContextChars":585,"nonProjectContextChars":15575},"injectedWorkspaceFiles":[{"name":"AGENTS.md","path":"/home/claw/workspace/AGENTS.md","missing":true,"rawChars":0,"injectedChars":53,"truncated":false},{"name":"SOUL.md","path":"/home/claw/workspace/SOUL.md","missing":true,"rawChars":0,"injectedChars":51,"truncated":false},{"name":"TOOLS.md","path":"/home/claw/workspace/TOOLS.md","missing":true,"rawChars":0,"injectedChars":52,"truncated":false},{"name":"IDENTITY.md","path":"/home/claw/workspace/IDENTITY.md","missing":true,"rawChars":0,"injectedChars":55,"truncated":false},{"name":"USER.md","path":"/home/claw/workspace/USER.md","missing":true,"rawChars":0,"injectedChars":51,"truncated":false},{"name":"HEARTBEAT.md","path":"/home/claw/workspace/HEARTBEAT.md","missing":true,"rawChars":0,"injectedChars":56,"truncated":false},{"name":"BOOTSTRAP.md","path":"/home/claw/workspace/BOOTSTRAP.md","missing":true,"rawChars":0,"injectedChars":0,"truncated":false}],"skills":{"promptChars":4938,"hash":"e26a9b3ac2163236aaf7571ee31dc09128c6ff096e7d060501830fd9f5ea88cf","entries":[{"name":"clawhub","blockChars":337},{"name":"diagram-maker","blockChars":310},{"name":"healthcheck","blockChars":322},{"name":"meme-maker","blockChars":295},{"name":"node-connect","blockChars":325},{"name":"node-inspect-debugger","blockChars":321},{"name":"notion","blockChars":316},{"name":"python-debugpy","blockChars":309},{"name":"skill-creator","blockChars":303},{"name":"spike","blockChars":295},{"name":"taskflow","blockChars":325},{"name":"taskflow-inbox-triage","blockChars":335},{"name":"tmux","blockChars":313},{"name":"weather","blockChars":333}]},"tools":{"listChars":0,"schemaChars":28613,"entries":[{"name":"read","summaryChars":303,"summaryHash":"b15dd29794ef5562ddee30a6282387ee7b40b9806c10ae2616daf75514ddc1f6","schemaChars":304,"schemaHash":"134f19bcabe3e29d63c5cebb38f1d2556759fd08adad6bc90a4b4d3cd1fb8441","propertiesCount":3},{"name":"edit","summaryChars":326,"summaryHash":"c498a85576e187d069e8e8ea4f70f81bddd57829600d385ef61c4359fd634c9e","schemaChars":834,"schemaHash":"457e8bb9f800b21be76c4fd8c0e3078bf07ee9bf93ac82f39944c171bd8f6d84","propertiesCount":2},{"name":"write","summaryChars":127,"summaryHash":"cdb1c46027b22d1f1b923b47bfe297821d9fe589a9f9d92994961948060a4d89","schemaChars":225,"schemaHash":"e98a2484f667cf7c22d76ca103bf2022bf9113dc63fe38b899e71c328cb1e833","propertiesCount":2},{"name":"apply_patch","summaryChars":132,"summaryHash":"432bf38688a4f011d2b765a441ac07e1fdfa9faf2051679adee04abcd9332d93","schemaChars":153,"schemaHash":"05521268363ff4f191472c90d69ef08a503ba9acf1d2febc50b3ee68db32ab65","propertiesCount":1},{"name":"exec","summaryChars":539,"summaryHash":"4825198988fbfa8ebf5c2a8fbe3946da0be639b1e3b737ceaa4364195bba3f04","schemaChars":1332,"schemaHash":"49dcb29ee9f7016cd248f40cfb44508aac4d6a67d4c9acb52cbd08ad3e3ae893","propertiesCount":12},{"name":"process","summaryChars":456,"summaryHash":"55297e65d460e0e1e06e7fad4cedb75ffda8fac9fa8b10aa06d6cead3c5a76ea","schemaChars":1074,"schemaHash":"a2d30a25569f409d7e8539844c89a088044535388b24031d014577b96ed27c5c","propertiesCount":12},{"name":"nodes","summaryChars":143,"summaryHash":"ea1b0a5498ca3c788b26d164245652e1aaa989806e0123715793ab25f9578121","schemaChars":1782,"schemaHash":"827d777d06a1139d4bc1fc907c0f944b2382e18101854b738eae53185d89a3f9","propertiesCount":32},{"name":"cron","summaryChars":4062,"summaryHash":"7038f1b185a7cdf7a40525eeca91ed39dfd7bbaf85e89027896af264de54b4d9","schemaChars":9606,"schemaHash":"22220ca8ac2b96a6957b1363964bb4c7f17c7b3ec14026c1484d6b6728542714","propertiesCount":15},{"name":"message","summaryChars":71,"summaryHash":"e43fe566f2d93be0d540da64d2a80a6e1a868757fe2fb49fa38e69fccf9fd4b0","schemaChars":5880,"schemaHash":"ffca049e7cdc61f71334a173d57e276aaa34337894751f28b6b1d5a920d979db","propertiesCount":106},{"name":"tts","summaryChars":217,"summaryHash":"652c1970c199d82b61061a40be2adddfc7e5634df5d896d776a8a0047c8a6b75","schemaChars":264,"schemaHash":"e40695f92ef72d913ee5eb13ef738a15d6f33ae3af3ec609975c45991ef99a78","propertiesCount":3},{"name":"gateway","summaryChars":566,"summaryHash":"1bef48b95fc67d7dc10e2f5f0cc3522951b067b762de6c3e77bc446de0f608b1","schemaChars":649,"schemaHash":"1a4f609a948c183832ee8a11c0cfcbe1afddf0732c30c67a593dfcdb630a5ee7","propertiesCount":14},{"name":"agents_list","summaryChars":63,"summaryHash":"a7afb8adbaf98833df68160db0677ec2a6bc30b1b96f3592392c9df59e310c65","schemaChars":33,"schemaHash":"8243f0af367f188a376f2c17b5eabe872a2f7a979813e0d4e2be6d594c2aa259","propertiesCount":0},{"name":"get_goal","summaryChars":71,"summaryHash":"58dea7906d9e17e5f89a75fea24597ee068d8a56af824370dc27f8501374d6e3","schemaChars":33,"schemaHash":"8243f0af367f188a376f2c17b5eabe872a2f7a979813e0d4e2be6d594c2aa259","propertiesCount":0},{"name":"create_goal","summaryChars":155,"summaryHash":"f01e3a63d673a410ba55213ce6bd3fa2b0d2279e8e780c18aa0cb5aa991b29b3","schemaChars":267,"schemaHash":"27ee794432736471bd76390e236cc7d7e98f8469a02656e7a27109041eea0f8c","propertiesCount":2},{"name":"update_goal","summaryChars":212,"summaryHash":"285201690e5f2456b4cdcd252ff391709b84d69538df61bad694d3c0cfc19958","schemaChars":207,"schemaHash":"c37894492eedfad02f1e7fe1488900765bfe547f3b3f34cefbab4f7f57441c2c","propertiesCount":2},{"name":"skill_workshop","summaryChars":171,"summaryHash":"577c1d2b8f56bf3e9dd5e00463bbce8b8bf4cf201da9b21b588dcaa3bc6ed8cf","schemaChars":2298,"schemaHash":"a15f720240f6f8fed5b136844a6868388a4c35170b419a89c570bc560dc27090","propertiesCount":13},{"name":"sessions_list","summaryChars":150,"summaryHash":"6991b34a692cbbecc50302184503776bf8d7317b336d649fcd9373beab5473dc","schemaChars":465,"schemaHash":"89e377fd8694a3b81a5d72a0e9536e1770a127aff3ee539cef01c5af01e59129","propertiesCount":10},{"name":"sessions_history","summaryChars":149,"summaryHash":"09b418c8da696b361c021f66705dab0215a613f6c18a9722767f6129907e0dcd","schemaChars":202,"schemaHash":"7c48bf270e608aa5c167ec15d571b536c626aed56e88d6e760fcf0802bb75cc4","propertiesCount":4},{"name":"sessions_send","summaryChars":282,"summaryHash":"061e9ef3487676bb2a4fd4c0336bd973aaab5eea0725e7443c4cb17518cd1e78","schemaChars":275,"schemaHash":"f1fbaa412fe6b6aee102234c87c5aa140f39c9086f9bae6e1e9691309a602ffb","propertiesCount":5},{"name":"sessions_spawn","summaryChars":578,"summaryHash":"c75061234ba01a4eb29ca223c1c63a44935e9e555ef2ca280722ba9e844db86d","schemaChars":1151,"schemaHash":"9a91c7668463da8a66386260ce2ae97e7efe3bb93b9b6f03ac85102c354457e1","propertiesCount":15},{"name":"sessions_yield","summaryChars":79,"summaryHash":"f3782fc41c1522657e1d3494f486a2df998fed38a6b89dcf7f6934fb41424320","schemaChars":60,"schemaHash":"b1c4c753820bc3096d85ef7a266a14c9fbe12450536db58076b75bb61d14dbbb","propertiesCount":1},{"name":"subagents","summaryChars":132,"summaryHash":"1c2ffd38549c0444b118d43736fc4b875ea1aaabc446bbf8bc1fc4ee9180cca4","schemaChars":122,"schemaHash":"c4a241d2c3d46ba7985abfce4d3fcd63298ce81f89d49183c8f3d584c48d0c33","propertiesCount":2},{"name":"session_status","summaryChars":278,"summaryHash":"71177e543dc6235bad4b1a26761995681dcec27ab58dcb4f4f8a7fc9a7b2b5aa","schemaChars":89,"schemaHash":"d2995f3d69d126e98ac93eec3c2a9fe5556925bd7979a8e4b6b5a2bf62d329dd","propertiesCount":2},{"name":"web_search","summaryChars":65,"summaryHash":"b38e9b3c079beaa988d3c576303660b91a55c2e72f56351da04160529173273f","schemaChars":991,"schemaHash":"3879e368875d824b14e0e683f81408824e9a2a5850fa2f8514a68caebda54d18","propertiesCount":12},{"name":"web_fetch","summaryChars":93,"summaryHash":"8875afbb51bd63673e5e6836ca31eeda73914a464862665cd73b346e28d28fd5","schemaChars":317,"schemaHash":"d2d8ad58a1b84d849dd16142282aff6c5606f7b0e3d08405e1b740a6a79e6bcc","propertiesCount":3}]},"currentTurn":{"promptChars":27,"runtimeContextChars":0}},"contextBudgetStatus":{"schemaVersion":1,"source":"pre-prompt-estimate","updatedAt":1794802716953,"provider":"stub","model":"stub-1","route":"fits","shouldCompact":false,"estimatedPromptTokens":4894,"contextTokenBudget":200000,"promptBudgetBeforeReserve":180000,"reserveTokens":20000,"effectiveReserveTokens":20000,"remainingPromptBudgetTokens":175106,"overflowTokens":0,"toolResultReducibleChars":0,"messageCount":0,"unwindowedMessageCount":0,"sessionId":"352ab5ed-a842-462e-8907-0483ddd7572e"},"cacheRead":0,"cacheWrite":0,"estimatedCostUsd":0.004154}');
INSERT INTO session_versions VALUES(2,2,1794975688144,'{"sessionId":"0a000001-0000-4000-8000-000000000001","updatedAt":1794802711362,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000001-0000-4000-8000-000000000001-topic-7.jsonl","chatType":"group","subject":"Garden ✿ group","groupId":"-1001234"}');
INSERT INTO session_versions VALUES(3,3,1794975688144,'{"sessionId":"0a000002-0000-4000-8000-000000000002","updatedAt":1794802711412,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000002-0000-4000-8000-000000000002.jsonl","chatType":"direct","displayName":"Alex"}');
INSERT INTO session_versions VALUES(4,4,1794975688144,'{"sessionId":"0a000003-0000-4000-8000-000000000003","updatedAt":1794802711480,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000003-0000-4000-8000-000000000003.jsonl","label":"Branches"}');
INSERT INTO session_versions VALUES(5,5,1794975688144,'{"sessionId":"ec77ae1a-d8e0-43f9-b59d-e747de020e1c","sessionFile":"/home/claw/.openclaw/agents/main/sessions/2026-11-16T04-18-31-525Z_ec77ae1a-d8e0-43f9-b59d-e747de020e1c.jsonl","updatedAt":1794802711526,"forkedFromParent":true,"parentSessionKey":"agent:main:direct:branchy"}');
INSERT INTO session_versions VALUES(6,6,1794975688144,'{"sessionId":"790cc214-619c-482d-abdc-6b97862764b8","updatedAt":1794802711554,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/2026-11-16T04-18-31-545Z_790cc214-619c-482d-abdc-6b97862764b8.jsonl"}');
INSERT INTO session_versions VALUES(7,7,1794975688144,'{"sessionId":"0a000005-0000-4000-8000-000000000005","updatedAt":1794802711557,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000005-0000-4000-8000-000000000005.jsonl","spawnedBy":"agent:main:main","spawnDepth":1,"label":"sub-one"}');
INSERT INTO session_versions VALUES(8,8,1794975688144,'{"sessionId":"0a000006-0000-4000-8000-000000000006","updatedAt":1794802711565,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000006-0000-4000-8000-000000000006.jsonl","label":"Cron: nightly"}');
INSERT INTO session_versions VALUES(9,9,1794975688144,'{"sessionId":"0a000007-0000-4000-8000-000000000007","updatedAt":1794802711569,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000007-0000-4000-8000-000000000007.jsonl","label":"Cron: nightly"}');
INSERT INTO session_versions VALUES(10,10,1794975688144,'{"sessionId":"0a000008-0000-4000-8000-000000000008","updatedAt":1794802711573,"sessionFile":"/home/claw/.openclaw/agents/main/sessions/0a000008-0000-4000-8000-000000000008.jsonl"}');
INSERT INTO session_versions VALUES(11,11,1794975688144,'{"sessionId":"0a00000a-0000-4000-8000-00000000000a","updatedAt":1794802711594,"sessionFile":"/home/claw/.openclaw/agents/ops/sessions/0a00000a-0000-4000-8000-00000000000a.jsonl"}');
INSERT INTO session_versions VALUES(12,12,1794975688144,'{"sessionId":"0a00000b-0000-4000-8000-00000000000b","updatedAt":1794802711695,"sessionFile":"/home/claw/.openclaw/agents/ops/sessions/0a00000b-0000-4000-8000-00000000000b.jsonl","chatType":"channel","groupChannel":"#ops"}');
INSERT INTO session_ids VALUES(1,1,'352ab5ed-a842-462e-8907-0483ddd7572e','agent:main:main','main',1794975688144,1794975688144,NULL);
INSERT INTO session_ids VALUES(2,2,'0a000001-0000-4000-8000-000000000001','agent:main:telegram:group:-1001234:topic:7','main',1794975688144,1794975688144,NULL);
INSERT INTO session_ids VALUES(3,3,'0a000002-0000-4000-8000-000000000002','agent:main:telegram:direct:4242','main',1794975688144,1794975688144,NULL);
INSERT INTO session_ids VALUES(4,4,'0a000003-0000-4000-8000-000000000003','agent:main:direct:branchy','main',1794975688144,1794975688144,NULL);
INSERT INTO session_ids VALUES(5,5,'ec77ae1a-d8e0-43f9-b59d-e747de020e1c','agent:main:direct:forked','main',1794975688144,1794975688144,NULL);
INSERT INTO session_ids VALUES(6,6,'790cc214-619c-482d-abdc-6b97862764b8','agent:main:direct:compacted','main',1794975688144,1794975688144,NULL);
INSERT INTO session_ids VALUES(7,7,'0a000005-0000-4000-8000-000000000005','agent:main:subagent:0b000000-0000-4000-8000-00000000000b','main',1794975688144,1794975688144,NULL);
INSERT INTO session_ids VALUES(8,8,'0a000006-0000-4000-8000-000000000006','agent:main:cron:job-1','main',1794975688144,1794975688144,NULL);
INSERT INTO session_ids VALUES(9,9,'0a000007-0000-4000-8000-000000000007','agent:main:cron:job-1:run:0c000000-0000-4000-8000-00000000000c','main',1794975688144,1794975688144,NULL);
INSERT INTO session_ids VALUES(10,10,'0a000008-0000-4000-8000-000000000008','agent:main:direct:repaired','main',1794975688144,1794975688144,NULL);
INSERT INTO session_ids VALUES(11,11,'0a00000a-0000-4000-8000-00000000000a','agent:ops:main','ops',1794975688144,1794975688144,NULL);
INSERT INTO session_ids VALUES(12,12,'0a00000b-0000-4000-8000-00000000000b','agent:ops:discord:channel:99','ops',1794975688144,1794975688144,NULL);
INSERT INTO transcripts VALUES(1,1,'main','0a000009-0000-4000-8000-000000000009',NULL,'@STATE@/agents/main/sessions/0a000009-0000-4000-8000-000000000009.jsonl.deleted.2026-11-16T04-18-31.593Z','deleted',NULL,NULL,1,'/home/claw','3',1794802711588,'5e4e0eaf',1,782,3,0,782,'ae3f0b69827022ee77deeb42564aeb19cf6926baa8aae3b230254fc754ae724b','archived',5,1794975688128,1794975688128,'5e4e0eaf',0,1,NULL,'Delete me',NULL,'/home/claw');
INSERT INTO transcripts VALUES(2,1,'main','7e43ba47-0cbe-40b4-b916-3f4f519a1810',NULL,'@STATE@/agents/main/sessions/7e43ba47-0cbe-40b4-b916-3f4f519a1810.jsonl.reset.2026-11-16T04-18-31.354Z','reset',NULL,NULL,2,'/home/claw/workspace','3',1794802657504,'23e92ec9',1,20579,23,0,20579,'553690f6570c02dab82500f95a37a56e4d81a96a8d96a5aa98e70436e19d37df','archived',5,1794975688129,1794975688133,'23e92ec9',0,8,NULL,'Hello, what can you do?',NULL,'/home/claw/workspace');
INSERT INTO transcripts VALUES(3,1,'main','0a000001-0000-4000-8000-000000000001','7','@STATE@/agents/main/sessions/0a000001-0000-4000-8000-000000000001-topic-7.jsonl','primary',NULL,NULL,3,'/home/claw','3',1794802711376,'b196500e',1,1624,5,0,1624,NULL,'live',5,1794975688135,1794975688135,'b196500e',0,10,2,'Grüße aus Köln — 你好, 🌻 and a line separator',NULL,'/home/claw');
INSERT INTO transcripts VALUES(4,1,'main','0a000003-0000-4000-8000-000000000003',NULL,'@STATE@/agents/main/sessions/0a000003-0000-4000-8000-000000000003.jsonl','primary',NULL,NULL,4,'/home/claw','3',1794802711482,'262bace3',1,5564,22,0,5564,NULL,'live',5,1794975688135,1794975688136,'262bace3',0,15,4,'First question',NULL,'/home/claw');
INSERT INTO transcripts VALUES(5,1,'main','0a000004-0000-4000-8000-000000000004',NULL,'@STATE@/agents/main/sessions/0a000004-0000-4000-8000-000000000004.jsonl','primary',NULL,NULL,5,'/home/claw','3',1794802711531,'6a2e18b7',1,4913,16,0,4913,NULL,'live',5,1794975688136,1794975688136,'6a2e18b7',0,22,NULL,'Question 0',NULL,'/home/claw');
INSERT INTO transcripts VALUES(6,1,'main','0a000005-0000-4000-8000-000000000005',NULL,'@STATE@/agents/main/sessions/0a000005-0000-4000-8000-000000000005.jsonl','primary',NULL,NULL,6,'/home/claw','3',1794802711561,'2a57e10d',1,807,3,0,807,NULL,'live',5,1794975688136,1794975688136,'2a57e10d',0,23,7,'[Subagent Task] count the files',NULL,'/home/claw');
INSERT INTO transcripts VALUES(7,1,'main','0a000006-0000-4000-8000-000000000006',NULL,'@STATE@/agents/main/sessions/0a000006-0000-4000-8000-000000000006.jsonl','primary',NULL,NULL,7,'/home/claw','3',1794802711568,'020564ac',1,801,3,0,801,NULL,'live',5,1794975688136,1794975688136,'020564ac',0,24,8,'[cron:job-1 nightly] report',NULL,'/home/claw');
INSERT INTO transcripts VALUES(8,1,'main','0a000007-0000-4000-8000-000000000007',NULL,'@STATE@/agents/main/sessions/0a000007-0000-4000-8000-000000000007.jsonl','primary',NULL,NULL,8,'/home/claw','3',1794802711572,'cf7bca4e',1,801,3,0,801,NULL,'live',5,1794975688136,1794975688136,'cf7bca4e',0,25,9,'[cron:job-1 nightly] report',NULL,'/home/claw');
INSERT INTO transcripts VALUES(9,1,'main','0a000008-0000-4000-8000-000000000008',NULL,'@STATE@/agents/main/sessions/0a000008-0000-4000-8000-000000000008.jsonl','primary',NULL,NULL,9,'/home/claw','3',1794802711577,'e82bb0b7',1,1455,5,0,1455,NULL,'live',5,1794975688137,1794975688137,'e82bb0b7',0,27,10,'About to crash',NULL,'/home/claw');
INSERT INTO transcripts VALUES(10,1,'main','ec77ae1a-d8e0-43f9-b59d-e747de020e1c',NULL,'@STATE@/agents/main/sessions/2026-11-16T04-18-31-525Z_ec77ae1a-d8e0-43f9-b59d-e747de020e1c.jsonl','fork',4,'/home/claw/.openclaw/agents/main/sessions/0a000003-0000-4000-8000-000000000003.jsonl',4,'/home/claw','3',1794802711525,'60776fb0',1,3967,16,0,3967,NULL,'live',5,1794975688137,1794975688137,'60776fb0',0,31,5,'First question',NULL,'/home/claw');
INSERT INTO transcripts VALUES(11,1,'main','790cc214-619c-482d-abdc-6b97862764b8',NULL,'@STATE@/agents/main/sessions/2026-11-16T04-18-31-545Z_790cc214-619c-482d-abdc-6b97862764b8.jsonl','successor',5,'/home/claw/.openclaw/agents/main/sessions/0a000004-0000-4000-8000-000000000004.jsonl',5,'/home/claw','3',1794802711545,'6fa99f20',1,2856,9,0,2856,NULL,'live',5,1794975688137,1794975688137,'6fa99f20',0,35,6,'Question 5',NULL,'/home/claw');
INSERT INTO transcripts VALUES(12,1,'main','352ab5ed-a842-462e-8907-0483ddd7572e',NULL,'@STATE@/agents/main/sessions/352ab5ed-a842-462e-8907-0483ddd7572e.jsonl','primary',NULL,NULL,12,'/home/claw/workspace','3',1794802711353,'b288c516',1,1369,6,0,1369,NULL,'live',5,1794975688137,1794975688137,'b288c516',0,36,1,'Hello again after the reset',NULL,'/home/claw/workspace');
INSERT INTO transcripts VALUES(13,1,'ops','0a00000a-0000-4000-8000-00000000000a',NULL,'@STATE@/agents/ops/sessions/0a00000a-0000-4000-8000-00000000000a.jsonl','primary',NULL,NULL,13,'/home/claw','3',1794802711596,'368dabe9',1,8321,23,0,8321,NULL,'live',5,1794975688137,1794975688138,'368dabe9',0,47,11,'Ops hello',NULL,'/home/claw');
INSERT INTO transcripts VALUES(14,1,'ops','0a00000b-0000-4000-8000-00000000000b',NULL,'@STATE@/agents/ops/sessions/0a00000b-0000-4000-8000-00000000000b.jsonl','primary',NULL,NULL,14,'/home/claw','3',1794802711698,'92bf9f00',1,790,3,0,790,NULL,'live',5,1794975688138,1794975688138,'92bf9f00',0,48,12,'In the channel',NULL,'/home/claw');
INSERT INTO entries VALUES(1,1,1,0,133,1,NULL,'0a000009-0000-4000-8000-000000000009',NULL,'session',1794802711588,0,0,NULL);
INSERT INTO entries VALUES(2,1,2,133,189,1,NULL,'4c8a5517',NULL,'message',1794802711588,1,0,NULL);
INSERT INTO entries VALUES(3,1,3,322,460,1,NULL,'5e4e0eaf','4c8a5517','message',1794802711588,1,0,NULL);
INSERT INTO entries VALUES(4,2,1,0,143,1,NULL,'7e43ba47-0cbe-40b4-b916-3f4f519a1810',NULL,'session',1794802657504,0,0,NULL);
INSERT INTO entries VALUES(5,2,2,143,132,1,NULL,'2c704d7d',NULL,'model_change',1794802657516,1,0,NULL);
INSERT INTO entries VALUES(6,2,3,275,135,1,NULL,'32979e3b','2c704d7d','thinking_level_change',1794802657516,1,0,NULL);
INSERT INTO entries VALUES(7,2,4,410,229,1,NULL,'36905f33','32979e3b','custom',1794802657614,1,0,NULL);
INSERT INTO entries VALUES(8,2,5,639,184,1,NULL,'adb3fa19','36905f33','message',1794802657673,1,0,NULL);
INSERT INTO entries VALUES(9,2,6,823,565,1,NULL,'af70e6f7','adb3fa19','message',1794802657786,1,0,NULL);
INSERT INTO entries VALUES(10,2,7,1388,199,1,NULL,'bf45bb22','af70e6f7','message',1794802663345,1,0,NULL);
INSERT INTO entries VALUES(11,2,8,1587,637,1,NULL,'94ca6922','bf45bb22','message',1794802663566,1,0,NULL);
INSERT INTO entries VALUES(12,2,9,2224,210,1,NULL,'c73a0c30','94ca6922','message',1794802669665,1,0,NULL);
INSERT INTO entries VALUES(13,2,10,2434,659,1,NULL,'1d6abadc','c73a0c30','message',1794802669868,1,0,NULL);
INSERT INTO entries VALUES(14,2,11,3093,434,1,NULL,'6f671bc4','1d6abadc','message',1794802670370,1,0,NULL);
INSERT INTO entries VALUES(15,2,12,3527,533,1,NULL,'85d68152','6f671bc4','message',1794802670509,1,0,NULL);
INSERT INTO entries VALUES(16,2,13,4060,176,1,NULL,'72322458','85d68152','message',1794802678528,1,0,NULL);
INSERT INTO entries VALUES(17,2,14,4236,755,1,NULL,'a9dbadc6','72322458','message',1794802678638,1,0,NULL);
INSERT INTO entries VALUES(18,2,15,4991,440,1,NULL,'d482faae','a9dbadc6','message',1794802678847,1,0,NULL);
INSERT INTO entries VALUES(19,2,16,5431,436,1,NULL,'f543e08f','d482faae','message',1794802678850,1,0,NULL);
INSERT INTO entries VALUES(20,2,17,5867,533,1,NULL,'ec6af725','f543e08f','message',1794802678918,1,0,NULL);
INSERT INTO entries VALUES(21,2,18,6400,180,1,NULL,'adb9349f','ec6af725','message',1794802687271,1,0,NULL);
INSERT INTO entries VALUES(22,2,19,6580,12499,1,NULL,'ba3644b8','adb9349f','message',1794802687486,1,0,NULL);
INSERT INTO entries VALUES(23,2,20,19079,179,1,NULL,'69d8e5d4','ba3644b8','message',1794802697658,1,0,NULL);
INSERT INTO entries VALUES(24,2,21,19258,603,1,NULL,'3698e72f','69d8e5d4','message',1794802699181,1,0,NULL);
INSERT INTO entries VALUES(25,2,22,19861,182,1,NULL,'4363cb82','3698e72f','message',1794802705816,1,0,NULL);
INSERT INTO entries VALUES(26,2,23,20043,536,1,NULL,'23e92ec9','4363cb82','message',1794802705947,1,0,NULL);
INSERT INTO entries VALUES(27,3,1,0,133,1,NULL,'0a000001-0000-4000-8000-000000000001',NULL,'session',1794802711376,0,0,NULL);
INSERT INTO entries VALUES(28,3,2,133,239,1,NULL,'80ba7bd5',NULL,'message',1794802711386,1,0,NULL);
INSERT INTO entries VALUES(29,3,3,372,515,1,NULL,'c60285cb','80ba7bd5','message',1794802711390,1,0,NULL);
INSERT INTO entries VALUES(30,3,4,887,232,1,NULL,'ae4e43d4','c60285cb','message',1794802711406,1,0,'surrogate');
INSERT INTO entries VALUES(31,3,5,1119,505,1,NULL,'b196500e','ae4e43d4','message',1794802711410,1,0,NULL);
INSERT INTO entries VALUES(32,4,1,0,133,1,NULL,'0a000003-0000-4000-8000-000000000003',NULL,'session',1794802711482,0,0,NULL);
INSERT INTO entries VALUES(33,4,2,133,142,1,NULL,'adf9e565',NULL,'model_change',1794802711482,1,0,NULL);
INSERT INTO entries VALUES(34,4,3,275,132,1,NULL,'c3a0f9a4','adf9e565','thinking_level_change',1794802711482,1,0,NULL);
INSERT INTO entries VALUES(35,4,4,407,200,1,NULL,'c2a24174','c3a0f9a4','message',1794802711483,1,0,NULL);
INSERT INTO entries VALUES(36,4,5,607,463,1,NULL,'8ee86bf4','c2a24174','message',1794802711483,1,0,NULL);
INSERT INTO entries VALUES(37,4,6,1070,137,1,NULL,'d0ec25a2','8ee86bf4','label',1794802711484,1,0,NULL);
INSERT INTO entries VALUES(38,4,7,1207,126,1,NULL,'27a8e459','d0ec25a2','session_info',1794802711485,1,0,NULL);
INSERT INTO entries VALUES(39,4,8,1333,201,1,NULL,'34ffccf0','27a8e459','message',1794802711485,1,0,NULL);
INSERT INTO entries VALUES(40,4,9,1534,464,1,NULL,'444c4b45','34ffccf0','message',1794802711485,0,0,NULL);
INSERT INTO entries VALUES(41,4,10,1998,220,1,NULL,'e6a8447b','8ee86bf4','message',1794802711486,0,0,NULL);
INSERT INTO entries VALUES(42,4,11,2218,476,1,NULL,'3d9b701f','e6a8447b','message',1794802711486,0,0,NULL);
INSERT INTO entries VALUES(43,4,12,2694,171,1,NULL,'992341ff','444c4b45','branch_summary',1794802711488,0,0,NULL);
INSERT INTO entries VALUES(44,4,13,2865,175,1,NULL,'20060a0a','992341ff','custom',1794802711488,0,0,NULL);
INSERT INTO entries VALUES(45,4,14,3040,188,1,NULL,'92c86f44','20060a0a','custom_message',1794802711489,0,0,NULL);
INSERT INTO entries VALUES(46,4,15,3228,200,1,NULL,'205524c1','92c86f44','message',1794802711489,0,0,NULL);
INSERT INTO entries VALUES(47,4,16,3428,463,1,NULL,'62301552','205524c1','message',1794802711489,0,0,NULL);
INSERT INTO entries VALUES(48,4,17,3891,476,1,NULL,'bef19fc4','34ffccf0','message',1794802711499,1,0,NULL);
INSERT INTO entries VALUES(49,4,18,4367,171,1,NULL,'f7b098a9','bef19fc4','branch_summary',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(50,4,19,4538,175,1,NULL,'e418d2e4','f7b098a9','custom',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(51,4,20,4713,188,1,NULL,'1c6d8a42','e418d2e4','custom_message',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(52,4,21,4901,200,1,NULL,'ac52d680','1c6d8a42','message',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(53,4,22,5101,463,1,NULL,'262bace3','ac52d680','message',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(54,5,1,0,133,1,NULL,'0a000004-0000-4000-8000-000000000004',NULL,'session',1794802711531,0,0,NULL);
INSERT INTO entries VALUES(55,5,2,133,190,1,NULL,'f8c2f3e5',NULL,'message',1794802711531,1,0,NULL);
INSERT INTO entries VALUES(56,5,3,323,459,1,NULL,'aedb6f10','f8c2f3e5','message',1794802711532,1,0,NULL);
INSERT INTO entries VALUES(57,5,4,782,196,1,NULL,'90b8e5b0','aedb6f10','message',1794802711532,1,0,NULL);
INSERT INTO entries VALUES(58,5,5,978,459,1,NULL,'26777043','90b8e5b0','message',1794802711533,1,0,NULL);
INSERT INTO entries VALUES(59,5,6,1437,196,1,NULL,'e006a265','26777043','message',1794802711534,1,0,NULL);
INSERT INTO entries VALUES(60,5,7,1633,459,1,NULL,'82f5e8ca','e006a265','message',1794802711534,1,0,NULL);
INSERT INTO entries VALUES(61,5,8,2092,196,1,NULL,'bc759925','82f5e8ca','message',1794802711535,1,0,NULL);
INSERT INTO entries VALUES(62,5,9,2288,459,1,NULL,'212cc47c','bc759925','message',1794802711535,1,0,NULL);
INSERT INTO entries VALUES(63,5,10,2747,196,1,NULL,'8b44b717','212cc47c','message',1794802711535,1,0,NULL);
INSERT INTO entries VALUES(64,5,11,2943,459,1,NULL,'5eefecd8','8b44b717','message',1794802711536,1,0,NULL);
INSERT INTO entries VALUES(65,5,12,3402,196,1,NULL,'681656a5','5eefecd8','message',1794802711537,1,0,NULL);
INSERT INTO entries VALUES(66,5,13,3598,459,1,NULL,'33e5f571','681656a5','message',1794802711537,1,0,NULL);
INSERT INTO entries VALUES(67,5,14,4057,193,1,NULL,'45239027','33e5f571','compaction',1794802711538,1,0,NULL);
INSERT INTO entries VALUES(68,5,15,4250,202,1,NULL,'c03c7acc','45239027','message',1794802711541,1,0,NULL);
INSERT INTO entries VALUES(69,5,16,4452,461,1,NULL,'6a2e18b7','c03c7acc','message',1794802711542,1,0,NULL);
INSERT INTO entries VALUES(70,6,1,0,133,1,NULL,'0a000005-0000-4000-8000-000000000005',NULL,'session',1794802711561,0,0,NULL);
INSERT INTO entries VALUES(71,6,2,133,211,1,NULL,'7c176eb0',NULL,'message',1794802711562,1,0,NULL);
INSERT INTO entries VALUES(72,6,3,344,463,1,NULL,'2a57e10d','7c176eb0','message',1794802711564,1,0,NULL);
INSERT INTO entries VALUES(73,7,1,0,133,1,NULL,'0a000006-0000-4000-8000-000000000006',NULL,'session',1794802711568,0,0,NULL);
INSERT INTO entries VALUES(74,7,2,133,207,1,NULL,'cebabfe5',NULL,'message',1794802711568,1,0,NULL);
INSERT INTO entries VALUES(75,7,3,340,461,1,NULL,'020564ac','cebabfe5','message',1794802711568,1,0,NULL);
INSERT INTO entries VALUES(76,8,1,0,133,1,NULL,'0a000007-0000-4000-8000-000000000007',NULL,'session',1794802711572,0,0,NULL);
INSERT INTO entries VALUES(77,8,2,133,207,1,NULL,'7feea85d',NULL,'message',1794802711572,1,0,NULL);
INSERT INTO entries VALUES(78,8,3,340,461,1,NULL,'cf7bca4e','7feea85d','message',1794802711572,1,0,NULL);
INSERT INTO entries VALUES(79,9,1,0,133,1,NULL,'0a000008-0000-4000-8000-000000000008',NULL,'session',1794802711577,0,0,NULL);
INSERT INTO entries VALUES(80,9,2,133,194,1,NULL,'5953a28e',NULL,'message',1794802711577,1,0,NULL);
INSERT INTO entries VALUES(81,9,3,327,467,1,NULL,'86dbf819','5953a28e','message',1794802711577,1,0,NULL);
INSERT INTO entries VALUES(82,9,4,794,201,1,NULL,'2f75e8e6','86dbf819','message',1794802711584,1,0,NULL);
INSERT INTO entries VALUES(83,9,5,995,460,1,NULL,'e82bb0b7','2f75e8e6','message',1794802711585,1,0,NULL);
INSERT INTO entries VALUES(84,10,1,0,236,1,NULL,'ec77ae1a-d8e0-43f9-b59d-e747de020e1c',NULL,'session',1794802711525,0,0,NULL);
INSERT INTO entries VALUES(85,10,2,236,142,1,NULL,'adf9e565',NULL,'model_change',1794802711482,1,0,NULL);
INSERT INTO entries VALUES(86,10,3,378,132,1,NULL,'c3a0f9a4','adf9e565','thinking_level_change',1794802711482,1,0,NULL);
INSERT INTO entries VALUES(87,10,4,510,200,1,NULL,'c2a24174','c3a0f9a4','message',1794802711483,1,0,NULL);
INSERT INTO entries VALUES(88,10,5,710,463,1,NULL,'8ee86bf4','c2a24174','message',1794802711483,1,0,NULL);
INSERT INTO entries VALUES(89,10,6,1173,137,1,NULL,'d0ec25a2','8ee86bf4','label',1794802711484,1,0,NULL);
INSERT INTO entries VALUES(90,10,7,1310,126,1,NULL,'27a8e459','d0ec25a2','session_info',1794802711485,1,0,NULL);
INSERT INTO entries VALUES(91,10,8,1436,201,1,NULL,'34ffccf0','27a8e459','message',1794802711485,1,0,NULL);
INSERT INTO entries VALUES(92,10,9,1637,476,1,NULL,'bef19fc4','34ffccf0','message',1794802711499,1,0,NULL);
INSERT INTO entries VALUES(93,10,10,2113,171,1,NULL,'f7b098a9','bef19fc4','branch_summary',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(94,10,11,2284,175,1,NULL,'e418d2e4','f7b098a9','custom',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(95,10,12,2459,188,1,NULL,'1c6d8a42','e418d2e4','custom_message',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(96,10,13,2647,200,1,NULL,'ac52d680','1c6d8a42','message',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(97,10,14,2847,463,1,NULL,'262bace3','ac52d680','message',1794802711500,1,0,NULL);
INSERT INTO entries VALUES(98,10,15,3310,197,1,NULL,'635e3f3c','262bace3','message',1794802711528,1,0,NULL);
INSERT INTO entries VALUES(99,10,16,3507,460,1,NULL,'60776fb0','635e3f3c','message',1794802711529,1,0,NULL);
INSERT INTO entries VALUES(100,11,1,0,236,1,NULL,'790cc214-619c-482d-abdc-6b97862764b8',NULL,'session',1794802711545,0,0,NULL);
INSERT INTO entries VALUES(101,11,2,236,453,1,NULL,'5eefecd8',NULL,'message',1794802711536,1,0,NULL);
INSERT INTO entries VALUES(102,11,3,689,196,1,NULL,'681656a5','5eefecd8','message',1794802711537,1,0,NULL);
INSERT INTO entries VALUES(103,11,4,885,459,1,NULL,'33e5f571','681656a5','message',1794802711537,1,0,NULL);
INSERT INTO entries VALUES(104,11,5,1344,193,1,NULL,'45239027','33e5f571','compaction',1794802711538,1,0,NULL);
INSERT INTO entries VALUES(105,11,6,1537,202,1,NULL,'c03c7acc','45239027','message',1794802711541,1,0,NULL);
INSERT INTO entries VALUES(106,11,7,1739,461,1,NULL,'6a2e18b7','c03c7acc','message',1794802711542,1,0,NULL);
INSERT INTO entries VALUES(107,11,8,2200,202,1,NULL,'e428bf2a','6a2e18b7','message',1794802711556,1,0,NULL);
INSERT INTO entries VALUES(108,11,9,2402,454,1,NULL,'6fa99f20','e428bf2a','message',1794802711557,1,0,NULL);
INSERT INTO entries VALUES(109,12,1,0,143,1,NULL,'352ab5ed-a842-462e-8907-0483ddd7572e',NULL,'session',1794802711353,0,0,NULL);
INSERT INTO entries VALUES(110,12,2,143,132,1,NULL,'ff60977a',NULL,'model_change',1794802716764,1,0,NULL);
INSERT INTO entries VALUES(111,12,3,275,135,1,NULL,'da720643','ff60977a','thinking_level_change',1794802716764,1,0,NULL);
INSERT INTO entries VALUES(112,12,4,410,229,1,NULL,'2d3c396b','da720643','custom',1794802716880,1,0,NULL);
INSERT INTO entries VALUES(113,12,5,639,188,1,NULL,'f91d7198','2d3c396b','message',1794802716973,1,0,NULL);
INSERT INTO entries VALUES(114,12,6,827,542,1,NULL,'b288c516','f91d7198','message',1794802717100,1,0,NULL);
INSERT INTO entries VALUES(115,13,1,0,133,1,NULL,'0a00000a-0000-4000-8000-00000000000a',NULL,'session',1794802711596,0,0,NULL);
INSERT INTO entries VALUES(116,13,2,133,189,1,NULL,'e1f14159',NULL,'message',1794802711596,1,0,NULL);
INSERT INTO entries VALUES(117,13,3,322,459,1,NULL,'87adafc5','e1f14159','message',1794802711597,1,0,NULL);
INSERT INTO entries VALUES(118,13,4,781,244,1,NULL,'2e9fd483','87adafc5','message',1794802711599,1,0,NULL);
INSERT INTO entries VALUES(119,13,5,1025,509,1,NULL,'5e904452','2e9fd483','message',1794802711604,1,0,NULL);
INSERT INTO entries VALUES(120,13,6,1534,244,1,NULL,'eeb7bc38','5e904452','message',1794802711609,1,0,NULL);
INSERT INTO entries VALUES(121,13,7,1778,509,1,NULL,'c03d1345','eeb7bc38','message',1794802711614,1,0,NULL);
INSERT INTO entries VALUES(122,13,8,2287,244,1,NULL,'3c8fd832','c03d1345','message',1794802711619,1,0,NULL);
INSERT INTO entries VALUES(123,13,9,2531,509,1,NULL,'e7fb34e6','3c8fd832','message',1794802711625,1,0,NULL);
INSERT INTO entries VALUES(124,13,10,3040,244,1,NULL,'ab24702d','e7fb34e6','message',1794802711630,1,0,NULL);
INSERT INTO entries VALUES(125,13,11,3284,509,1,NULL,'cb42e14e','ab24702d','message',1794802711634,1,0,NULL);
INSERT INTO entries VALUES(126,13,12,3793,244,1,NULL,'098d707b','cb42e14e','message',1794802711639,1,0,NULL);
INSERT INTO entries VALUES(127,13,13,4037,509,1,NULL,'503a0677','098d707b','message',1794802711645,1,0,NULL);
INSERT INTO entries VALUES(128,13,14,4546,245,1,NULL,'c8838c7b','503a0677','message',1794802711649,1,0,NULL);
INSERT INTO entries VALUES(129,13,15,4791,510,1,NULL,'493db6b2','c8838c7b','message',1794802711654,1,0,NULL);
INSERT INTO entries VALUES(130,13,16,5301,245,1,NULL,'769a510f','493db6b2','message',1794802711659,1,0,NULL);
INSERT INTO entries VALUES(131,13,17,5546,510,1,NULL,'ce9430d2','769a510f','message',1794802711664,1,0,NULL);
INSERT INTO entries VALUES(132,13,18,6056,245,1,NULL,'40981327','ce9430d2','message',1794802711671,1,0,NULL);
INSERT INTO entries VALUES(133,13,19,6301,510,1,NULL,'668a5e2f','40981327','message',1794802711674,1,0,NULL);
INSERT INTO entries VALUES(134,13,20,6811,245,1,NULL,'b21742fc','668a5e2f','message',1794802711679,1,0,NULL);
INSERT INTO entries VALUES(135,13,21,7056,510,1,NULL,'1b3777c4','b21742fc','message',1794802711685,1,0,NULL);
INSERT INTO entries VALUES(136,13,22,7566,245,1,NULL,'2f1289b4','1b3777c4','message',1794802711689,1,0,NULL);
INSERT INTO entries VALUES(137,13,23,7811,510,1,NULL,'368dabe9','2f1289b4','message',1794802711695,1,0,NULL);
INSERT INTO entries VALUES(138,14,1,0,133,1,NULL,'0a00000b-0000-4000-8000-00000000000b',NULL,'session',1794802711698,0,0,NULL);
INSERT INTO entries VALUES(139,14,2,133,194,1,NULL,'63a3b4b3',NULL,'message',1794802711698,1,0,NULL);
INSERT INTO entries VALUES(140,14,3,327,463,1,NULL,'92bf9f00','63a3b4b3','message',1794802711699,1,0,NULL);
INSERT INTO turns VALUES(1,1,NULL,2,3,1794802711588,1794802711588,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(2,2,NULL,8,9,1794802656890,1794802657685,'done',0,4121,15,0.004150999999999999,'stub-1');
INSERT INTO turns VALUES(3,2,2,10,11,1794802662861,1794802663359,'done',0,4166,7,0.00418,'stub-1');
INSERT INTO turns VALUES(4,2,3,12,15,1794802669022,1794802670395,'done',1,8509,11,0.008531,'stub-1');
INSERT INTO turns VALUES(5,2,4,16,20,1794802677628,1794802678865,'done',2,8739,14,0.008767,'stub-1');
INSERT INTO turns VALUES(6,2,5,21,22,1794802686276,1794802687285,'done',0,4455,3001,0.010457,'stub-1');
INSERT INTO turns VALUES(7,2,6,23,24,1794802696556,1794802697669,'error',0,0,0,0.0,'stub-1');
INSERT INTO turns VALUES(8,2,7,25,26,1794802704875,1794802705829,'done',0,7501,14,0.007529,'stub-1');
INSERT INTO turns VALUES(9,3,NULL,28,29,1794802711386,1794802711390,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(10,3,9,30,31,1794802711406,1794802711410,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(11,4,NULL,35,36,1794802711483,1794802711483,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(12,4,11,39,48,1794802711485,1794802711485,'done',0,240,60,0.00036,'claude-stub');
INSERT INTO turns VALUES(13,4,11,41,42,1794802711486,1794802711486,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(14,4,12,46,47,1794802711489,1794802711489,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(15,4,12,52,53,1794802711489,1794802711489,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(16,5,NULL,55,56,1794802711531,1794802711532,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(17,5,16,57,58,1794802711532,1794802711533,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(18,5,17,59,60,1794802711534,1794802711534,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(19,5,18,61,62,1794802711535,1794802711535,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(20,5,19,63,64,1794802711535,1794802711536,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(21,5,20,65,66,1794802711537,1794802711537,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(22,5,21,68,69,1794802711541,1794802711542,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(23,6,NULL,71,72,1794802711562,1794802711564,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(24,7,NULL,74,75,1794802711568,1794802711568,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(25,8,NULL,77,78,1794802711572,1794802711572,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(26,9,NULL,80,81,1794802711577,1794802711577,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(27,9,26,82,83,1794802711584,1794802711585,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(28,10,NULL,87,88,1794802711483,1794802711483,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(29,10,28,91,92,1794802711485,1794802711485,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(30,10,29,96,97,1794802711489,1794802711489,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(31,10,30,98,99,1794802711528,1794802711529,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(32,11,NULL,NULL,101,1794802711536,1794802711536,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(33,11,32,102,103,1794802711537,1794802711537,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(34,11,33,105,106,1794802711541,1794802711542,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(35,11,34,107,108,1794802711556,1794802711557,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(36,12,NULL,113,114,1794802716299,1794802716985,'done',0,4122,16,0.004154,'stub-1');
INSERT INTO turns VALUES(37,13,NULL,116,117,1794802711596,1794802711597,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(38,13,37,118,119,1794802711599,1794802711604,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(39,13,38,120,121,1794802711609,1794802711614,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(40,13,39,122,123,1794802711619,1794802711625,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(41,13,40,124,125,1794802711630,1794802711634,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(42,13,41,126,127,1794802711639,1794802711645,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(43,13,42,128,129,1794802711649,1794802711654,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(44,13,43,130,131,1794802711659,1794802711664,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(45,13,44,132,133,1794802711671,1794802711674,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(46,13,45,134,135,1794802711679,1794802711684,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(47,13,46,136,137,1794802711689,1794802711695,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO turns VALUES(48,14,NULL,139,140,1794802711698,1794802711699,'done',0,120,30,0.00018,'claude-stub');
INSERT INTO messages VALUES(2,1,'user',1794802711588,'Delete me',9,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,1,NULL,NULL,NULL);
INSERT INTO messages VALUES(3,1,'assistant',1794802711588,'Gone soon',9,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,1,NULL,NULL,NULL);
INSERT INTO messages VALUES(8,2,'user',1794802656890,'Hello, what can you do?',23,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,2,NULL,NULL,NULL);
INSERT INTO messages VALUES(9,2,'assistant',1794802657685,'ok: [Mon 2026-11-16 04:17 UTC] Hello, what can you do?',54,NULL,'stub','stub-1','openai-completions','stop',NULL,4121,15,0,0,4136,0.004150999999999999,'chatcmpl-1794802657739',0,NULL,NULL,NULL,2,NULL,NULL,NULL);
INSERT INTO messages VALUES(10,2,'user',1794802662861,'[[stub:think Here is what I thought.]]',38,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,3,NULL,NULL,NULL);
INSERT INTO messages VALUES(11,2,'assistant',1794802663359,'Here is what I thought.',23,'Let me think about it. First this, then that.','stub','stub-1','openai-completions','stop',NULL,4166,7,0,0,4173,0.00418,'chatcmpl-1794802663400',0,NULL,NULL,NULL,3,NULL,NULL,NULL);
INSERT INTO messages VALUES(12,2,'user',1794802669022,'[[stub:exec echo hello > note.txt; cat note.txt]]',49,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,4,NULL,NULL,NULL);
INSERT INTO messages VALUES(13,2,'assistant',1794802669675,NULL,0,NULL,'stub','stub-1','openai-completions','toolUse',NULL,4224,1,0,0,4225,0.004226,'chatcmpl-1794802669833',0,NULL,NULL,NULL,4,NULL,NULL,NULL);
INSERT INTO messages VALUES(14,2,'toolResult',1794802670367,NULL,5,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'call_28603_1','exec',0,4,NULL,0,NULL);
INSERT INTO messages VALUES(15,2,'assistant',1794802670395,'final answer after 1 tool round(s)',34,NULL,'stub','stub-1','openai-completions','stop',NULL,4285,10,0,0,4295,0.004305,'chatcmpl-1794802670439',0,NULL,NULL,NULL,4,NULL,NULL,NULL);
INSERT INTO messages VALUES(16,2,'user',1794802677628,'[[stub:two ls]]',15,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,5,NULL,NULL,NULL);
INSERT INTO messages VALUES(17,2,'assistant',1794802678546,'Running two.',12,NULL,'stub','stub-1','openai-completions','toolUse',NULL,4320,4,0,0,4324,0.004328,'chatcmpl-1794802678597',0,NULL,NULL,NULL,5,NULL,NULL,NULL);
INSERT INTO messages VALUES(18,2,'toolResult',1794802678845,NULL,8,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'call_28603_2','exec',0,5,NULL,0,NULL);
INSERT INTO messages VALUES(19,2,'toolResult',1794802678849,NULL,6,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,'call_28603_3','exec',0,5,NULL,0,NULL);
INSERT INTO messages VALUES(20,2,'assistant',1794802678865,'final answer after 1 tool round(s)',34,NULL,'stub','stub-1','openai-completions','stop',NULL,4419,10,0,0,4429,0.004439,'chatcmpl-1794802678880',0,NULL,NULL,NULL,5,NULL,NULL,NULL);
INSERT INTO messages VALUES(21,2,'user',1794802686276,'[[stub:long 12000]]',19,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,6,NULL,NULL,NULL);
INSERT INTO messages VALUES(22,2,'assistant',1794802687285,'The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over the lazy dog. The quick brown fox jumps over',12000,NULL,'stub','stub-1','openai-completions','stop',NULL,4455,3001,0,0,7456,0.010457,'chatcmpl-1794802687336',0,NULL,NULL,NULL,6,NULL,NULL,NULL);
INSERT INTO messages VALUES(23,2,'user',1794802696556,'[[stub:error 500]]',18,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,7,NULL,NULL,NULL);
INSERT INTO messages VALUES(24,2,'assistant',1794802697669,'[assistant turn failed before producing content]',48,NULL,'stub','stub-1','openai-completions','error','500 stub error 500',0,0,0,0,0,0.0,NULL,0,NULL,NULL,NULL,7,NULL,NULL,NULL);
INSERT INTO messages VALUES(25,2,'user',1794802704875,'And after that error?',21,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,8,NULL,NULL,NULL);
INSERT INTO messages VALUES(26,2,'assistant',1794802705829,'ok: [Mon 2026-11-16 04:18 UTC] And after that error?',52,NULL,'stub','stub-1','openai-completions','stop',NULL,7501,14,0,0,7515,0.007529,'chatcmpl-1794802705896',0,NULL,NULL,NULL,8,NULL,NULL,NULL);
INSERT INTO messages VALUES(28,3,'user',1794802711386,'Grüße aus Köln — 你好, 🌻 and   a line separator',59,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,9,NULL,NULL,NULL);
INSERT INTO messages VALUES(29,3,'assistant',1794802711390,'Привет! العربية ‮rtl‬ 👩‍👩‍👧‍👦',64,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,9,NULL,NULL,NULL);
INSERT INTO messages VALUES(30,3,'user',1794802711406,'broken surrogate: � end, and � alone',40,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,10,NULL,NULL,NULL);
INSERT INTO messages VALUES(31,3,'assistant',1794802711410,CAST(x'6e756c2d6973682000201b5b33316d20616e64207461620971756f746522206261636b736c6173685c' AS TEXT),41,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,10,NULL,NULL,NULL);
INSERT INTO messages VALUES(35,4,'user',1794802711483,'First question',14,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,11,NULL,NULL,NULL);
INSERT INTO messages VALUES(36,4,'assistant',1794802711483,'First answer',12,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,11,NULL,NULL,NULL);
INSERT INTO messages VALUES(39,4,'user',1794802711485,'Second question',15,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,12,NULL,NULL,NULL);
INSERT INTO messages VALUES(40,4,'assistant',1794802711485,'Second answer',13,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,12,NULL,NULL,NULL);
INSERT INTO messages VALUES(41,4,'user',1794802711486,'Second question, asked differently',34,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,13,NULL,NULL,NULL);
INSERT INTO messages VALUES(42,4,'assistant',1794802711486,'A different second answer',25,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,13,NULL,NULL,NULL);
INSERT INTO messages VALUES(46,4,'user',1794802711489,'Third question',14,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,14,NULL,NULL,NULL);
INSERT INTO messages VALUES(47,4,'assistant',1794802711489,'Third answer',12,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,14,NULL,NULL,NULL);
INSERT INTO messages VALUES(48,4,'assistant',1794802711485,'Second answer [rewritten]',25,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,12,NULL,NULL,NULL);
INSERT INTO messages VALUES(52,4,'user',1794802711489,'Third question',14,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,15,NULL,NULL,NULL);
INSERT INTO messages VALUES(53,4,'assistant',1794802711489,'Third answer',12,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,15,NULL,NULL,NULL);
INSERT INTO messages VALUES(55,5,'user',1794802711531,'Question 0',10,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,16,NULL,NULL,NULL);
INSERT INTO messages VALUES(56,5,'assistant',1794802711532,'Answer 0',8,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,16,NULL,NULL,NULL);
INSERT INTO messages VALUES(57,5,'user',1794802711532,'Question 1',10,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,17,NULL,NULL,NULL);
INSERT INTO messages VALUES(58,5,'assistant',1794802711533,'Answer 1',8,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,17,NULL,NULL,NULL);
INSERT INTO messages VALUES(59,5,'user',1794802711534,'Question 2',10,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,18,NULL,NULL,NULL);
INSERT INTO messages VALUES(60,5,'assistant',1794802711534,'Answer 2',8,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,18,NULL,NULL,NULL);
INSERT INTO messages VALUES(61,5,'user',1794802711535,'Question 3',10,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,19,NULL,NULL,NULL);
INSERT INTO messages VALUES(62,5,'assistant',1794802711535,'Answer 3',8,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,19,NULL,NULL,NULL);
INSERT INTO messages VALUES(63,5,'user',1794802711535,'Question 4',10,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,20,NULL,NULL,NULL);
INSERT INTO messages VALUES(64,5,'assistant',1794802711536,'Answer 4',8,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,20,NULL,NULL,NULL);
INSERT INTO messages VALUES(65,5,'user',1794802711537,'Question 5',10,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,21,NULL,NULL,NULL);
INSERT INTO messages VALUES(66,5,'assistant',1794802711537,'Answer 5',8,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,21,NULL,NULL,NULL);
INSERT INTO messages VALUES(68,5,'user',1794802711541,'After compaction',16,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,22,NULL,NULL,NULL);
INSERT INTO messages VALUES(69,5,'assistant',1794802711542,'Still here',10,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,22,NULL,NULL,NULL);
INSERT INTO messages VALUES(71,6,'user',1794802711562,'[Subagent Task] count the files',31,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,23,NULL,NULL,NULL);
INSERT INTO messages VALUES(72,6,'assistant',1794802711564,'Three files.',12,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,23,NULL,NULL,NULL);
INSERT INTO messages VALUES(74,7,'user',1794802711568,'[cron:job-1 nightly] report',27,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,24,NULL,NULL,NULL);
INSERT INTO messages VALUES(75,7,'assistant',1794802711568,'All quiet.',10,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,24,NULL,NULL,NULL);
INSERT INTO messages VALUES(77,8,'user',1794802711572,'[cron:job-1 nightly] report',27,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,25,NULL,NULL,NULL);
INSERT INTO messages VALUES(78,8,'assistant',1794802711572,'All quiet.',10,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,25,NULL,NULL,NULL);
INSERT INTO messages VALUES(80,9,'user',1794802711577,'About to crash',14,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,26,NULL,NULL,NULL);
INSERT INTO messages VALUES(81,9,'assistant',1794802711577,'Before the crash',16,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,26,NULL,NULL,NULL);
INSERT INTO messages VALUES(82,9,'user',1794802711584,'After the crash',15,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,27,NULL,NULL,NULL);
INSERT INTO messages VALUES(83,9,'assistant',1794802711585,'Recovered',9,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,27,NULL,NULL,NULL);
INSERT INTO messages VALUES(87,10,'user',1794802711483,'First question',14,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,28,NULL,NULL,NULL);
INSERT INTO messages VALUES(88,10,'assistant',1794802711483,'First answer',12,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,28,NULL,NULL,NULL);
INSERT INTO messages VALUES(91,10,'user',1794802711485,'Second question',15,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,29,NULL,NULL,NULL);
INSERT INTO messages VALUES(92,10,'assistant',1794802711485,'Second answer [rewritten]',25,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,29,NULL,NULL,NULL);
INSERT INTO messages VALUES(96,10,'user',1794802711489,'Third question',14,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,30,NULL,NULL,NULL);
INSERT INTO messages VALUES(97,10,'assistant',1794802711489,'Third answer',12,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,30,NULL,NULL,NULL);
INSERT INTO messages VALUES(98,10,'user',1794802711528,'In the fork',11,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,31,NULL,NULL,NULL);
INSERT INTO messages VALUES(99,10,'assistant',1794802711529,'Only here',9,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,31,NULL,NULL,NULL);
INSERT INTO messages VALUES(101,11,'assistant',1794802711536,'Answer 4',8,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,32,NULL,NULL,NULL);
INSERT INTO messages VALUES(102,11,'user',1794802711537,'Question 5',10,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,33,NULL,NULL,NULL);
INSERT INTO messages VALUES(103,11,'assistant',1794802711537,'Answer 5',8,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,33,NULL,NULL,NULL);
INSERT INTO messages VALUES(105,11,'user',1794802711541,'After compaction',16,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,34,NULL,NULL,NULL);
INSERT INTO messages VALUES(106,11,'assistant',1794802711542,'Still here',10,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,34,NULL,NULL,NULL);
INSERT INTO messages VALUES(107,11,'user',1794802711556,'In the successor',16,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,35,NULL,NULL,NULL);
INSERT INTO messages VALUES(108,11,'assistant',1794802711557,'Yes',3,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,35,NULL,NULL,NULL);
INSERT INTO messages VALUES(113,12,'user',1794802716299,'Hello again after the reset',27,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,36,NULL,NULL,NULL);
INSERT INTO messages VALUES(114,12,'assistant',1794802716985,'ok: [Mon 2026-11-16 04:18 UTC] Hello again after the reset',58,NULL,'stub','stub-1','openai-completions','stop',NULL,4122,16,0,0,4138,0.004154,'chatcmpl-1794802717052',0,NULL,NULL,NULL,36,NULL,NULL,NULL);
INSERT INTO messages VALUES(116,13,'user',1794802711596,'Ops hello',9,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,37,NULL,NULL,NULL);
INSERT INTO messages VALUES(117,13,'assistant',1794802711597,'Ops here',8,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,37,NULL,NULL,NULL);
INSERT INTO messages VALUES(118,13,'user',1794802711599,'burst 0 Lorem ipsum dolor sit amet, consectetur adipiscing',58,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,38,NULL,NULL,NULL);
INSERT INTO messages VALUES(119,13,'assistant',1794802711604,'burst 1 Lorem ipsum dolor sit amet, consectetur adipiscing',58,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,38,NULL,NULL,NULL);
INSERT INTO messages VALUES(120,13,'user',1794802711609,'burst 2 Lorem ipsum dolor sit amet, consectetur adipiscing',58,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,39,NULL,NULL,NULL);
INSERT INTO messages VALUES(121,13,'assistant',1794802711614,'burst 3 Lorem ipsum dolor sit amet, consectetur adipiscing',58,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,39,NULL,NULL,NULL);
INSERT INTO messages VALUES(122,13,'user',1794802711619,'burst 4 Lorem ipsum dolor sit amet, consectetur adipiscing',58,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,40,NULL,NULL,NULL);
INSERT INTO messages VALUES(123,13,'assistant',1794802711625,'burst 5 Lorem ipsum dolor sit amet, consectetur adipiscing',58,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,40,NULL,NULL,NULL);
INSERT INTO messages VALUES(124,13,'user',1794802711630,'burst 6 Lorem ipsum dolor sit amet, consectetur adipiscing',58,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,41,NULL,NULL,NULL);
INSERT INTO messages VALUES(125,13,'assistant',1794802711634,'burst 7 Lorem ipsum dolor sit amet, consectetur adipiscing',58,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,41,NULL,NULL,NULL);
INSERT INTO messages VALUES(126,13,'user',1794802711639,'burst 8 Lorem ipsum dolor sit amet, consectetur adipiscing',58,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,42,NULL,NULL,NULL);
INSERT INTO messages VALUES(127,13,'assistant',1794802711645,'burst 9 Lorem ipsum dolor sit amet, consectetur adipiscing',58,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,42,NULL,NULL,NULL);
INSERT INTO messages VALUES(128,13,'user',1794802711649,'burst 10 Lorem ipsum dolor sit amet, consectetur adipiscing',59,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,43,NULL,NULL,NULL);
INSERT INTO messages VALUES(129,13,'assistant',1794802711654,'burst 11 Lorem ipsum dolor sit amet, consectetur adipiscing',59,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,43,NULL,NULL,NULL);
INSERT INTO messages VALUES(130,13,'user',1794802711659,'burst 12 Lorem ipsum dolor sit amet, consectetur adipiscing',59,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,44,NULL,NULL,NULL);
INSERT INTO messages VALUES(131,13,'assistant',1794802711664,'burst 13 Lorem ipsum dolor sit amet, consectetur adipiscing',59,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,44,NULL,NULL,NULL);
INSERT INTO messages VALUES(132,13,'user',1794802711671,'burst 14 Lorem ipsum dolor sit amet, consectetur adipiscing',59,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,45,NULL,NULL,NULL);
INSERT INTO messages VALUES(133,13,'assistant',1794802711674,'burst 15 Lorem ipsum dolor sit amet, consectetur adipiscing',59,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,45,NULL,NULL,NULL);
INSERT INTO messages VALUES(134,13,'user',1794802711679,'burst 16 Lorem ipsum dolor sit amet, consectetur adipiscing',59,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,46,NULL,NULL,NULL);
INSERT INTO messages VALUES(135,13,'assistant',1794802711684,'burst 17 Lorem ipsum dolor sit amet, consectetur adipiscing',59,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,46,NULL,NULL,NULL);
INSERT INTO messages VALUES(136,13,'user',1794802711689,'burst 18 Lorem ipsum dolor sit amet, consectetur adipiscing',59,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,47,NULL,NULL,NULL);
INSERT INTO messages VALUES(137,13,'assistant',1794802711695,'burst 19 Lorem ipsum dolor sit amet, consectetur adipiscing',59,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,47,NULL,NULL,NULL);
INSERT INTO messages VALUES(139,14,'user',1794802711698,'In the channel',14,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,NULL,NULL,NULL,48,NULL,NULL,NULL);
INSERT INTO messages VALUES(140,14,'assistant',1794802711699,'Acknowledged',12,NULL,'anthropic','claude-stub','anthropic-messages','stop',NULL,120,30,0,0,150,0.00018,NULL,0,NULL,NULL,NULL,48,NULL,NULL,NULL);
INSERT INTO tool_calls VALUES(1,13,2,'call_28603_1','exec','{"command":"echo hello > note.txt; cat note.txt"}',14,0,'paired',1794802669675,1794802670367);
INSERT INTO tool_calls VALUES(2,17,2,'call_28603_2','exec','{"command":"ls"}',18,0,'paired',1794802678546,1794802678845);
INSERT INTO tool_calls VALUES(3,17,2,'call_28603_3','exec','{"command":"echo second"}',19,0,'paired',1794802678546,1794802678849);
INSERT INTO compactions VALUES(67,5,'## Goal
Answer six questions.','681656a5',NULL,NULL,54321,NULL,NULL,NULL);
INSERT INTO compactions VALUES(104,11,'## Goal
Answer six questions.','5eefecd8',NULL,NULL,54321,NULL,NULL,NULL);
INSERT INTO branch_summaries VALUES(43,4,'444c4b45','The other branch asked differently.',NULL,NULL);
INSERT INTO branch_summaries VALUES(49,4,'bef19fc4','The other branch asked differently.',NULL,NULL);
INSERT INTO branch_summaries VALUES(93,10,'bef19fc4','The other branch asked differently.',NULL,NULL);
INSERT INTO custom_entries VALUES(7,2,'model-snapshot','{"timestamp":1794802657614,"provider":"stub","modelApi":"openai-completions","modelId":"stub-1"}');
INSERT INTO custom_entries VALUES(44,4,'openclaw.cache-ttl','{"timestamp":1,"provider":"anthropic"}');
INSERT INTO custom_entries VALUES(50,4,'openclaw.cache-ttl','{"timestamp":1,"provider":"anthropic"}');
INSERT INTO custom_entries VALUES(94,10,'openclaw.cache-ttl','{"timestamp":1,"provider":"anthropic"}');
INSERT INTO custom_entries VALUES(112,12,'model-snapshot','{"timestamp":1794802716880,"provider":"stub","modelApi":"openai-completions","modelId":"stub-1"}');
INSERT INTO custom_messages VALUES(45,4,'openclaw.runtime-context','Injected context',0,NULL);
INSERT INTO custom_messages VALUES(51,4,'openclaw.runtime-context','Injected context',0,NULL);
INSERT INTO custom_messages VALUES(95,10,'openclaw.runtime-context','Injected context',0,NULL);
INSERT INTO model_changes VALUES(5,2,'stub','stub-1');
INSERT INTO model_changes VALUES(33,4,'anthropic','claude-stub');
INSERT INTO model_changes VALUES(85,10,'anthropic','claude-stub');
INSERT INTO model_changes VALUES(110,12,'stub','stub-1');
INSERT INTO thinking_changes VALUES(6,2,'medium');
INSERT INTO thinking_changes VALUES(34,4,'low');
INSERT INTO thinking_changes VALUES(86,10,'low');
INSERT INTO thinking_changes VALUES(111,12,'medium');
INSERT INTO labels VALUES(37,4,'c2a24174','start here');
INSERT INTO labels VALUES(89,10,'c2a24174','start here');
INSERT INTO session_infos VALUES(38,4,'A named session');
INSERT INTO session_infos VALUES(90,10,'A named session');
INSERT INTO _blocks VALUES(1,1,0,782,1,NULL,1,3,x'28b52ffd600e02650b0086154123304ddc06432d46817dd6f912e71eb3c79aad59d0406d6c1108f1ddca0ec5d010550507350038003700ea0a8c2d026b916ca582088c85ac8530124c9e871e6ddea7f5d51dc810445410c4818acf37ed6a91d1465cddbdc6bcfcfc4214fd8a4fc0f63a4bf0ec89ed857cbb6df7a265e9f9755ef48a741cc9e51b83761b2974f5c65a16658cf27d50e67d00a64ba8c30cecf31e0312cc03c836923accf3ce36efb97ab44d8b7811234c835ef468a7cf3748dd7b1cb0ee15b4d3e6c6ac0ebab8ca2e1363cb5a8d0499e2682c86e91bac7b00bde6ab69620c4c16220a60f35b569edd423c0447fbf5768b12f28deec13e1865ae70d1d2bbc264e55b825c7b454a576f909a03282030028394d1dbcf84c0aa480013405ae18344b899202182c536d2da4018557edf3055106755a5160fe22ddb322024782b2f21c5a8dececcec821156e4000707cc56e49d8a01940502781d8982521320303878e71851fd5e170a5d813113354c2d693b9b665f9c49');
INSERT INTO _blocks VALUES(2,2,0,20579,1,NULL,1,3,x'28b52ffd60634fe538009a5d841028e070360f7c174310b85023f7433fc29b7dde609070a397265ba543ab68ebbd0e6008669841049917ff000001fb00163d5903c2b4a24d1b1428c9f73e039fbef16f9cab27eebc7e7cfadfec78c54cdc02835251862d9652addf61a1a9c718e3927c1ae766ff7d38725d3414ff23fbf4e671a0a907dd5b29360955c574baa9f5c4776ee807c57ae190b8236ffd54c7d3d877f8f4fb13ef60612fa15c6ce2af0403371870d3d86a611b24be3c5bfb74e76d33919dc753f73e78ba6db0f13bf4e1895b685b8275f933306d5489fb363b0044fc2b7d680c4ea61840416f1df08edc18e0d32d45f5c42db4e414c82654b32587a7164a2dde4acba73f1c74eb7734db134f2a2a2a95631ac3164fc965d196d416bfd4b4808d2eac3df4e9b6f1844de7273c719c1bad5ffbf47f68d85e11b25abad067d55a496e5a11810dd9caef8c510194effd06ca8dfaa83ee4df5364623551066b4a8d3de9187bb12929dd63f0bd2422c1c08de3d3df7936c58c6682b2696323fc8d8d12dd3436dada6916206537683f79a108bd03ed77e0d3df73f2d1daa47a71bd88086537184f6e6cd44037e89d6780e6f26cfdf0e01a53585b6b595c6316970cc2c57d38eaa68dfa1ae7877ec713171f7c649c357d098fbcb52791487250ae945252524a4ada3a574f1e536dbac68f213b5cbaf3fedd3815d2744b5fc2372aad9e38b59fec895aaa4ddfcf03375e311f4fa82711111491c081024208e7070f6862c83e13df90df0f1bd3ad1bade98b1032ef13642249c66720078bb5b498c5b9be66faeabb944cb1110337183f12d853a27bd5d2c54a1ad783505f9429e2724a74d1b5b5d8822d41c912748945e5e47251800e60f1931d7473de4821e7374391f3141a5374296e1899dc722a3eeb227c2c41273b8e02dd78f2fa5266fa7e22d877340e1132f6c4fea68c77180ceac95ad3f5039c9b4d9dc77ae2bb81fc6e207f7703799b13ec06f29eb87d9fae9f4db7be0ddd6f21dc9cf77df44bb839ef0499925cab8b828f798c45f9e07b4de1e6bcdf5a2b39b6965b4bb5b5220e01311d02a2c2a76b8673e0d26647dca75b4c1d8e5cbd62badef81d0fc3a19e787dc8fbf47750ec892b09965e5c12f7d27a2f4d70738e2f2a010022117f32ba04e58a2e41b91c5ccac1961c8c52716b46597fc967cbc1d812dcb4b12d3ea0a2e2d68a4b658f3588c42134d88c40c2f909c7c1d1f26c8d5272fe2091ef4199a6a7148118b8a98fcdce03bd93995f90fddb500661e7d9e84145a548c52cf8513ee6dc930e39d9713ebaa7403563b3eea395ef3106e38211ba96d44b4949cf359812730d298c6c91860df4a26f6ce4fc4446fae1782e20486610a6c8ce8230d4e6c980bee1d0e2d2da63747970bd98525a0a3170be0a2e05a61919d9985c2c4d31c617a3644dae26558b4aba0519faeacbb6587251894c4ccf9a635c8bd1b1055b54e253caacd82c942ec2d75c848bc5b4580b813fa8211963881931111191a420493a91058410c29892aad4011240b0308cc32894a250068110420219630c33c8106564460293d1aadd30ffdde1d618ea5cbf2fec233281926a632b165d3dc6acf4d65316abc0b3bebffc54f864fc5c2c459a81d0b17e6ac5829c38a51d3a0a3a8c7c7e666bd39728ee9d1ef2fe5ae103bc5aa95c9d85eadc3c73e0d5a651374ef866e1e9d62855dd256fae9931f73c5d95199a9fe4fc23bf66406746836c100c85fe8709483507aa8f66bafc660c96c438f78789d8e1afab67d7791485efaa3f37874b8deca01650161543ac7e9d461e1013cf372f8570d5292d28ac8349fb0268de6fc9509af20f8448b392bdd35be10277980b0cae8cfe0bb14c7d32bd079d841abee1cde51d8a77dfa2f3b11e5a9fdb41028adc72280964480e445b201443ebdce60182e776016e3bed05c279330ab8318cc05b433fdff651f959702376380b0cf8ad7c13dadb245e584d38bd3af2fb4b3b05e2e54f2446e2ef72e648c0823642661c7fd59db4382422d1b09dc664df2e140f13f82739a7716ece88a1d0be1bc6b011ff34419c96322212e51998540f2e87612193655d415edbfb2fc81226ba16f3841e2a2d0519c3a4d7260c483034cef641cbf623f046f4c2a0abcc2ae68bde0f88b4e98cef0b8d0bb487d40c082dafc88861ecdcac280ed38260d55207a7dd65cbc59103b6697c2b7b52904dfa1fb076f1c8dc353db2d1ab3e1ef17e57b396f47b204825ed3a9c1326b35b42ffa54299c751f7a95eecb5eb58ed25b1ba601972b76a70ecc6ec44ae121d6acadbaddb335c6c0325f2f189a9f23c2a8bad76e8bfbe23668013f58251ee1bf849f8533d787015de23aca37702c8b4c4e11adef8424b643d09705d7861e7d34955db167483cb58fd92026b043264ee873322cbf8b3f321553e42a5cd0e86ec584c66a3095cc4d9801428458ee62fc43bdb378158a1b6a21a048d5fe414ec2877018da660fe42211c6d2310229f1f3083ef308d24233b67e48a80d17fc2b29be98eda1c62260ea102399caf14bd80975feb2fcef2b42464a5f2790a71b01c7b');
INSERT INTO _blocks VALUES(3,3,0,1624,1,NULL,1,3,x'28b52ffd605805f51200c661703c408bda06033088bce0d8cb07a7ac811ea67e507964b08469ab0228a861c86eb5b75884143d851c5fbbc38c2a163062db9291b612fc6325e131e0744d5b0065006300315ef9180ab0f2a963ecf0045614af7ae2b7f05aff02917186474be22fd3229161b1c305240a14e1a037b9173585e41ee71e49d2127e8c5ddcd6bf5c961d763d3ddd1d3d8f6b6f7e0c2f76a0471f831d96f3aaf52b3f7e2c81658d18402e806800c1846440ac745baf5abd2b953599242d59993441ce51243d45158a3390319dd6a9635fdbcb2b366f1c984d83d21b87069991e67848f810c1c3438380d93419337c0c68f57afbcc47870f1a809f45f0b6e2b1956fe5a45f2f3ffe38296bbc298fabfc8b4911dd4efbf6a2041e43ff89b7586eb1d390bd939d96b8c7f662f2628d77afadcfc3ebd1e2c7f1e1a40f2f8c493176b83ed6854d6ab1d2f9f185f9840d07984dc783cc48a380d9444b2b6036ad43c34084436341b341b3406443d3002808091059d62ea2284bf5582f2caf1a536fe73d60a9caedc5411595bb54b3d4eb8957bae8bb2752c5551dbd9cd15bb7052fe540f90d4213bc547b6fdd62527a6ba395d45104a1e8a3f7ae54ff096cdaca4e964d524b5c7747b4ad73e2023f2060022124763d6c90430d760928b7f261f500c5e308700c923919ec6e36b53769320ff0be95c1ca0003076240993ba081c4413112a002ec5cf86044b889205d04cb6d246803a1a8e2fbc6a9829e9db01619be9b632b18e4c965b9026807cc2c37bd2f52f0f405abcba0ec921108e00007278fad00696732ac528100a823e1a0d408b86e6090c1ef6244f5f73ab6302b10335186194bda86268a45fcb0');
INSERT INTO _blocks VALUES(4,4,0,5564,1,NULL,1,3,x'28b52ffd60bc141d1d00562b7d22304df4433788b63bd7e0eaa148938254832371fb784ecb5804552e984ebc8c60b2c0720073007400ce94b1f272722876d2914af63eb97ac3be2f2984bd12044d15b624c8f5af4b9db463dc37537a3f43f52736a097360278b4c3a118f0917d021cb1934e60af29d602df824d3198a5aca5304cb1862d459ef1473477d28b7a8a52aa29caa25c356c493b59e07d884eba5a8af1e386fd9244ee89960179b6f933bd08b0a5bfc13fd163276ac993ed44b1053b4f52a53d01a74eb04225bfefc0d573f58c29c63e1de6fdbfc7f2da5a0ba65e6b166be191f14f0f48c6970e34cc119f1560e7fab9dad849dfc753c37ec8de9e804b5bacc69c45c7f82dd4b00b9a3753f912211e6a3054ea50e99303f6ce37e76a0b6b1a89eb5134e1c613ab5f87c1880033975a388d5c1809e8e7a41291ef801d491867d1da73e69d73cd69b1b5e664b5f10fd48c71ceb620121168d81f79758d6bff7cc1ecacb4f1f71f245f7f86ebb931772cbe92d03b0e617f03c966dcc9e3f118c596524aa132b66ec1c6f51d02cb477718c3d4632473d159f32799b8da33f9567ba55ce3af51ce62ba85fa39d3ebf8ab80344d8bb359f39da661ce2db530a6b9f461acd898738a35ad4de645f618f2095bc221095389c8cff11b2a41472875ba8d84e7ca15a3d463797699b3a2a82f594664339ea202b9ff648bfcc368180580bca8a1293266644e143629145a0390021191bab1031260b210c522180e6234420811144208414424243832222289413a5a1c2c69aae1cea77d8771e44aee415a107e6cd56ae7d3a6c12e320b83c76929937cfcb070c96f76bc188508937690b3d3bb76c24954ca921f41bb16ea09c053c2576701434dbbd089e68acf1cd7de480777ff47a5542b3b7e6435f641f72345ea05c9abe38d6eaae29602d90184a172368f5dbca9a057cd19baa2a5bc10e3449fadec5aacc4fc6236c9a4cf356f8a3012552e6ddffee86360ac4465c6d9a40eecb099b2cb8dcf61808daba3b6a27375b20cd8cf60dbe4b13464559c6c14a16e6e64b4b5e8d300c28a419ba29942b48d3a34beb625fc1649acc1b9c2a1d41d985f498d360f85d314056d268eeb422023cdd072aee80626423c723ac4bc6a1b627a3c69edcbd1055bc8370fc8ea1b6dc98f58f2930445d23d8991318c53604c71e3e908104af21f2bda3e05139dade7a127314218db75fb2c0bfc4d311968f5ece2016bc6d4d542efe4248fc7e035441457e83b33d01001da86c1106b34f61e7982f40db0747f6a930a3043081fed95a1e029bc7e9e0358bdbadf1ff9031754');
INSERT INTO _blocks VALUES(5,5,0,4913,1,NULL,1,3,x'28b52ffd603112dd1500f6e266222051f3f3f938b6bcf20bc32cdf4b76cc0f863063b868dbb655f5a09bb000e100a6015d005b005b0017f7866c1ac8ca5e10de3a9e4f23ed9c318b46a67d62e6ec0e40d418b3a103ee5c8a010cda483f28e604149351c9961a9e4a944ade4aab653fcefcec4efd46baa598a4945a92b43453cb5e6a234c62bf68a4edad397b6ed9fe687c6f04eca1db485a4af6438fadbd21a1465a813e27be40b3a12dbbf1e5625feac5c539a1f5b998e2ed6cd9f599d831b225783b3fd79ce74a8a79cae23352cc2905578aed019544d4c9616ffdec9042cbcff08790fdd6df5eec196ad9de0471a1ceb8bb0615545a53a2638ec246e952cb31b71e0f07a9d2569b34ba63566cabb9b7e64bc99962ac2508e15b4b29cea3921e2b4f5f78eee746a228beb4544a49207dbe4ec9ced62b6e4333ffbe7fc50eb297e90b4e41276d24050051b49a63a770344d7d86d5a01295aff95473607f8640354a27a42c51b55873b21d5fc60b34f05b837f3ce133ae4c232d902d1c1935db8866de03474040cbd6c0d371a01ce14a0fb65ca3f3712e850e2ae818e78c4107dd7ceea9f85e7b018081a851c1212233271264342db406e0021111322a36122082041cc7304087b18c90082342639530434d24c14ca041e11c26f011be5ac6f8af06485959b265cbf780284db0c8826aae846f8b01b90d5cba44241d2cad20845df95228a22fb5701e848b367c7eef9d5a5f47670f88eef0ee83ef5a3f11d328424f7efd44dc81ba03bacbde57f51f3b726f26f58eef78f9ee3553318d40f1e42e56c8ddf11e2fdfbd662aa611289edcb589b823758c74b78d2bdf9d9544d586e48f6168effceb5564858c208d675027b81d47c943eb9f4b35974045254b8b0c26c8a1a85607c6eb01b6ac6cf199bc92089eb9d7e3c7f2349597b95792b76410b0cffec81aca1422003113eb5165d0029f946ff01088d4cb77b1de21e222c2b032af03f107b5f4d547');
INSERT INTO _blocks VALUES(6,6,0,807,1,NULL,1,3,x'28b52ffd602702350c00c6564523306d9c03432db6c56e1361ce7d493710b3289a6c06271eed7fb449c51e90010ba306393a003c003c0050808373f583c52c8ab550c652251bcc42d642982493eba5076bde47ebab2fc9403253419025595effb4ab85c26db8ba7b8d79f9fa9520fa11014e2281815923d16e17982316205cfb611b41df6edb3db81cafdfe8c147681245d1e99f81760b9974f5742cd32ca7f92e30e67d004c77609113b08f17fb441639d747fb3cb84f6b789011a7490f42edd8f54d628a8550a31d6b6ecc4c79726db3b0644a9865ad26498622d0ac84e9bc5153482cd48976f10500d3a4305b02e9355f4d1383c96465a6229bdfb2f4ec96e13522d6afb71b34d03f6c0916729873958b8eef2a93a5ef28b9f6088d5777c466242c2030028394c1ddd2c401b1480013605de10388700b41820896db4867036154f97dc354419c354c4b01573b88cd6ff61acd75de6e73970c4f1e771cc0ba246a5cc7c0660e7070d66d45c4ee7500658100aa2351502a090e6e6193c1eb62c4fa7b9d2d7405c64cd430b5a4ed6c02102a68f4');
INSERT INTO _blocks VALUES(7,7,0,801,1,NULL,1,3,x'28b52ffd602102f50b00b6564523406d9b03bfe4d1c2aaed7a1c5c87d88eeeab46ef6227d9caecdf4ee2c557920c0f69443a003b003d00900089f5f484865918aaa18d52471e302a512a619454ae879eedc80feba733d92499e948122637af77d8534321473cdd3d1623c7eb19a2e85704ad210dcc2d54f2780eea1e5c0ad79ee056d0b7e3760f728caee7f6e02bb4b5c8e99d82760c177afac20c8f7df03a376c8cfc00442eb16d05f0f302dbd6f58d9df73c1db2c3221e8cc962d08390767b3d8396d1cc2288456b04edb6238b71d73a9825958c34cca29480928d6340402d44def0410c170b140171d9007a1d9f22918649456526233bbe45e9a3e38777d0b65f733388a077960d18b2763d65a3a3f7948ad2770439f60a8d9efe883a26ec4401282020028394c9ddd08480af480015a05ce18389701b415204eb6da4b58138aae4be11aa20ceda4b2d1ec68b8765c2133069fb2ee461db8322185c1b80461ce0e0a4db0a84ddeb00ca02015447a2a01404081c1c7c394658bf5785c2ad40cd640c7396b42d4d29962809');
INSERT INTO _blocks VALUES(8,8,0,801,1,NULL,1,3,x'28b52ffd602102fd0b00b6964524406d9b03f8ac61b20ddbf538b80eb11ddd578ddec54e32d68f8f16d1175f49323ca411013a003b003d00918088f5748485712c14431ba58d3478284529e5b1e4723df46c477e583f9dc946c9cc86a230b979bdc39e180a19e2e9eeb118395ecfd0445f12ad230ccc299402790dea1e5c09d796e04ed0b7e3760f728caee7f6e025da5ae4f40e413b860b3ddd7134cbbcc09c1936467e00268fd8b602f87901dbd6f58d9df73c1db2c3201e8cca62d08391767b3d8376d1cca207456b03edb6238b71b9b10bc22cacc9c2389462966c1a028c5298bce183182a14260271b9007a1d9f2693e6918bcacc45767c0ea58f8e1d9e41db7ecdcde081de592ee0c8daf5948c8ede532e4adf11e4d8251a3d1d127554d88902282020028394c9ddd08480af480015a05ce18389701b415204eb6da4b58138aae4be11aa20ceda4b2d1ec68b8765c2133069fb2ee461db8322185c1b80461ce0e0a4db0a84ddeb00ca02015447a2a01404081c1c7c394658bf5785c2ad40cd640c7396b42d4d32163606');
INSERT INTO _blocks VALUES(9,9,0,1455,1,NULL,1,3,x'28b52ffd60af04a50d0056984923406b9c03388bf1e5422fa3bcd721ed5a02b75ee0559924b6fd8f36694d6f9651fc7c4d3f0041003d004e7a04b811238186e7eb084db304b0c436b68a1a300c610c61124dbe9f1aae27375e7fbd694354554190a64ebf87de5762253bbe0ee39b93e7f73c3df41f010c07625ad5340b634da24d51344ca17a349d7c10b1114d4567e0db0edc09fb86dc304a9ed4f72c45f9c74a1205f7504143966e6a894b2c8ae5bce0e6e40640f5865f9a682a7e69c2f64d4df0fdb1d4d71daa27c210e5a4e77b89a1d8f8ba64e839a29cbe3e91e74d51460dddf76f721c35826564304143d7f3cde914ac050055b53488253be2c38ba571d47192c64a93dc0ca531dc786918c974bc9862cfafaa6a8c264c5503b4675cd87e4266880692ebd8dc4f1eec21c70b8e1ef7043820600219923c1e1798a2c0d915ce4f3101e5ee42bc012ef302328b81530ca0d9114f82400af2087662c032b76619b7440258006f860f20c2ad089222586f231d1b484715df374e15e0596d498b479c3a9d8114a3878abc253cc091c15503b673e00757dc566fb95061950402781d098252130078a0066bf8640e41fd5e2b146605d44c8261c692b6aa0993785268');
INSERT INTO _blocks VALUES(10,10,0,3967,1,NULL,1,3,x'28b52ffd607f0ebd1c00f6ec8224106dca038ee988b60f059f94a1a8c9efd9da16e6b519200d47b644a4075c14008015e120780078007600d34b4b015c3d558b19120b7b14c618a3280b73a6c08a4a9d52e05cbfe18afa954d280e72fdeb5527edf0292a9eb292c2113be984e75ea22df06990618ba629ad298d63ae61579467fc14cd9d746ccf1c7be930ce2b127a9102cd8551d83f52f1f6ee38f11bb6a49d2cf0fe43275d2dc5f871c3feea913b22efc0d573f58c29c63ea3e6f97faee5615a731c7b18c8690b57c66f3920195f2ad030437c56809debe76a63277d1f5b0dfb277b3b022e8cd318e72e3ac64f39ecd4b009188726f3253efcc46854da50a994232b63e5a5e5536c5ad92be5ea0dfbbea40ff656ee61a6c9aab0e5c06bde43537a7fa3ba141901d56ff416eae74cafe3af02024171426d7ef464b5f10fd88c714e66412412d0b09ff2faa0c7fce38eb3b352c6df97907cfd1bd733e3fcb9f84c4e1ff984fd0d2a9b7127d7f534cc35c65882656c5f838deb37d8c5e4d9e6cff422c096fe062f458f9db0255bb613e61aec6c55957604b43ac10aadfc0600d705b9f7986a01e41e8b66e338ac79dc6bb876222f65a40e3c2e2e73f9b734d0f2d123d738e85269c19e46ba17dd31fec826b6c7934fd80f9f2a4c25223fc767a8030da154eb32dec9a73157f3ec326725b1a06cc6564c3ca69f934a447e037604b92f658bbcb46848d93b197bfe402c72e6e33a45599821c580a4a891a151c6cc9888cca420693380021191baa90e1280d2140933188b520e11238c10428c098586644661da7219415383a1c40a785af03e26ff2e2df0ca9ff34ace911ea408fd63c5fae0439ab8c80817a4419fb1daf98176b83f220a09eda589f1652130b9c00ba3611ca8ded58dfbd02ffb04bcc369c15f2fdf554147a3ec4065b7f6280e0c3a1fd0e4c924f1416d4345689271e9830838adb7211333909c28ad28d1a363cb0b7599c8707bf0fe8174934117f8352d4ca22466cc77bc8e36da43f465803492d8872560a54934920f1da4f185272bb94ca62b2ba5d701e6636c571334fe5a2a80c49b90d231e191d7104d77ad419c8837a502d07c814ac1842fa49764680ce7cb6253d0cbb9f5413fc09a93b41412032f4ff178f1c147e28e76042e2409cc8a56537ccb89db09b550b38709d99fe4f27fde1ac8849ec049f29638a64aad0bf95cf5a0c35981d0e203b173377a02280c46f9595073cb4807a28029430d3d01c1050492eba19ba1ef534380079604b39263185c57c60636a0d052d94557a90eff016e9da09d');
INSERT INTO _blocks VALUES(11,11,0,2856,1,NULL,1,3,x'28b52ffd60280ab51400b6636a232051f4f3797eda28d73c9c357f598f303c388419c4843d29464ac3026e0c488080050360005e005f005f5b4232b529eb6014bef695142b8c21a5c9f46427188cc90a3b3cf71cac890f8b6e2d40b630b6c0b61a47a626f9de137d56f88138e834f8380f085c2604910bd41eb7cc07838b636dcef5703832445969e2ed0b56b85aeadece919bd278de080ca9de97862a294d8e2c35646f43f4c25e5f26a5ec9df84a29c94a44845d721bc3ab00c78cfe87c85ffbabfd2adfa9bbe4c82dd9cb1b11369254d5c890c103cd8eba1fb78474ef0920c252b54ee170eb59d65a6e59dc928b71a65239311e4e5b8fa63d372535d9e93ce6bce875d3382fa996be778570db2be749f8207b6004368f31a7adc73d1ce6b21328fbce4a24f2c0d5d85acbb1deed6391bd76855d90e4dbefa7972132243ba127a69cacace62bcbca6a2cf25754a5bc112b5602009188f3bc1bde6ad1e3212308dfb5ee3d67e5494f7c520de0932d823ccd75737d7b229124fa0acd399087759390b9e4f64702cccd299dd9acc95ae35ee4be36ea018dfb95e0a93e78bf3462851d6e916450af1092b40549400047d6b8729a2a7f025fa8919923c49841993492a8dda00291113af21260d3042849512c8a41e1114182e28c2a289298071c93381168d078047b6420f8926c77c8e6206e22bb38d4eb04d2c0e31136919d95b0b7a2f0543e1e09a519a9839fd7146d30dafb982288faa4b329584d6556290ff1a64191a2e807e72888d542ea03b022d4819a48a26a44974197bc23d7394b9631a3c98f783aced0de13dccb91d139310a5daec31400e49b1051de96ce91e021592021bfa3198196625e0395c458bcf2a03fc51820c8d236475818b3ce4765afcbf5c406a563aff73e357823983a06c07e61bea316031e4341f9b34b54a52ca306ebea6918');
INSERT INTO _blocks VALUES(12,12,0,1369,1,NULL,1,3,x'28b52ffd6059042d1200a6a06123306df4c055d6fc21c586b167f68f8bfc85472e561b4213d6be5c898828b91a8a680003570059005500feb4bd8ea9462c223a7a162e556811f1f062058551144d89b0c585319a96b496348e398e6ca5feebd27c5eecee314f4aa9c085258f393071d72c895b6027d299463b46e1c872f252e2e410bc98d679af5f8eec76e2f911d30630089bf61c838bf3da23727f4b5efc15bab6e94d1852fd4b3d1235a54b1cb940591ae65e4b088f1a1ee874d0097d4b1637a89f5c4e883ad9a5798a268a281a59123cf5a92d2feef71cd638383cd0869e86c86595002a0e8eca51c27fe169ff9df736634df19ac63c10ba46e538eefdfa8438f4c8e4efd0089dfdd0488d221fe0c84ffd699dfc521cd9a33af1233e073aedc9e6f4bd2e2930081b8da33c8a7497d6f91e59a93ec96ceab672e40055c58e612f89acf47c438f5f5aedf58917039ddb7e60eb5f5e55b5304e618c3105fb0b954bdd5119517f7dff3925b0c8b2fdc0a1a71f5e4d7baaf272ae2d919fb274f22352bc9a174385300830101004a1d56001890146a84195328a19a90948668216b6b00660222172681e124073190aa33094a6a0d008c7cc4c051326582d0620480f87b8ed2301bbee293d44b09e572660e9a274e68cf33f10e485d90744d0a1384aa025e29701dbea19c1c5c7b268085dcfc57e887c0efe52d53252ffd58a2ac0c4b6a9a7fc9a6670a48dfa7cfc02e8ae07da04fb057c03b86d08a94403a0d80139242870939eb029fa9fdee8822c749392b83990d80e9e942c63bd069eaf5f6fbf7b71fb717789f7b3cbb0aa6ea6012c901e97');
INSERT INTO _blocks VALUES(13,13,0,8321,1,NULL,1,3,x'28b52ffd60811fad180056e76f21404df3bfe49998be3d0ecd18d255c4a746efab7e553545b6640ce866300ca5d70569006900660035e2abc2dbca7c65a6f3f459a6b3136f591ee6ad1ca8cc3bb059649d6aef45ff3e03a4f419008d85804b1478c66c1080888b6cc2722aa0d36bfd9c0f562bba150b31dab70d0356fa0ca52eb2909b82995da1800c79df4a6591f49c7f586499a950fa74df7e235177228c9a9903b8d2a9fa2d65de611e2cb0cefa557110de4af806df10615c84537de6228cfa6d7d1a46d989f72cb2c953a9e2e50397b86f9797d379a93c4c872aa2d24ca7a13270df2a0d7ca732b0528552c8545c4009596b2ca7ba19e2e68ef54263e7b27cc3419b827d016971928899a3042aa4145aef2959b06f6f949a5cb4983ab5f2d43271e48578b5141396fc3baf765e48b9b37be518182552a551243c9ca77e8d4f99190fa43e031e55a1873397290fc6431be560bc33090e3e2a759ec4a5e672e11e310adfa099952ed268b415008d8672eddc2750b6955a374f5c43bd40ad55f3c8184b493bd68ec50572d62871d6ce16e8156c6b35eb660ca56e8e7df5429293bb57ad16dc0abac5944a562293735fedb1a5d6a272a79cb1c530b172cd258c996c8e3d314feffdc893c80180a6a82141494464504992a490e510031191191b0312606108c3300cd13038831020040a429090202234da1001312211e0f850c2bee7283ae8232f72b009b9c62fe011e30a05ecc31c050785883bfe35289e890b0e24a282f275658a9e8342c41df71a14cfa42ea8c12668285e6747b63a1859fd9277adc96cf202df3154285d1728571c80efe6b1cd3596e7400b1a84c8f9496b264c032a69e411df4e2df803e69f5853e234a8a2fe46e3bd60c1496afdc49a12a74115356e21d7b9053ce2eb933917b0411f396b552edeb020327a1e0b7ac375d9f37785315e0da3237e4385d1df48e73c9092ff0732a33346d556839f168db08249f93680e4cab5588f340a271526f1be133e4dc035958a4e206264d44e869fe29bb132fcfb52331b11c96c06e5351bd60b3e1e01a3456516e83853c63702f4cf847e5c6b1ec5561b788ce7078610f17d2ff609148903e64c0834922a0e15582c40ab');
INSERT INTO _blocks VALUES(14,14,0,790,1,NULL,1,3,x'28b52ffd601602cd0b00d6954222304dd506016bd8d4d312120cc037fcc6acf3a6d2a256bd55be31b79f8791115c0a07370039003b00cf8f2f30cd22b09464562a306159c85ac89260f2bcb4d0e65db0fe71071904111508e2a0e2f310fba1e4b4113fee1e635e7e7ea5897e23ce69f4046cd401eee0d912db0cf976dbee4dcbd4f3dbdef446b646b93c74d06e27957e5c71148ea2caf27d50e65d005467687b0676f1a201468c2c44697b9e6f0bbd692116f126461e26bd296aa7cf3349a17d80b6319e83780cda693363d606d1a1717092a6629a65ad8204194553b01aaab70d0055d5b02e82f49a7f5415b360b21051009b1fc1cab35b8897d0b45f6fb349210fe9226cf4e8f30395a6de0f4c56be29c9b13792a23a2b203002839441edd2c4c1ac480013405be10388700b41820896db4867036154f97dc35441cecab6c5fbed16660583d8dab0d7782e676d0a1579cb71807538d5b88a61fb1cf8e08ab7d55b173aac528100ae2341500a02040e1cbc394650bf1784825780cd440d534bdace26d0121057');
INSERT INTO _files VALUES(1,1,x'6167656e74732f6d61696e2f73657373696f6e732f30613030303030392d303030302d343030302d383030302d3030303030303030303030392e6a736f6e6c2e64656c657465642e323032362d31312d31365430342d31382d33312e3539335a',1,'place',1,65024,2171779,782,1794975687706189608,1794975687706189608,1,782,x'9511575bd2f782b418a3b4642edec746',256,x'6ddb9ed4db9a5a2dfeae90cd8cb0c960',782);
INSERT INTO _files VALUES(2,1,x'6167656e74732f6d61696e2f73657373696f6e732f37653433626134372d306362652d343062342d623931362d3366346635313961313831302e6a736f6e6c2e72657365742e323032362d31312d31365430342d31382d33312e3335345a',2,'place',1,65024,2171784,20579,1794975687706401734,1794975687706401734,1,1024,x'0078de75095ff248da2e069cdb8cfd42',256,x'823d50c9b51e4bb44c78bb93b0a8ec2f',20579);
INSERT INTO _files VALUES(3,1,x'6167656e74732f6d61696e2f73657373696f6e732f30613030303030312d303030302d343030302d383030302d3030303030303030303030312d746f7069632d372e6a736f6e6c',3,'place',1,65024,2171770,1624,1794975687705043669,1794975687705043669,1,1024,x'03b34a3c12aa10c1e232cc05aa67dad9',256,x'a33cc07d629b34e1293aac4366568417',1624);
INSERT INTO _files VALUES(4,1,x'6167656e74732f6d61696e2f73657373696f6e732f30613030303030332d303030302d343030302d383030302d3030303030303030303030332e6a736f6e6c',4,'place',1,65024,2171772,5564,1794975687706039183,1794975687706039183,1,1024,x'fa3719cc5c25f38d3862213d531db97a',256,x'b86d51bf670cd4a51bcea7a9f4b79a24',5564);
INSERT INTO _files VALUES(5,1,x'6167656e74732f6d61696e2f73657373696f6e732f30613030303030342d303030302d343030302d383030302d3030303030303030303030342e6a736f6e6c',5,'place',1,65024,2171773,4913,1794975687706072713,1794975687706072713,1,1024,x'68c62572d91db41a541140a26bb70e10',256,x'defe90e94fe92851356baf42102eeab4',4913);
INSERT INTO _files VALUES(6,1,x'6167656e74732f6d61696e2f73657373696f6e732f30613030303030352d303030302d343030302d383030302d3030303030303030303030352e6a736f6e6c',6,'place',1,65024,2171774,807,1794975687706097530,1794975687706097530,1,807,x'7adb895d8fd877288989459c4300e6ba',256,x'e8e1e3c51bcc6f009b7771741c3c1a3d',807);
INSERT INTO _files VALUES(7,1,x'6167656e74732f6d61696e2f73657373696f6e732f30613030303030362d303030302d343030302d383030302d3030303030303030303030362e6a736f6e6c',7,'place',1,65024,2171775,801,1794975687706119463,1794975687706119463,1,801,x'bd6b0e68bf349f576d55ab2c894dedc4',256,x'b41ad97c1d7675fb5d54bfc2e7a27101',801);
INSERT INTO _files VALUES(8,1,x'6167656e74732f6d61696e2f73657373696f6e732f30613030303030372d303030302d343030302d383030302d3030303030303030303030372e6a736f6e6c',8,'place',1,65024,2171776,801,1794975687706141816,1794975687706141816,1,801,x'927182ac55bd7dcea3f4a9381d48e19d',256,x'a7f9d43ea6bbbcfc18f348e91b411f96',801);
INSERT INTO _files VALUES(9,1,x'6167656e74732f6d61696e2f73657373696f6e732f30613030303030382d303030302d343030302d383030302d3030303030303030303030382e6a736f6e6c',9,'place',1,65024,2171778,1455,1794975687706165692,1794975687706165692,1,1024,x'011ef2d852d1cb40209b0445da57c7bb',256,x'10f9fc1ac224e076cc297076e62d2695',1455);
INSERT INTO _files VALUES(10,1,x'6167656e74732f6d61696e2f73657373696f6e732f323032362d31312d31365430342d31382d33312d3532355a5f65633737616531612d643865302d343366392d623539642d6537343764653032306531632e6a736f6e6c',10,'place',1,65024,2171780,3967,1794975687706264239,1794975687706264239,1,1024,x'727a01b610ae4b3b4b0d312d648285cd',256,x'2992b1cb6a9a7d3835e7b7a1dd1a8279',3967);
INSERT INTO _files VALUES(11,1,x'6167656e74732f6d61696e2f73657373696f6e732f323032362d31312d31365430342d31382d33312d3534355a5f37393063633231342d363139632d343832642d616264632d3662393738363237363462382e6a736f6e6c',11,'place',1,65024,2171781,2856,1794975687706332982,1794975687706332982,1,1024,x'b03571d9ff3f8feb8d4de051144e5d67',256,x'62427d3b63f773174715bcbf8ec55cde',2856);
INSERT INTO _files VALUES(12,1,x'6167656e74732f6d61696e2f73657373696f6e732f33353261623565642d613834322d343632652d383930372d3034383364646437353732652e6a736f6e6c',12,'place',1,65024,2171782,1369,1794975687706356967,1794975687706356967,1,1024,x'b7bbdf1eb9e66396a11403b055fb60ed',256,x'06193d210ff47feaaf20a6352104ce52',1369);
INSERT INTO _files VALUES(13,1,x'6167656e74732f6f70732f73657373696f6e732f30613030303030612d303030302d343030302d383030302d3030303030303030303030612e6a736f6e6c',13,'place',1,65024,2171794,8321,1794975687707089610,1794975687707089610,1,1024,x'5e6c2c8ebc16076b73d0731888e6a869',256,x'e79f7fa39aaf43317c698f567555d021',8321);
INSERT INTO _files VALUES(14,1,x'6167656e74732f6f70732f73657373696f6e732f30613030303030622d303030302d343030302d383030302d3030303030303030303030622e6a736f6e6c',14,'place',1,65024,2171795,790,1794975687707116971,1794975687707116971,1,790,x'8d7118428728ed005c1257def824ffa9',256,x'66933e71c7c90ab7f971ba7dee63b5d0',790);
INSERT INTO _indexes VALUES(1,1,x'2f746d702f676669782f6f70656e636c61772f6167656e74732f6d61696e2f73657373696f6e732f73657373696f6e732e6a736f6e',x'3f04e1cd3e14ff8c03f79c4d11f5651b',65024,2171786,17887,1794975687706454943,1794975687706454943);
INSERT INTO _indexes VALUES(2,1,x'2f746d702f676669782f6f70656e636c61772f6167656e74732f6f70732f73657373696f6e732f73657373696f6e732e6a736f6e',x'955732c28e4d38a3a24e63cdd8ad5e71',65024,2171796,513,1794975687707138393,1794975687707138393);
INSERT INTO _index_entries VALUES(1,'main','agent:main:cron:job-1',8,x'210d9ed2c1b284ebedf5aa8605e323c6',1794802711565,NULL);
INSERT INTO _index_entries VALUES(1,'main','agent:main:cron:job-1:run:0c000000-0000-4000-8000-00000000000c',9,x'746a1ea452ed933fb821d0e15e0a58c2',1794802711569,NULL);
INSERT INTO _index_entries VALUES(1,'main','agent:main:direct:branchy',4,x'70f11272c30d43f909de60e42495dc2d',1794802711480,NULL);
INSERT INTO _index_entries VALUES(1,'main','agent:main:direct:compacted',6,x'627f2526d012f92c5ff7fd2ebd3aea41',1794802711554,NULL);
INSERT INTO _index_entries VALUES(1,'main','agent:main:direct:forked',5,x'16cd9df9267f46f70ebda26fb5160a0c',1794802711526,NULL);
INSERT INTO _index_entries VALUES(1,'main','agent:main:direct:repaired',10,x'75b538ab59fbe62f8835e550267e39c9',1794802711573,NULL);
INSERT INTO _index_entries VALUES(1,'main','agent:main:main',1,x'14d1f497ac68e7987fde9bca1e1a7bda',1794802717158,NULL);
INSERT INTO _index_entries VALUES(1,'main','agent:main:subagent:0b000000-0000-4000-8000-00000000000b',7,x'1b4524f3d7aecb706f462473c22289fb',1794802711557,NULL);
INSERT INTO _index_entries VALUES(1,'main','agent:main:telegram:direct:4242',3,x'26508c8477fc233866421a2f33547a6c',1794802711412,NULL);
INSERT INTO _index_entries VALUES(1,'main','agent:main:telegram:group:-1001234:topic:7',2,x'8c190d114465b34882bbfa68ba298262',1794802711362,NULL);
INSERT INTO _index_entries VALUES(2,'ops','agent:ops:discord:channel:99',12,x'0cf0a6f5fb3941a79a164df473f55b2d',1794802711695,NULL);
INSERT INTO _index_entries VALUES(2,'ops','agent:ops:main',11,x'9cc17cfa41cc85813562b2fdb5178321',1794802711594,NULL);
INSERT INTO _repeats VALUES(48,40);
INSERT INTO _repeats VALUES(53,47);
INSERT INTO _repeats VALUES(88,36);
INSERT INTO _repeats VALUES(92,40);
INSERT INTO _repeats VALUES(97,47);
INSERT INTO _repeats VALUES(101,64);
INSERT INTO _repeats VALUES(103,66);
INSERT INTO _repeats VALUES(106,69);
INSERT INTO _answer_ids VALUES(1,'5e4e0eaf',3);
INSERT INTO _answer_ids VALUES(2,'1d6abadc',13);
INSERT INTO _answer_ids VALUES(2,'23e92ec9',26);
INSERT INTO _answer_ids VALUES(2,'3698e72f',24);
INSERT INTO _answer_ids VALUES(2,'85d68152',15);
INSERT INTO _answer_ids VALUES(2,'94ca6922',11);
INSERT INTO _answer_ids VALUES(2,'a9dbadc6',17);
INSERT INTO _answer_ids VALUES(2,'af70e6f7',9);
INSERT INTO _answer_ids VALUES(2,'ba3644b8',22);
INSERT INTO _answer_ids VALUES(2,'ec6af725',20);
INSERT INTO _answer_ids VALUES(3,'b196500e',31);
INSERT INTO _answer_ids VALUES(3,'c60285cb',29);
INSERT INTO _answer_ids VALUES(4,'262bace3',53);
INSERT INTO _answer_ids VALUES(4,'3d9b701f',42);
INSERT INTO _answer_ids VALUES(4,'444c4b45',40);
INSERT INTO _answer_ids VALUES(4,'62301552',47);
INSERT INTO _answer_ids VALUES(4,'8ee86bf4',36);
INSERT INTO _answer_ids VALUES(4,'bef19fc4',48);
INSERT INTO _answer_ids VALUES(5,'212cc47c',62);
INSERT INTO _answer_ids VALUES(5,'26777043',58);
INSERT INTO _answer_ids VALUES(5,'33e5f571',66);
INSERT INTO _answer_ids VALUES(5,'5eefecd8',64);
INSERT INTO _answer_ids VALUES(5,'6a2e18b7',69);
INSERT INTO _answer_ids VALUES(5,'82f5e8ca',60);
INSERT INTO _answer_ids VALUES(5,'aedb6f10',56);
INSERT INTO _answer_ids VALUES(6,'2a57e10d',72);
INSERT INTO _answer_ids VALUES(7,'020564ac',75);
INSERT INTO _answer_ids VALUES(8,'cf7bca4e',78);
INSERT INTO _answer_ids VALUES(9,'86dbf819',81);
INSERT INTO _answer_ids VALUES(9,'e82bb0b7',83);
INSERT INTO _answer_ids VALUES(10,'262bace3',97);
INSERT INTO _answer_ids VALUES(10,'60776fb0',99);
INSERT INTO _answer_ids VALUES(10,'8ee86bf4',88);
INSERT INTO _answer_ids VALUES(10,'bef19fc4',92);
INSERT INTO _answer_ids VALUES(11,'33e5f571',103);
INSERT INTO _answer_ids VALUES(11,'5eefecd8',101);
INSERT INTO _answer_ids VALUES(11,'6a2e18b7',106);
INSERT INTO _answer_ids VALUES(11,'6fa99f20',108);
INSERT INTO _answer_ids VALUES(12,'b288c516',114);
INSERT INTO _answer_ids VALUES(13,'1b3777c4',135);
INSERT INTO _answer_ids VALUES(13,'368dabe9',137);
INSERT INTO _answer_ids VALUES(13,'493db6b2',129);
INSERT INTO _answer_ids VALUES(13,'503a0677',127);
INSERT INTO _answer_ids VALUES(13,'5e904452',119);
INSERT INTO _answer_ids VALUES(13,'668a5e2f',133);
INSERT INTO _answer_ids VALUES(13,'87adafc5',117);
INSERT INTO _answer_ids VALUES(13,'c03d1345',121);
INSERT INTO _answer_ids VALUES(13,'cb42e14e',125);
INSERT INTO _answer_ids VALUES(13,'ce9430d2',131);
INSERT INTO _answer_ids VALUES(13,'e7fb34e6',123);
INSERT INTO _answer_ids VALUES(14,'92bf9f00',140);
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
CREATE VIEW _searchable AS SELECT id, text FROM messages WHERE text IS NOT NULL AND role IN ('user', 'assistant');
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
CREATE INDEX transcripts_by_session ON transcripts(session_id, installation_id, agent_id);
CREATE INDEX transcripts_of_session ON transcripts(session);
CREATE INDEX sessions_by_session_id ON sessions(session_id);
CREATE INDEX messages_with_faults ON messages(transcript_id) WHERE result_fault IS NOT NULL;
CREATE INDEX tool_calls_pending ON tool_calls(transcript_id) WHERE status = 'pending';
CREATE INDEX turns_in_progress ON turns(transcript_id) WHERE status = 'in_progress';
CREATE INDEX sessions_by_key ON sessions(session_key);
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
CREATE INDEX sessions_by_parent ON sessions(parent);
CREATE INDEX sessions_by_parent_key ON sessions(parent_key, parent) WHERE parent_key IS NOT NULL;
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
INSERT INTO search (search) VALUES ('rebuild');
PRAGMA user_version = 5;
COMMIT;
