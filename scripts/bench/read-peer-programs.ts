// Reads `--peer NAME=PATH`, the program of a peer for which nothing is installed. Built-in modules only; a
// path that cannot be started is refused before anything else is.
import { accessSync, constants, statSync } from "node:fs";
import { resolve } from "node:path";
import { type PeerName, peerNames } from "./peer-versions.ts";

export type PeerPrograms = ReadonlyMap<PeerName, string>;

/** Node and Bun run these scripts, which therefore need not be executable. */
const scripts: readonly PeerName[] = ["portkey-node", "portkey-bun"];

export const peerUsage = `--peer takes NAME=PATH, and can be repeated; the names are ${peerNames.join(", ")}.`;

/** Absolute paths by name, or a message that says what is wrong. */
export function readPeerPrograms(words: readonly string[]): PeerPrograms | string {
  const programs = new Map<PeerName, string>();
  for (const word of words) {
    const at = word.indexOf("=");
    const text = at === -1 ? word : word.slice(0, at);
    const name = peerNames.find((each) => each === text);
    if (name === undefined) return `There is no peer "${text}". ${peerUsage}`;
    if (at === -1 || word.length === at + 1) {
      return `--peer ${name} lacks the path of its program. ${peerUsage}`;
    }
    if (programs.has(name)) return `--peer ${name} is given twice. ${peerUsage}`;
    const path = resolve(word.slice(at + 1));
    const problem = findProblem(path, scripts.includes(name));
    if (problem !== undefined) return `--peer ${name}: ${path} ${problem} ${peerUsage}`;
    programs.set(name, path);
  }
  return programs;
}

function findProblem(path: string, isScript: boolean): string | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return "does not exist: give the path of the program.";
  if (!stats.isFile()) return "is not a file: give the program itself.";
  try {
    accessSync(path, isScript ? constants.R_OK : constants.X_OK);
    return undefined;
  } catch {
    if (isScript) return "cannot be read: change its permissions.";
    return "is not executable: make it so with chmod +x, or give the program itself.";
  }
}
