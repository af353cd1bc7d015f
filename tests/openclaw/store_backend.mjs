// What writer.mjs does with a release that keeps its sessions in SQLite (2026.8.1 and later): the same commands, and
//   list            agent                          [{key,sessionId}] of its sessions
//   raw_delta       key [id]                       the session's events as OpenClaw's own raw reader gives them
//   truncate_wal    key, follower                  checkpoint(TRUNCATE) of the agent's database; answer {blockedMs, byFollowerMs}
//   freeze                                         cold storage for every transcript that OpenClaw lets go
//   roll_over       key                            a new session id under the key, as after an idle night
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";

export function holdsLock(pid, place) {
  const inodes = ["", "-wal", "-shm"].map((end) => statSync(place + end, { throwIfNoEntry: false })?.ino);
  const lines = readFileSync("/proc/locks", "utf8").trimEnd().split("\n").map((line) => line.split(/\s+/));
  return lines.some((words) => words[1] !== "->" && words[4] === String(pid) && inodes.includes(Number(words[5].split(":")[2])));
}

export async function storeBackend({ sdk, need, internal, message, appendEntry, brief, contextOf, agentOf, storeOf, state, Unsupported, version }) {
  const store = await sdk("session-store-runtime");
  const transcripts = await sdk("session-transcript-runtime");
  const { SessionManager } = await sdk("agent-sessions");
  const managers = new Map();
  const scopeOf = (key) => {
    const agentId = agentOf(key), storePath = storeOf(agentId);
    const entry = store.getSessionEntry({ agentId, sessionKey: key, storePath });
    if (!entry) throw new Error(`no entry for ${key}`);
    return { agentId, sessionKey: key, sessionId: entry.sessionId, storePath, entry };
  };
  const target = (key) => { const { entry, ...scope } = scopeOf(key); return scope; };
  const manager = (key) => {
    const scope = target(key), cached = managers.get(key);
    if (cached?.id === scope.sessionId) return cached.sm;
    const sm = SessionManager.open(scope);
    managers.set(key, { sm, id: scope.sessionId });
    return sm;
  };
  const noFiles = (what) => async () => { throw new Unsupported(`${version} keeps transcripts in SQLite: no ${what}`); };
  const databaseOf = (key) => path.join(state, "agents", agentOf(key), "agent", "openclaw-agent.sqlite");
  const put = async ({ key, id = randomUUID(), fields = {} }) => {
    const agentId = agentOf(key);
    await store.upsertSessionEntry({ agentId, sessionKey: key, storePath: storeOf(agentId), entry: { sessionId: id, updatedAt: Date.now(), ...fields } });
    managers.delete(key);
    return { sessionId: id };
  };

  return {
    put,
    async patch({ key, fields }) {
      await store.updateSessionStoreEntry({ storePath: storeOf(agentOf(key)), sessionKey: key, update: () => fields });
      return {};
    },
    async append(c) {
      if (c.side || c.mirror) {
        managers.delete(c.key);
        const r = await transcripts.appendSessionTranscriptMessageByIdentity({ ...target(c.key), message: message(c) });
        return { id: r?.messageId ?? r?.id };
      }
      return { id: await appendEntry(manager(c.key), c) };
    },
    async branch({ key, to }) { await manager(key).branch(to); return {}; },
    async branch_summary({ key, to, text = "Tried something else." }) {
      const sm = manager(key);
      if (!sm.branchWithSummary) throw new Unsupported(`${version} has no branchWithSummary`);
      return { id: await sm.branchWithSummary(to, text) };
    },
    lock: noFiles("transcript lock"), unlock: noFiles("transcript lock"), repair: noFiles("file repair"),
    rotate: noFiles("successor file"), checkpoint: noFiles("checkpoint copy"), raw: noFiles("transcript file"),
    async reset({ key, reason = "new" }) {
      const before = target(key).sessionId;
      const r = await (await need("performGatewaySessionReset"))({ key, reason, commandSource: "writer" });
      if (r.ok === false) throw new Error(r.error?.message ?? "reset failed");
      managers.delete(key);
      return { before, sessionId: target(key).sessionId };
    },
    async roll_over({ key }) {
      const id = randomUUID();
      return put({ key, id, fields: { ...scopeOf(key).entry, sessionId: id, updatedAt: Date.now(), sessionStartedAt: Date.now() } });
    },
    async delete({ key }) {
      const { agentId, storePath } = target(key);
      managers.delete(key);
      return { deleted: await store.deleteSessionEntry({ agentId, sessionKey: key, storePath, archiveTranscript: true }) };
    },
    async fork({ key, to }) {
      const { entry, agentId, storePath } = scopeOf(key);
      const fork = await (await need("forkSessionFromParent"))({ parentEntry: entry, agentId, storePath, parentSessionKey: key, sessionKey: to });
      if (!fork) throw new Error("the package declined to fork");
      await store.upsertSessionEntry({ agentId, sessionKey: to, storePath, entry: { sessionId: fork.sessionId, updatedAt: Date.now(), forkedFromParent: true, parentSessionKey: key } });
      return { sessionId: fork.sessionId };
    },
    async rewrite({ key, entry, text }) {
      const sm = SessionManager.open(target(key));
      const old = sm.getBranch().find((e) => e.id === entry);
      if (old?.type !== "message") throw new Error("entry is not a message on the active branch");
      const r = await (await need("rewriteTranscriptEntriesInSessionManager"))({ sessionManager: sm, replacements: [{ entryId: entry, message: { ...old.message, content: [{ type: "text", text }] } }] });
      if (!r.changed) throw new Error(`not rewritten: ${r.reason}`);
      managers.delete(key);
      return { result: { rewrittenEntries: r.rewrittenEntries } };
    },
    async remove_trailing({ key, n = 1 }) {
      let left = n;
      const removed = await manager(key).removeTrailingEntries((e) => e.type === "message" && left-- > 0);
      managers.delete(key);
      return { removed };
    },
    async entries({ key }) {
      const events = (await transcripts.readSessionTranscriptEvents(target(key))).map((e) => e.event ?? e);
      return { leaf: manager(key).getLeafId(), entries: events.filter((e) => e.type !== "session").map(brief) };
    },
    async context({ key }) { return { messages: contextOf(SessionManager.open(target(key))) }; },
    async list({ agent }) {
      const all = store.listSessionEntries({ agentId: agent, storePath: storeOf(agent) });
      return { sessions: all.map((s) => ({ key: s.sessionKey ?? s.key, sessionId: (s.entry ?? s).sessionId })) };
    },
    async raw_delta({ key, id }) {
      const scope = { ...target(key), ...(id && { sessionId: id }) }, events = [];
      for (let cursor; ;) {
        const page = await transcripts.readSessionTranscriptRawDelta({ ...scope, maxEvents: 10000, maxBytes: 67108864, ...(cursor && { cursor }) });
        if (page.kind === "missing") return { events };
        if (page.kind !== "page") throw new Error(`raw delta: ${page.kind} ${page.reason}`);
        events.push(...page.events.map((e) => JSON.stringify(e.event)));
        if (!page.hasMore) return { sessionId: scope.sessionId, events };
        cursor = page.cursor;
      }
    },
    async truncate_wal({ key, follower }) {
      const place = databaseOf(key), db = new DatabaseSync(place, { timeout: 0 }), started = performance.now();
      try {
        // As long as it answers busy, somebody still reads what the log holds: a turn of OpenClaw's own, or the follower.
        let blockedMs = 0, byFollowerMs = 0;
        while (db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get().busy) {
          const isFollower = holdsLock(follower, place);
          await new Promise((resolve) => setTimeout(resolve, 2));
          const before = blockedMs;
          blockedMs = performance.now() - started;
          if (isFollower) byFollowerMs += blockedMs - before;
          if (blockedMs > 10000) break;
        }
        return { blockedMs, byFollowerMs };
      } finally { db.close(); }
    },
    async freeze({ afterDays = -1 }) {
      const run = await need("runSessionColdStorageMaintenance");
      return run({ config: { session: { maintenance: { coldStorage: { enabled: true, afterDays } } } } });
    },
    async close() {
      for (const { sm } of managers.values()) await sm.flushPendingPersistence?.();
      (await internal("closeOpenClawAgentDatabases"))?.(); // checkpoints the WAL and removes it
      (await internal("closeOpenClawStateDatabase"))?.();
      return {};
    },
  };
}
