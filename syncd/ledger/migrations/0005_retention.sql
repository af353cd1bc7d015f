-- Retention: what was removed and why, what must not come back, what must stay.
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

-- Of purged sessions nothing is kept but hashes under a key of this ledger's own: they tell that a file, an index entry
-- or a line is one of them, and nothing else.
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

-- Tool results whose body was dropped: what rows know of it, which no line tells any more.
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

-- Sessions of earlier programs may lack what is made of their entries now: the next look reads every entry again.
UPDATE _indexes SET digest = x'', dev = NULL;
UPDATE _index_entries SET digest = x'';
