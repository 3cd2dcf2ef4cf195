// Starts a program that ends with us, however we end: the child side is run-supervised.ts.
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

export type User = { uid: number; gid: number };

/** A program to run; `stopSignals` are sent in turn, `graceMs` apart, then its group is killed. */
export type SupervisedProgram = {
  command: string;
  args: readonly string[];
  cwd?: string;
  user?: User;
  stopSignals: readonly NodeJS.Signals[];
  graceMs: number;
};

export type SupervisedProcess = {
  /** The exit code; resolves also when the program ends by itself. */
  exited: Promise<number>;
  /** Asks it to stop and waits until it has. Safe to call twice. */
  stop(): Promise<void>;
  child: ChildProcess;
};

/**
 * Starts `program` in a session of its own. `output` is a file descriptor for stdout and stderr, or
 * "inherit", or "pipe" to read both from the returned child.
 */
export function startSupervised(
  program: SupervisedProgram,
  output: number | "inherit" | "pipe",
  environment: NodeJS.ProcessEnv = process.env,
): SupervisedProcess {
  const runner = join(import.meta.dirname, "run-supervised.ts");
  const child = spawn(process.execPath, [runner, JSON.stringify(program)], {
    stdio: ["pipe", output, output],
    detached: true,
    env: environment,
  });
  const exited = new Promise<number>((resolve) => {
    child.on("exit", (code) => resolve(code ?? 1));
    child.on("error", () => resolve(127));
  });
  // Writing to a leash whose program has already gone is not worth a word.
  child.stdin?.on("error", () => undefined);
  const stop = async () => {
    child.stdin?.end();
    await exited;
  };
  return { exited, stop, child };
}
