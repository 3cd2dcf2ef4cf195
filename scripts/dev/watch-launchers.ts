// Notices that the command a developer typed has died, whichever process of `npx` > `sh` > `bun run` was
// killed: none of them passes that on to its children, but each orphan gets another parent.
import { readProcess } from "../process/read-process.ts";

const pollMs = 300;
/** Also as a script that Node runs. */
const launcher = /(?<![\w.-])(npx|npm|pnpm|yarn|bunx?)(-cli)?(\.c?js|\.exe)?(?![\w./-])/;
const inBackground = /[^&>]&([^&>]|$)/;

/** Calls `onEnd` within a second of the end of any of the processes that launched this one. */
export function watchLaunchers(onEnd: () => void): void {
  const launched = listLaunched();
  setInterval(() => {
    if (listLaunched() !== launched) onEnd();
  }, pollMs);
}

/** The ids of this process and of those above it, up to the one that the topmost launcher started. */
function listLaunched(pid = process.pid): string {
  const parent = readProcess(pid)?.parent ?? 0;
  const isLaunched = isLauncher(readProcess(parent)?.command ?? "");
  return isLaunched ? `${pid} ${listLaunched(parent)}` : `${pid}`;
}

/** A process whose command names a launcher is one, or waits for one, as `sh -c "cd x && npx bun dev"` does. */
function isLauncher(command: string): boolean {
  const [, script = ""] = command.split(/ -[a-z]*c (.*)/s);
  return launcher.test(command) && !inBackground.test(script);
}
