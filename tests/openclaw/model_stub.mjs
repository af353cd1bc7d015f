#!/usr/bin/env node
// A scripted chat-completions server on loopback, for real agent turns without a network.
//
// Prints {"baseUrl":"http://127.0.0.1:N/v1"} and answers by a marker in the newest user text:
//   [[stub:text WORDS]]        answer WORDS
//   [[stub:think WORDS]]       reasoning deltas, then WORDS
//   [[stub:long N]]            an answer of N bytes
//   [[stub:slow MS]]           tokens spread over MS milliseconds
//   [[stub:exec [xN] CMD]]     call tool exec {command:CMD} N times over, then answer
//   [[stub:two CMD]]           two exec calls in one assistant message, then answer
//   [[stub:error STATUS [N]]]  HTTP error; with N only to the first N requests with this very marker, then an answer
//   [[stub:cut [N]]]           start a stream and drop the connection; N likewise
// Without a marker: "ok: <first 80 characters>". A request without tools that asks for a summary (compaction) gets one.
// GET /v1/account tells what was sent so far: {requests:[{kind,usage,calls}]}, kind one of answer, aside (a request
// without tools: no step of a turn), error, cut.
import http from "node:http";

const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
let calls = 0;
const account = [], failed = new Map(); // marker -> how many requests for it have failed on purpose

const textOf = (c) => typeof c === "string" ? c
  : Array.isArray(c) ? c.map((b) => b?.text ?? (b?.type === "tool_result" ? textOf(b.content) : "")).join("\n") : "";

/** What to answer. */
function plan({ messages = [], tools }) {
  const isToolResult = (m) => m.role === "tool" || (m.role === "user" && Array.isArray(m.content) && m.content.some((b) => b.type === "tool_result"));
  // Some releases wrap a context of their own into these markers.
  const withoutContext = (m) => textOf(m.content).replace(/<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>[\s\S]*?<<<END_OPENCLAW_INTERNAL_CONTEXT>>>/g, "").trim();
  let lastUser = messages.length - 1;
  while (lastUser >= 0 && !(messages[lastUser].role === "user" && !isToolResult(messages[lastUser]) && withoutContext(messages[lastUser]))) lastUser--;
  const user = lastUser >= 0 ? withoutContext(messages[lastUser]) : "";
  const rounds = messages.slice(lastUser + 1).filter((m) => m.role === "assistant").length;
  // A request for a compaction summary quotes the conversation, markers included, and offers no tools.
  if (!tools?.length && /summar/i.test(JSON.stringify(messages))) return { text: `## Goal\nStub summary of ${user.length} characters.\n\n## Progress\n- done` };
  const m = /\[\[stub:(\w+)(?:\s+([\s\S]*?))?\]\]/.exec(user);
  const kind = m?.[1] ?? "", rest = m?.[2] ?? "";
  const call = (name, args) => ({ id: `call_${process.pid}_${++calls}`, name, arguments: JSON.stringify(args) });
  const fails = (times) => {
    const before = failed.get(m[0]) ?? 0;
    failed.set(m[0], before + 1);
    return times === undefined || before < Number(times);
  };
  const done = { text: `final answer after ${rounds} tool round(s)` };
  switch (kind) {
    case "text": return { text: rest };
    case "think": return { thinking: "Let me think about it. First this, then that.", text: rest || "thought about it" };
    case "long": { const n = Number(rest) || 12000; return { text: "The quick brown fox jumps over the lazy dog. ".repeat(Math.ceil(n / 45)).slice(0, n) }; }
    case "slow": return { text: "slowly " .repeat(40), spreadMs: Number(rest) || 5000 };
    case "exec": { const [, n, cmd] = /^(?:x(\d+)\s+)?([\s\S]*)$/.exec(rest); return rounds < Number(n ?? 1) ? { text: "", calls: [call("exec", { command: cmd })] } : done; }
    case "two": return rounds < 1 ? { text: "Running two.", calls: [call("exec", { command: rest }), call("exec", { command: "echo second" })] } : done;
    case "error": { const [status, times] = rest.split(" "); return fails(times) ? { status: Number(status) || 500 } : { text: "answered after all" }; }
    case "cut": return fails(rest || undefined) ? { text: "this stream ends too ear", cut: true } : { text: "whole after all" };
    default: return { text: `ok: ${user.slice(0, 80)}` };
  }
}

