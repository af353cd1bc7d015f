#!/usr/bin/env node
// Makes a published OpenClaw release (2026.5.7 to 2026.9.6) write genuine session state, one command at a time:
//
//   node writer.mjs --package DIR/node_modules/openclaw --state STATE_DIR
//
// One JSON command per line on stdin, one JSON answer per line on stdout: {"ok":true, ...}, {"ok":false,"error":"..."},
// the latter with "unsupported":true where the release has no such thing. The first line printed tells that it is ready.
//
// Every change is made by functions of the package itself, with two exceptions: `raw` writes bytes into a transcript on
// purpose, and what the package does before the first append of a run but does not export is repeated in `prepare`.
//
// Commands ("key" is a session key such as "agent:main:main"; the agent is taken from it):
//   put             key [id] [topic] [fields]      create/replace the index entry; id defaults to a new uuid
//   patch           key fields                     merge fields into the entry
//   append          key role ...                   append one transcript entry, answer {id}
//       role user|assistant|toolResult  text | size   [toolCalls:[{id,name,arguments}]] [thinking] [toolCallId,toolName,isError]
//                                       [mirror:true]  (assistant as delivery mirror)  [side:true] (append without SessionManager)
//       role custom            customType data         role custom_message      customType text [display]
//       role model_change      provider model          role thinking_level_change  level
//       role label             target label            role session_info        name
//       role compaction        summary [firstKept] [tokensBefore]
//   burst           key n rate [size]              n appends, rate per second, alternating user and assistant
//   branch          key to                         move the leaf; the next append becomes a child of `to`
//   branch_summary  key to text                    the same, leaving a branch_summary entry
//   lock / unlock   key                            hold the transcript write lock between the two
//   repair          key                            run the start-of-run repair
//   reset           key [reason:"new"|"reset"]     the gateway's session reset
//   delete          key                            remove the entry and archive its transcript
//   fork            key to                         fork into the new session key `to`
//   rotate          key                            compaction + successor transcript (truncateAfterCompaction)
//   checkpoint      key                            pre-compaction checkpoint copy (2026.5.7)
//   rewrite         key entry text                 replace a message's text through transcript rewriting
//   remove_trailing key [n]                        drop the last n message entries (2026.7.1)
//   entries         key                            [{id,type,role,parentId}] as the package reads them
//   context         key                            [{role,text}] that its SessionManager would give the model
//   cron_run        key job runId [maxBytes] [keepLines]   append to the job's run log, and prune it (not 2026.9.6)
//   raw             key append                     append this string to the transcript file as it is
//   close                                          let go of locks and databases, exit 0
// From 2026.8.1 on sessions are in SQLite: store_backend.mjs has those.
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { randomUUID } from "node:crypto";
import { pathToFileURL } from "node:url";
import { storeBackend } from "./store_backend.mjs";

// ---------------------------------------------------------------- arguments and environment

const arg = (name) => { const i = process.argv.indexOf(`--${name}`); return i < 0 ? undefined : process.argv[i + 1]; };
const PKG = arg("package") && path.resolve(arg("package"));
const STATE = arg("state") && path.resolve(arg("state"));
if (!PKG || !STATE) { console.error("usage: writer.mjs --package DIR --state DIR"); process.exit(2); }
const HOME = path.dirname(STATE);
fs.mkdirSync(STATE, { recursive: true });
process.chdir(HOME);
const CONFIG = path.join(STATE, "openclaw.json");
if (!fs.existsSync(CONFIG)) fs.writeFileSync(CONFIG, "{}\n");
for (const name of Object.keys(process.env)) if (/^(OPENCLAW|CLAWDBOT)_/.test(name)) delete process.env[name];
Object.assign(process.env, { HOME, OPENCLAW_STATE_DIR: STATE, OPENCLAW_CONFIG_PATH: CONFIG, OPENCLAW_NO_RESPAWN: "1", OPENCLAW_NO_AUTO_UPDATE: "1", OPENCLAW_SKIP_CHANNELS: "1" });

const out = process.stdout.write.bind(process.stdout);
for (const level of ["log", "info", "warn", "debug"]) console[level] = (...a) => console.error(...a);
const answer = (o) => out(JSON.stringify(o, (_, v) => typeof v === "bigint" ? String(v) : v) + "\n");
const VERSION = JSON.parse(fs.readFileSync(path.join(PKG, "package.json"), "utf8")).version;

// ---------------------------------------------------------------- finding code inside the package

