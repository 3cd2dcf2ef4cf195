// Runs one program for as long as its parent holds the other end of our stdin. A parent that exits,
// crashes or is killed -9 closes that pipe, and the program is then stopped: nothing outlives `bun dev`.
import { spawn } from "node:child_process";
import type { SupervisedProgram } from "./start-supervised.ts";

const program: SupervisedProgram = JSON.parse(process.argv[2] ?? "{}");
// Ctrl-C reaches a whole process group; only the parent decides the order in which things stop.
for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("SIGTERM", () => stop());

const child = spawn(program.command, program.args, {
  stdio: ["pipe", "inherit", "inherit"],
  detached: true,
  ...(program.cwd === undefined ? {} : { cwd: program.cwd }),
  ...(program.user === undefined ? {} : { uid: program.user.uid, gid: program.user.gid }),
});
child.on("error", (error) => {
  console.error(`${program.command} did not start: ${error.message}`);
  process.exit(127);
});
child.on("exit", (code, signal) => {
  // What it may have started itself shares its process group.
  signalGroup("SIGKILL");
  process.exit(code ?? (signal === null ? 1 : 128));
});

process.stdin.on("data", () => undefined);
process.stdin.on("end", () => stop());
process.stdin.on("error", () => stop());
process.stdin.resume();

let stopping = false;

function stop(): void {
  if (stopping) return;
  stopping = true;
  const [first, ...later] = program.stopSignals;
  child.kill(first);
  later.forEach((signal, index) => {
    setTimeout(() => child.kill(signal), program.graceMs * (index + 1));
  });
  setTimeout(() => signalGroup("SIGKILL"), program.graceMs * program.stopSignals.length);
}

function signalGroup(signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is already empty.
  }
}
