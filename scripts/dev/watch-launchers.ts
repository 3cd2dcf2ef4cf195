// Notices that the command a developer typed has died, whichever process of `npx` > `sh` > `bun
// run` was killed: none of them passes that on to its children, but each orphan gets another
// parent.
import { basename } from "node:path";
import { type ProcessFacts, readProcess } from "../process/read-process.ts";

const pollMs = 300;

/** Calls `onEnd` once, within a second of the end of any of the processes that launched this one. */
export function watchLaunchers(onEnd: () => void): void {
  const chain = [process.pid, ...findLaunchers()];
  const timer = setInterval(() => {
    if (chain.slice(1).every((pid, index) => parentOf(chain[index]) === pid)) return;
    clearInterval(timer);
    onEnd();
  }, pollMs);
}

function parentOf(pid = 0): number | undefined {
  return readProcess(pid)?.parent;
}

/** From our parent up to the topmost launcher; a shell that would continue without us is not one. */
function findLaunchers(): readonly number[] {
  const chain: number[] = [];
  let length = 0;
  for (let facts = readProcess(process.ppid); facts; facts = readProcess(facts.parent)) {
    if (!isLauncher(facts) && !isShell(facts)) break;
    chain.push(facts.pid);
    if (isLauncher(facts) || waitsForUs(facts)) length = chain.length;
  }
  return chain.slice(0, length);
}

/** npx, npm, pnpm, yarn and bun, also as a script that Node runs or as a process that renamed itself. */
function isLauncher({ arguments: [first = "", second = ""] }: ProcessFacts): boolean {
  return [first, second, first.split(" ")[0] ?? ""].some((word) =>
    /^(npx|npm|pnpm|yarn|bun|bunx)(-cli)?(\.c?js|\.exe)?$/.test(basename(word)),
  );
}

function isShell({ arguments: words }: ProcessFacts): boolean {
  return /^-?(ba|da|z|k|a)?sh$/.test(basename(words[0] ?? "")) && words.includes("-c");
}

/**
 * `sh -c "cd x && npx bun dev"` counts as the command; a shell that runs it in the background does
 * not.
 */
function waitsForUs({ arguments: words }: ProcessFacts): boolean {
  const command = words[words.indexOf("-c") + 1] ?? "";
  return /\bbun\b.*\bdev\b/.test(command) && !/(^|[^&>])&([^&>]|$)/.test(command);
}
