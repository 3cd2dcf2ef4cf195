// Starts the console's Vite server with hot reload.
import { join } from "node:path";
import { type SupervisedProcess, startSupervised } from "../process/start-supervised.ts";

/** It listens on 127.0.0.1. */
export function startConsole(root: string, port: number): SupervisedProcess {
  const cwd = join(root, "apps/console");
  // Not by `bun run`, which would report Vite's exit code as an error at every normal end.
  const vite = [process.execPath, "--bun", join(cwd, "node_modules/vite/bin/vite.js")];
  const options = ["--port", String(port), "--strictPort"];
  const output = ["--logLevel", "warn", "--clearScreen", "false"];
  return startSupervised([...vite, ...options, ...output], "inherit", { cwd });
}

/** Resolves when `url` is answered with success. A busy machine may need minutes. */
export async function untilReady(url: string): Promise<void> {
  const signal = AbortSignal.timeout(300_000);
  while (!signal.aborted) {
    const answer = await fetch(url, { signal }).catch(() => undefined);
    if (answer?.ok) return;
    await Bun.sleep(50);
  }
  throw new Error(`Nothing responded at ${url} within five minutes.`);
}
