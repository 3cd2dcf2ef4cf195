// Starts a program that ends with this process, however that ends: a shell between the two stops the
// program when our end of the shell's stdin closes, and even `kill -9` closes that.
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";

/** A program to run; `stopSignals` are sent in turn, `graceMs` apart, then its group is killed. */
export type SupervisedProgram = Pick<SpawnOptions, "cwd" | "env" | "uid" | "gid"> & {
  command: string;
  args: readonly string[];
  stopSignals: readonly NodeJS.Signals[];
  graceMs: number;
};

export type SupervisedProcess = {
  /** The exit code; also resolves when the program ends on its own. */
  exited: Promise<number>;
  /** Asks it to stop and waits until it has. Safe to call twice. */
  stop(): Promise<void>;
  child: ChildProcess;
};

/**
 * `sh -c supervisor sh TENTHS_OF_A_SECOND SIGNALS COMMAND ARGUMENT...`. A handled signal interrupts
 * `wait`, hence the loop. The subshell's last line ends the program's whole process group, including
 * itself.
 */
const supervisor = `
trap : HUP INT TERM
grace=$1; signals=$2; shift 2
exec 3<&0
"$@" <&3 3<&- &
program=$!
(
  while read -r _ <&3; do :; done
  for signal in $signals; do
    kill -s "$signal" $program; tenths=0
    while kill -0 $program && [ $tenths -lt $grace ]; do sleep 0.1; tenths=$((tenths + 1)); done
  done
  kill -s KILL 0
) >/dev/null 2>&1 &
wait $program; code=$?
while kill -0 $program 2>/dev/null; do wait $program; code=$?; done
exit $code`;

/**
 * Starts `program` in its own session. `output` is a file descriptor for stdout and stderr, or
 * "inherit", or "pipe" to read both from the returned child.
 */
export function startSupervised(
  { command, args, stopSignals, graceMs, ...options }: SupervisedProgram,
  output: number | "inherit" | "pipe",
): SupervisedProcess {
  const settings = [`${Math.ceil(graceMs / 100)}`, stopSignals.join(" ").replaceAll("SIG", "")];
  const child = spawn("/bin/sh", ["-c", supervisor, "sh", ...settings, command, ...args], {
    ...options,
    stdio: ["pipe", output, output],
    detached: true,
  });
  child.stdin?.on("error", () => undefined); // It may have ended already.
  const exited = new Promise<number>((resolve) => {
    child.on("error", () => resolve(127));
    child.on("exit", (code) => {
      killGroup(child.pid);
      resolve(code ?? 1);
    });
  });
  const stop = async () => {
    child.stdin?.end();
    await exited;
  };
  return { exited, stop, child };
}

/** Everything that the program started and left behind. */
function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The group is already empty.
  }
}