const chunksOf = (s, n = 200) => { const out = []; for (let i = 0; i < s.length; i += n) out.push(s.slice(i, i + n)); return out; };

async function openai(res, body, p) {
  const id = `chatcmpl-${Date.now()}`, model = body.model, created = Math.floor(Date.now() / 1000);
  const usage = { prompt_tokens: Math.ceil(JSON.stringify(body.messages).length / 4), completion_tokens: Math.ceil((p.text?.length ?? 0) / 4) + 1 };
  usage.total_tokens = usage.prompt_tokens + usage.completion_tokens;
  const toolCalls = p.calls?.map((c) => ({ id: c.id, type: "function", function: { name: c.name, arguments: c.arguments } }));
  const finish = toolCalls ? "tool_calls" : "stop";
  const entry = { kind: p.cut ? "cut" : body.tools?.length ? "answer" : "aside", usage, calls: p.calls?.map((c) => c.id) ?? [] };
  account.push(entry);
  res.on("close", () => { if (!res.writableFinished) entry.kind = "cut"; });
  if (!body.stream) {
    res.writeHead(200, { "content-type": "application/json" });
    return res.end(JSON.stringify({ id, object: "chat.completion", created, model, choices: [{ index: 0, message: { role: "assistant", content: p.text ?? "", tool_calls: toolCalls }, finish_reason: finish }], usage }));
  }
  res.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const send = (delta, finish_reason = null, extra = {}) => res.write(`data: ${JSON.stringify({ id, object: "chat.completion.chunk", created, model, choices: [{ index: 0, delta, finish_reason }], ...extra })}\n\n`);
  send({ role: "assistant", content: "" });
  if (p.thinking) for (const t of chunksOf(p.thinking, 12)) send({ reasoning_content: t });
  const parts = chunksOf(p.text ?? "", p.spreadMs ? 10 : 200);
  for (const t of parts) { send({ content: t }); if (p.spreadMs) await sleep(p.spreadMs / parts.length); }
  if (p.cut) return res.destroy();
  toolCalls?.forEach((c, index) => send({ tool_calls: [{ index, ...c }] }));
  send({}, finish, { usage });
  res.write(`data: ${JSON.stringify({ id, object: "chat.completion.chunk", created, model, choices: [], usage })}\n\n`);
  res.end("data: [DONE]\n\n");
}

const server = http.createServer(async (req, res) => {
  const url = req.url.split("?")[0];
  let raw = "";
  for await (const part of req) raw += part;
  if (req.method === "GET" && url.endsWith("/models")) {
    res.writeHead(200, { "content-type": "application/json" });
    return res.end(JSON.stringify({ object: "list", data: [{ id: "stub-1", object: "model" }] }));
  }
  if (req.method === "GET" && url.endsWith("/account")) {
    res.writeHead(200, { "content-type": "application/json" });
    return res.end(JSON.stringify({ requests: account }));
  }
  let body;
  try { body = JSON.parse(raw); } catch { res.writeHead(400); return res.end("bad json"); }
  const p = plan(body);
  if (p.status) { account.push({ kind: "error", calls: [] }); res.writeHead(p.status, { "content-type": "application/json" }); return res.end(JSON.stringify({ error: { message: `stub error ${p.status}`, type: "server_error" } })); }
  await openai(res, body, p);
});
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address();
  console.log(JSON.stringify({ baseUrl: `http://127.0.0.1:${port}/v1` }));
});
