// `bun run start`: the server in production. What must be set before its process starts is set
// here; signals and the exit code are passed through, so that a supervisor sees one process. SIGHUP reads
// the catalog again, unless it means that the terminal was closed.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { startEnvironment } from "../../apps/server/src/start-environment.ts";
import { bypassProxy } from "../process/bypass-proxy.ts";

const root = join(import.meta.dirname, "../..");
const child = spawn(process.execPath, [join(root, "apps/server/src/main.ts")], {
  cwd: root,
  // Its own session: Ctrl-C reaches it once, through this process, and a second one means "immediately".
  detached: true,
  // Only a channel tells the server that this process was killed.
  stdio: ["inherit", "inherit", "inherit", "ipc"],
  env: startEnvironment({ ...process.env, ...bypassProxy(process.env) }),
});

for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
process.on("SIGHUP", () => child.kill(process.stdin.isTTY ? "SIGTERM" : "SIGHUP"));
child.on("error", (error) => {
  console.error(`The server did not start: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
