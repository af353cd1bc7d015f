#!/usr/bin/env node
// Calls methods of a running gateway by the release's own client, as many at once as are asked for:
//
//   node gateway_calls.mjs --package DIR/node_modules/openclaw
//
// One JSON call per line on stdin: {"id","method","params","final","timeoutMs"}; one JSON answer per line on stdout, in
// the order in which they come: {"id","ok":true,"result"} or {"id","ok":false,"error"}. "final" waits for the end of a run.
import path from "node:path";
import readline from "node:readline";
import { pathToFileURL } from "node:url";

const PKG = path.resolve(process.argv[process.argv.indexOf("--package") + 1]);
const SCOPES = ["operator.admin", "operator.read", "operator.write"]; // 2026.5.7 lets nobody ask for more later
const out = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);
const answer = (o) => out(JSON.stringify(o) + "\n");
const { callGatewayFromCli } = await import(pathToFileURL(path.join(PKG, "dist", "plugin-sdk", "gateway-runtime.js")).href);

answer({ ready: true });
for await (const line of readline.createInterface({ input: process.stdin })) {
  const { id, method, params, final, timeoutMs } = JSON.parse(line);
  callGatewayFromCli(method, { timeout: String(timeoutMs), json: true }, params, { expectFinal: final, progress: false, scopes: SCOPES })
    .then((result) => answer({ id, ok: true, result }), (error) => answer({ id, ok: false, error: String(error?.message ?? error) }));
}
process.exit(0);