const dist = path.join(PKG, "dist");
const importFile = (file) => import(pathToFileURL(file).href);
const sdk = async (name) => { const f = path.join(dist, "plugin-sdk", `${name}.js`); return fs.existsSync(f) ? importFile(f) : {}; };
let chunks; // [{file, exports: Map(source name -> export alias)}], read once

/** An internal function by its source name, whatever hashed chunk and export alias it landed in. */
async function internal(name) {
  const starts = (f) => /^(entry|index|loader|extensionAPI)\b/.test(f); // importing one of these would start the command line
  chunks ??= fs.readdirSync(dist).filter((f) => /\.m?js$/.test(f)).sort((a, b) => starts(a) - starts(b)).map((f) => {
    const exports = new Map();
    for (const [, list] of fs.readFileSync(path.join(dist, f), "utf8").matchAll(/^export \{([^}]*)\}/gm))
      for (const item of list.split(",")) { const [source, alias] = item.trim().split(" as "); exports.set(source, alias ?? source); }
    return { file: path.join(dist, f), exports };
  });
  const defines = (c) => new RegExp(`(function\\*? |class |const |let |var )${name}\\b`).test(fs.readFileSync(c.file, "utf8"));
  for (const c of chunks) if (c.exports.has(name) && defines(c)) return (await importFile(c.file))[c.exports.get(name)];
  return undefined;
}
class Unsupported extends Error {}
async function need(name) {
  const fn = await internal(name);
  if (!fn) throw new Unsupported(`${VERSION} does not export ${name}`);
  return fn;
}

// ---------------------------------------------------------------- message builders

const filler = (size) => "Lorem ipsum dolor sit amet, consectetur adipiscing elit. ".repeat(Math.ceil(size / 57)).slice(0, size);
const textOf = (c) => c.text ?? (c.size ? filler(c.size) : "");
const usage = { input: 120, output: 30, cacheRead: 0, cacheWrite: 0, totalTokens: 150, cost: { input: 0.00012, output: 0.00006, cacheRead: 0, cacheWrite: 0, total: 0.00018 } };
const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } };

function message(c) {
  const timestamp = Date.now();
  const text = textOf(c);
  if (c.role === "user") return { role: "user", content: [{ type: "text", text }], timestamp };
  if (c.role === "toolResult") return { role: "toolResult", toolCallId: c.toolCallId, toolName: c.toolName ?? "read", content: [{ type: "text", text }], isError: c.isError ?? false, timestamp };
  const content = [];
  if (c.thinking) content.push({ type: "thinking", thinking: c.thinking, thinkingSignature: "c2ln" });
  if (text || !c.toolCalls) content.push({ type: "text", text });
  for (const call of c.toolCalls ?? []) content.push({ type: "toolCall", id: call.id, name: call.name, arguments: call.arguments ?? {} });
  const origin = c.mirror ? { api: "openai-responses", provider: "openclaw", model: "delivery-mirror", usage: noUsage }
    : { api: "anthropic-messages", provider: c.provider ?? "anthropic", model: c.model ?? "claude-stub", usage };
  return { role: "assistant", content, ...origin, stopReason: c.toolCalls ? "toolUse" : "stop", timestamp };
}

/** Appends through a SessionManager; works for pi's (5.7) and 7.1's own, whose methods share names. */
async function appendEntry(sm, c) {
  switch (c.role) {
    case "user": case "assistant": case "toolResult": return sm.appendMessage(message(c));
    case "custom": return sm.appendCustomEntry(c.customType ?? "writer.note", c.data ?? {});
    case "custom_message": return sm.appendCustomMessageEntry(c.customType ?? "writer.context", textOf(c), c.display ?? true, c.details);
    case "model_change": return sm.appendModelChange(c.provider ?? "anthropic", c.model ?? "claude-stub");
    case "thinking_level_change": return sm.appendThinkingLevelChange(c.level ?? "high");
    case "label": return (sm.appendLabelChange ?? unsupportedMethod("label")).call(sm, c.target, c.label);
    case "session_info": return (sm.appendSessionInfo ?? unsupportedMethod("session_info")).call(sm, c.name ?? "");
    case "compaction": return sm.appendCompaction(c.summary ?? "## Goal\nSummary.", c.firstKept ?? sm.getLeafId(), c.tokensBefore ?? 1000, c.details);
    default: throw new Error(`unknown role ${c.role}`);
  }
}
const unsupportedMethod = (what) => () => { throw new Unsupported(`${VERSION} has no ${what} entries`); };
const brief = (e) => ({ id: e.id, type: e.type, role: e.message?.role, parentId: e.parentId });
/** What the model would be given, in words: only texts, of results and summaries too. */
const contextOf = (sm) => sm.buildSessionContext().messages.map((m) => ({ role: m.role, text: m.summary ?? (typeof m.content === "string" ? m.content
  : (m.content ?? []).filter((b) => b.type === "text").map((b) => b.text).join("\n")) }));
