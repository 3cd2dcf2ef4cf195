// Describes the process that currently has an id, from /proc or, on systems without it, from `ps`.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

export type ProcessFacts = { pid: number; parent: number; arguments: readonly string[] };

/** Undefined when no such process runs; a zombie does not run. */
export function readProcess(pid: number): ProcessFacts | undefined {
  const read = existsSync("/proc/self/stat") ? readFromProc : readFromPs;
  const [parent, state = "Z", ...words] = read(pid);
  if (/^[ZX]/.test(state)) return undefined;
  return { pid, parent: Number(parent), arguments: words };
}

function readFromProc(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, field 2, may contain spaces and parentheses: count from its last parenthesis.
    const [state = "", parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replace(/\0$/, "");
    return [parent, state, ...line.split("\0")];
  } catch {
    return [];
  }
}

function readFromPs(pid: number): readonly string[] {
  const args = ["-ww", "-o", "ppid=,state=,args=", "-p", String(pid)];
  return (spawnSync("ps", args, { encoding: "utf8" }).stdout ?? "").trim().split(/\s+/);
}
