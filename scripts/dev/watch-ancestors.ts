// Notices that the command somebody typed has died, whichever process of `npx` > `sh` > `bun run` was
// killed: each of them may be the one a supervisor knows, and none tells its children when it goes.
import { basename } from "node:path";
import { type ProcessFacts, readProcess, stillRuns } from "../process/read-process.ts";

const pollMs = 300;

/** Calls `onGone` once, within a second of the end of any of the processes that launched us. */
export function watchAncestors(onGone: () => void): () => void {
  const launchers = findLaunchers(process.ppid, readProcess);
  const timer = setInterval(() => {
    if (launchers.every(stillRuns)) return;
    clearInterval(timer);
    onGone();
  }, pollMs);
  return () => clearInterval(timer);
}

/**
 * The chain from `parent` up to the topmost launcher. The shell or program above that is somebody
 * else's: a command started in the background may outlive the script that started it.
 */
export function findLaunchers(
  parent: number,
  read: (pid: number) => ProcessFacts | undefined,
): readonly ProcessFacts[] {
  const chain: ProcessFacts[] = [];
  let length = 0;
  for (let facts = read(parent); facts && facts.pid > 1; facts = read(facts.parent)) {
    if (!isLauncher(facts) && !isShellOf(facts)) break;
    chain.push(facts);
    if (isLauncher(facts) || waitsForUs(facts)) length = chain.length;
  }
  return chain.slice(0, length);
}

/** npx, npm, pnpm, yarn and bun, also where Node runs them or they renamed themselves. */
function isLauncher({ arguments: words }: ProcessFacts): boolean {
  return words
    .flatMap((word) => word.split(" "))
    .slice(0, 2)
    .some((word) => /^(npx|npm|pnpm|yarn|bun|bunx)(-cli)?(\.c?js|\.exe)?$/.test(basename(word)));
}

function isShellOf({ arguments: words }: ProcessFacts): boolean {
  return /^-?(ba|da|z|k|a)?sh$/.test(basename(words[0] ?? "")) && words.includes("-c");
}

/** `sh -c "cd x && npx bun dev"` stands for the command; a shell that sent it to the back does not. */
function waitsForUs({ arguments: words }: ProcessFacts): boolean {
  const command = words[words.indexOf("-c") + 1] ?? "";
  return /\bbun\b.*\bdev\b/.test(command) && !/(^|[^&>])&([^&>]|$)/.test(command);
}
