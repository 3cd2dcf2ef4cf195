// Notices that the command a developer typed has died, whichever process of `npx` > `sh` > `bun
// run` was killed: none of them passes that on to its children, but each orphan gets another
// parent.
import { basename } from "node:path";
import { type ProcessFacts, readProcess } from "../process/read-process.ts";

const pollMs = 300;

/** Calls `onEnd` once, within a second of the end of any of the processes that launched this one. */
export function watchLaunchers(onEnd: () => void): void {
  const launched = findLaunched();
  const timer = setInterval(() => {
    if (launched.every(({ pid, parent }) => readProcess(pid)?.parent === parent)) return;
    clearInterval(timer);
    onEnd();
  }, pollMs);
}

/** This process and those above it, up to the one that the topmost launcher started. */
function findLaunched(): readonly ProcessFacts[] {
  const launched: ProcessFacts[] = [];
  let facts = readProcess(process.pid);
  while (facts !== undefined) {
    const parent = readProcess(facts.parent);
    if (parent === undefined || !isLauncher(parent)) break;
    launched.push(facts);
    facts = parent;
  }
  return launched;
}

/**
 * npx, npm, pnpm, yarn and bun, also as a script that Node runs or as a process that renamed itself, and
 * a shell that waits for us: `sh -c "cd x && npx bun dev"`, not one that runs us in the background.
 */
function isLauncher({ arguments: words }: ProcessFacts): boolean {
  const [first = "", second = ""] = words;
  const names = [first, second, first.split(" ")[0] ?? ""].map((word) => basename(word));
  if (names.some((name) => /^(npx|npm|pnpm|yarn|bun|bunx)(-cli)?(\.c?js|\.exe)?$/.test(name))) {
    return true;
  }
  const command = words.slice(words.indexOf("-c")).join(" ");
  const isShell = /^-?(ba|da|z|k|a)?sh$/.test(basename(first)) && words.includes("-c");
  return isShell && /\bbun\b.*\bdev\b/.test(command) && !/(^|[^&>])&([^&>]|$)/.test(command);
}
