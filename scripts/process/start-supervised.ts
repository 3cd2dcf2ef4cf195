// Starts a program that ends with this process, however that ends: a shell in the program's group stops
// it when our end of its stdin closes, and even `kill -9` closes that.
import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";

export type SupervisedProcess = {
  /** The exit code, or the signal that ended it; also resolves when the program ends on its own. */
  exited: Promise<number | NodeJS.Signals>;
  /** Asks it to stop and waits until it has. Safe to call twice. */
  stop(): Promise<void>;
  child: ChildProcess;
};

/**
 * `sh -c supervisor sh COMMAND ARGUMENT...`: the shell becomes the program, and `$$` is the program in
 * its subshell too. That sends what Ctrl-C would send, five seconds later what Ctrl-\ would send, and
 * finally kills the whole group, including itself.
 */
const supervisor = ({ firstMs, secondMs }: StopTimes) => `
exec 3<&0
(
  read -r _ <&3
  request() {
    kill -s $1 $$; tenths=0
    while kill -0 $$ && [ $tenths -lt $2 ]; do sleep 0.1; tenths=$((tenths + 1)); done
  }
  request INT ${Math.ceil(firstMs / 100)}
  request QUIT ${Math.ceil(secondMs / 100)}
  kill -s KILL 0
) >/dev/null 2>&1 &
exec "$@" 3<&-`;

/** How long a program may take to end after it was asked once, twice, and at most. */
export type StopTimes = {
  readonly firstMs: number;
  readonly secondMs: number;
  readonly lastResortMs: number;
};

const stopTimes: StopTimes = { firstMs: 5_000, secondMs: 5_000, lastResortMs: 15_000 };

/**
 * Starts `command` in its own session. `output` is a file descriptor for stdout and stderr, or
 * "inherit", or "pipe" to read both from the returned child.
 */
export function startSupervised(
  command: readonly string[],
  output: number | "inherit" | "pipe",
  options: Pick<SpawnOptions, "cwd" | "env" | "uid" | "gid">,
  times: StopTimes = stopTimes,
): SupervisedProcess {
  const child = spawn("/bin/sh", ["-c", supervisor(times), "sh", ...command], {
    ...options,
    stdio: ["pipe", output, output],
    detached: true,
  });
  const exited = once(child, "exit").then(([code, signal]) => code ?? signal);
  const stop = async () => {
    child.stdin?.end();
    await Promise.race([exited, Bun.sleep(times.lastResortMs)]);
    child.kill("SIGKILL"); // It still runs only if its subshell was killed.
    await exited;
  };
  return { exited, stop, child };
}