const agentOf = (key) => /^agent:([^:]+):/.exec(key)?.[1] ?? "main";
const sessionsDir = (agent) => path.join(STATE, "agents", agent, "sessions");
const storeOf = (agent) => path.join(sessionsDir(agent), "sessions.json");

// ---------------------------------------------------------------- JSON / JSONL releases (<= 2026.7.1)

async function jsonlBackend() {
  const store = await sdk("session-store-runtime");
  const harness = await sdk("agent-harness-runtime");
  const pi = path.join(PKG, "..", "@mariozechner", "pi-coding-agent", "dist", "index.js");
  const own = (await sdk("agent-sessions")).SessionManager, usesPi = !own;
  const SessionManager = own ?? (await importFile(pi)).SessionManager;
  const updateSessionStore = store.updateSessionStore ?? await need("updateSessionStore");
  const loadSessionStore = store.loadSessionStore ?? await need("loadSessionStore");
  const managers = new Map(), locks = new Map(); // session key -> {sm, file, stamp} / lock

  const entryOf = (key) => {
    const entry = loadSessionStore(storeOf(agentOf(key)), { skipCache: true })[key];
    if (!entry) throw new Error(`no entry for ${key}`);
    return entry;
  };
  const fileOf = (key) => {
    const { sessionFile, sessionId } = entryOf(key);
    return sessionFile ? path.resolve(sessionsDir(agentOf(key)), sessionFile) : path.join(sessionsDir(agentOf(key)), `${sessionId}.jsonl`);
  };
  const stamp = (file) => { try { const s = fs.statSync(file, { bigint: true }); return `${s.ino}:${s.size}:${s.mtimeNs}`; } catch { return "absent"; } };
  /** The package's prepareSessionManagerForRun, which it does not export: what every run does before its first append. */
  const prepare = (sm, file, isNew, sessionId) => {
    const header = sm.fileEntries.find((e) => e.type === "session");
    if (!header) return;
    if (isNew) { header.id = sessionId; header.cwd = process.cwd(); sm.sessionId = sessionId; return; }
    const answered = sm.fileEntries.some((e) => e.type === "message" && e.message?.role === "assistant");
    if (answered || !usesPi) return; // the SessionManager of 2026.7.1 rewrites such a file by itself
    fs.writeFileSync(file, ""); // a header-only file is emptied; header and entries come back with the first answer
    sm.fileEntries = [header]; sm.byId?.clear?.(); sm.labelsById?.clear?.(); sm.leafId = null; sm.flushed = false;
  };
  /** The open SessionManager of a session; reopened when somebody else changed the file. */
  const manager = (key) => {
    const file = fileOf(key), cached = managers.get(key);
    if (cached?.file === file && cached.stamp === stamp(file)) return cached.sm;
    const isNew = !fs.existsSync(file);
    const sm = SessionManager.open(file, sessionsDir(agentOf(key)), process.cwd());
    prepare(sm, file, isNew, entryOf(key).sessionId);
    managers.set(key, { sm, file, stamp: stamp(file) });
    return sm;
  };
  const touch = (key) => { const m = managers.get(key); if (m) m.stamp = stamp(m.file); };
  const update = (key, mutate) => updateSessionStore(storeOf(agentOf(key)), mutate);
  const merge = (key, fields) => update(key, (s) => { s[key] = { ...s[key], ...fields, updatedAt: fields.updatedAt ?? Date.now() }; });

  return {
    async put({ key, id = randomUUID(), topic, fields = {} }) {
      const name = topic === undefined || topic === null ? `${id}.jsonl` : `${id}-topic-${encodeURIComponent(topic)}.jsonl`;
      const sessionFile = path.join(sessionsDir(agentOf(key)), name);
      await update(key, (s) => { s[key] = { sessionId: id, updatedAt: Date.now(), sessionFile, ...fields }; });
      managers.delete(key);
      return { sessionId: id, file: sessionFile };
    },
    async patch({ key, fields }) {
      entryOf(key);
      if (store.updateSessionStoreEntry) await store.updateSessionStoreEntry({ storePath: storeOf(agentOf(key)), sessionKey: key, update: () => fields });
      else await merge(key, fields);
      return {};
    },
    async append(c) {
      if (c.side || c.mirror) {
        const r = await harness.appendSessionTranscriptMessage({ transcriptPath: fileOf(c.key), sessionId: entryOf(c.key).sessionId, cwd: process.cwd(), message: message(c) });
        return { id: r?.messageId ?? r?.id ?? r };
      }
      const id = await appendEntry(manager(c.key), c);
      touch(c.key);
      return { id, onDisk: fs.existsSync(fileOf(c.key)) };
    },
    async branch({ key, to }) { manager(key).branch(to); return {}; },
    async branch_summary({ key, to, text = "Tried something else." }) {
      const id = manager(key).branchWithSummary(to, text); touch(key);
      return { id };
    },
    async lock({ key, timeoutMs = 5000, maxHoldMs }) {
      if (locks.has(key)) throw new Error("already locked");
      const acquire = harness.acquireSessionWriteLock ?? await need("acquireSessionWriteLock");
      const lock = await acquire({ sessionFile: fileOf(key), timeoutMs, ...(maxHoldMs ? { maxHoldMs } : {}) });
      locks.set(key, lock);
      return { lock: `${fileOf(key)}.lock` };
    },
    async unlock({ key }) {
      const lock = locks.get(key); if (!lock) throw new Error("not locked");
      locks.delete(key); await lock.release();
      return {};
    },
    async repair({ key }) {
      const result = await (await need("repairSessionFileIfNeeded"))({ sessionFile: fileOf(key) });
      managers.delete(key);
      return { result };
    },
    async reset({ key, reason = "new" }) {
      const before = entryOf(key).sessionId;
      const r = await (await need("performGatewaySessionReset"))({ key, reason, commandSource: "writer" });
      if (r.ok === false) throw new Error(r.error?.message ?? "reset failed");
      managers.delete(key);
      return { before, sessionId: entryOf(key).sessionId, file: fileOf(key) };
    },
    async delete({ key }) {
      const entry = entryOf(key), storePath = storeOf(agentOf(key)), agentId = agentOf(key), file = fileOf(key);
      managers.delete(key);
      const lifecycle = await internal("deleteSessionEntryLifecycle");
      if (lifecycle) {
        const r = await lifecycle({ storePath, agentId, archiveTranscript: true, target: { canonicalKey: key, storeKeys: [key] } });
        return { deleted: r.deleted, archived: r.archivedTranscripts?.map((a) => a.archivedPath ?? a) };
      }
      await update(key, (s) => { delete s[key]; });
      const archive = await internal("archiveSessionTranscripts");
      if (archive) return { deleted: true, archived: archive({ sessionId: entry.sessionId, storePath, sessionFile: entry.sessionFile, agentId, reason: "deleted" }) };
      return { deleted: true, archived: [(await need("archiveFileOnDisk"))(file, "deleted")] };
    },
    async fork({ key, to }) {
      const parentEntry = entryOf(key), agentId = agentOf(key), dir = sessionsDir(agentId);
      const runtime = await internal("forkSessionFromParentRuntime"), current = await internal("forkSessionFromParent");
      let fork;
      if (runtime) fork = await runtime({ parentEntry, agentId, sessionsDir: dir });
      else if (current) fork = await current({ parentEntry, agentId, sessionsDir: dir, storePath: storeOf(agentId), parentSessionKey: key, sessionKey: to });
      if (!fork) throw new Error("the package declined to fork");
      await update(to, (s) => { s[to] = { ...s[to], sessionId: fork.sessionId, sessionFile: fork.sessionFile, updatedAt: Date.now(), forkedFromParent: true, parentSessionKey: key }; });
      return { sessionId: fork.sessionId, file: fork.sessionFile };
    },
    async rotate({ key, summary, firstKept }) {
      const sm = manager(key);
      if (!sm.getBranch().some((e) => e.type === "compaction") || summary) sm.appendCompaction(summary ?? "## Goal\nRotated.", firstKept ?? sm.getLeafId(), 5000);
      touch(key);
      const r = await (await need("rotateTranscriptFileAfterCompaction"))({ sessionFile: fileOf(key) });
      if (!r.rotated) throw new Error(`not rotated: ${r.reason}`);
      await merge(key, { sessionId: r.sessionId, sessionFile: r.sessionFile });
      managers.delete(key);
      return { sessionId: r.sessionId, file: r.sessionFile };
    },
    async checkpoint({ key }) {
      const capture = await need("captureCompactionCheckpointSnapshotAsync");
      const snapshot = await capture({ sessionFile: fileOf(key), sessionManager: manager(key) });
      if (!snapshot) throw new Error("no snapshot");
      const persist = await internal("persistSessionCompactionCheckpoint");
      return { snapshot, persisted: Boolean(persist) };
    },
    async rewrite({ key, entry, text }) {
      const target = manager(key).getBranch().find((e) => e.id === entry);
      if (target?.type !== "message") throw new Error("entry is not a message on the active branch");
      const request = { replacements: [{ entryId: entry, message: { ...target.message, content: [{ type: "text", text }] } }] };
      const inFile = await internal("rewriteTranscriptEntriesInSessionFile");
      const result = inFile ? await inFile({ sessionFile: fileOf(key), sessionKey: key, request })
        : await (await need("rewriteTranscriptEntriesInRuntimeTranscript"))({ scope: { agentId: agentOf(key), sessionKey: key, sessionId: entryOf(key).sessionId, storePath: storeOf(agentOf(key)), sessionFile: fileOf(key) }, request });
      if (!result.changed) throw new Error(`not rewritten: ${result.reason}`);
      managers.delete(key);
      return { result: { rewrittenEntries: result.rewrittenEntries } };
    },
    async remove_trailing({ key, n = 1 }) {
      const sm = manager(key);
      if (!sm.removeTrailingEntries) throw new Unsupported(`${VERSION}'s SessionManager has no removeTrailingEntries`);
      let left = n;
      const removed = sm.removeTrailingEntries((e) => e.type === "message" && left-- > 0);
      touch(key);
      return { removed };
    },
    async entries({ key }) { return { leaf: manager(key).getLeafId(), entries: manager(key).getEntries().map(brief) }; },
    async context({ key }) { return { messages: contextOf(SessionManager.open(fileOf(key), sessionsDir(agentOf(key)), process.cwd())) }; },
    async cron_run({ key, job, runId, maxBytes = 2000000, keepLines = 2000 }) {
      const append = await need("appendCronRunLog"), logPath = await internal("resolveCronRunLogPath");
      const storePath = path.join(STATE, "cron", "jobs.json");
      const entry = { ts: Date.now(), jobId: job, action: "finished", status: "ok", runId, sessionKey: key, durationMs: 5 };
      if (!logPath) { await append({ storePath, entry, opts: { keepLines } }); return {}; } // in its database
      const file = logPath({ storePath, jobId: job });
      await append(file, entry, { maxBytes, keepLines });
      return { file };
    },
    async raw({ key, append }) { fs.appendFileSync(fileOf(key), append); managers.delete(key); return {}; },
    async close() { for (const lock of locks.values()) await lock.release(); return {}; },
  };
}

