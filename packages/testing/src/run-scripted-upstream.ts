// Runs the scripted upstream as a separate process, as `bun dev` does for the `sandbox/*` models:
// `bun run-scripted-upstream.ts [port]`. It ends with its parent, that is, when its stdin closes.
import { startScriptedUpstream } from "./scripted-upstream.ts";

const port = Number(process.argv[2] ?? 0);
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error("usage: bun run-scripted-upstream.ts [port]");
  process.exit(2);
}
const upstream = await startScriptedUpstream({ port, keepRequests: 100 });
console.log(JSON.stringify({ baseUrl: upstream.baseUrl }));
process.stdin.on("end", () => process.exit(0)).resume();
