// Describes the process that currently has an id, from /proc or, on systems without it, from `ps`.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Undefined when no such process runs; a zombie does not run. */
export function readProcess(pid: number): { parent: number; command: string } | undefined {
  const [parent, state = "Z", ...words] = readFields(pid);
  return /^[ZX]/.test(state) ? undefined : { parent: Number(parent), command: words.join(" ") };
}

function readFields(pid: number): readonly string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, field 2, may contain spaces and parentheses: count from its last parenthesis.
    const [state = "", parent = ""] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return [parent, state, ...readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")];
  } catch {
    const args = ["-ww", "-o", "ppid=,state=,args=", "-p", String(pid)];
    return (spawnSync("ps", args, { encoding: "utf8" }).stdout ?? "").trim().split(/\s+/);
  }
}
