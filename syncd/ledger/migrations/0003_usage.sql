-- Usage: each message counted once, however often forks, copies, rewrites and replays repeat it.
CREATE TABLE _repeats (
  message_id INTEGER PRIMARY KEY REFERENCES messages(id),    -- an answer that repeats another
  counted_id INTEGER NOT NULL REFERENCES messages(id)        -- the answer that is counted in its place
) STRICT;
CREATE INDEX _repeats_by_counted ON _repeats(counted_id);

-- Entry ids of answers: whether one came before is asked for every answer that comes in.
CREATE TABLE _answer_ids (
  transcript_id INTEGER NOT NULL REFERENCES transcripts(id), -- the transcript it is in
  id_tail TEXT NOT NULL,                     -- the last eight characters of its entry id, which tell nearly all apart
  message_id INTEGER NOT NULL,               -- messages.id of the answer
  PRIMARY KEY (transcript_id, id_tail, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX messages_by_answer ON messages(transcript_id, at) WHERE role = 'assistant';
-- Sessions that took over from one another: who answered before.
CREATE INDEX transcripts_by_start ON transcripts(agent_id, started_at);

-- Answers that count: what was spent stays spent, also where a rewrite dropped the line.
CREATE VIEW _counted_answers AS
SELECT messages.id, messages.transcript_id, messages.at, messages.provider, messages.model, messages.input_tokens,
  messages.output_tokens, messages.cache_read_tokens, messages.cache_write_tokens, messages.total_tokens,
  messages.cost_total, coalesce(messages.total_tokens, messages.cost_total, messages.input_tokens,
    messages.output_tokens, messages.cache_read_tokens, messages.cache_write_tokens) IS NOT NULL AS tells_usage
FROM messages LEFT JOIN _repeats ON _repeats.message_id = messages.id
WHERE messages.role = 'assistant' AND messages.is_delivery_mirror = 0 AND _repeats.message_id IS NULL;

-- The same of what no rewrite dropped. The one that counts may be dropped while others of the same original are live:
-- then one of those stands for it, of the same version if there is one, else the newest.
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

-- Results that a rewrite dropped together with their call, which tool_calls then calls pending again.
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

-- What is in the ledger already is derived anew, which fills the tables above.
UPDATE transcripts SET projection = -abs(projection);