// ---------------------------------------------------------------- command loop

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const isStore = typeof (await sdk("session-store-runtime")).deleteSessionEntry === "function";
const backend = isStore
  ? await storeBackend({ sdk, need, internal, message, appendEntry, brief, contextOf, agentOf, storeOf, state: STATE, Unsupported, version: VERSION })
  : await jsonlBackend();

const commands = {
  ...backend,
  async burst({ key, n, rate = 10, size = 200 }) {
    const start = Date.now(), ids = [];
    for (let i = 0; i < n; i++) {
      const wait = start + (i * 1000) / rate - Date.now();
      if (wait > 0) await sleep(wait);
      ids.push((await backend.append({ key, role: i % 2 ? "assistant" : "user", text: `burst ${i} ${filler(size)}` })).id);
    }
    return { n: ids.length, ms: Date.now() - start, first: ids[0], last: ids.at(-1) };
  },
};

answer({ ok: true, ready: true, version: VERSION, pid: process.pid });
for await (const line of readline.createInterface({ input: process.stdin })) {
  if (!line.trim()) continue;
  let c = {};
  try {
    c = JSON.parse(line);
    const run = commands[c.cmd];
    if (!run) throw new Error(`unknown command ${c.cmd}`);
    answer({ ok: true, ...await run(c) });
  } catch (error) {
    answer({ ok: false, ...(error instanceof Unsupported && { unsupported: true }), error: String(error?.message ?? error).split("\n")[0] });
    if (process.env.WRITER_DEBUG) console.error(error);
  }
  if (c.cmd === "close") process.exit(0);
}
await backend.close();
process.exit(0);
