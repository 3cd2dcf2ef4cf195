// Describes the process that currently has an id, from /proc or, on systems without it, from `ps`.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

export type ProcessFacts = { pid: number; parent: number; arguments: readonly string[] };

/** Undefined when no such process runs; a zombie does not run. */
export function readProcess(pid: number): ProcessFacts | undefined {
  if (!Number.isInteger(pid) || pid < 1) return undefined;
  return existsSync("/proc/self/stat") ? readFromProc(pid) : readFromPs(pid);
}

function readFromProc(pid: number): ProcessFacts | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, field 2, may contain spaces and parentheses: count from its last parenthesis.
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X") return undefined;
    const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replace(/\0$/, "");
    return { pid, parent: Number(parent), arguments: line.split("\0") };
  } catch {
    return undefined;
  }
}

function readFromPs(pid: number): ProcessFacts | undefined {
  const args = ["-ww", "-o", "ppid=,state=,args=", "-p", String(pid)];
  const { stdout } = spawnSync("ps", args, { encoding: "utf8" });
  const [parent, state, ...words] = (stdout ?? "").trim().split(/\s+/);
  if (state === undefined || state.startsWith("Z")) return undefined;
  return { pid, parent: Number(parent), arguments: words };
}
