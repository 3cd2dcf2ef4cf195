// Tells what a process id stands for right now. Ids are reused, so whoever remembers one also
// remembers when that process started and compares both.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

export type ProcessFacts = {
  pid: number;
  parent: number;
  /** Distinguishes two processes that had the same id one after the other. */
  started: string;
  arguments: readonly string[];
};

/** Undefined when no such process runs; one that only waits to be reaped does not. */
export function readProcess(pid: number): ProcessFacts | undefined {
  if (!Number.isInteger(pid) || pid < 1) return undefined;
  return existsSync("/proc/self/stat") ? readFromProc(pid) : readFromPs(pid);
}

/** Whether the very process remembered as `facts` still runs. */
export function stillRuns(facts: { pid: number; started: string }): boolean {
  return readProcess(facts.pid)?.started === facts.started;
}

function readFromProc(pid: number): ProcessFacts | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, field 2, may hold blanks and parentheses: count from its last parenthesis.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    const line = readFileSync(`/proc/${pid}/cmdline`, "utf8").replace(/\0$/, "").split("\0");
    return { pid, parent: Number(fields[1]), started: fields[19] ?? "", arguments: line };
  } catch {
    return undefined;
  }
}

function readFromPs(pid: number): ProcessFacts | undefined {
  const columns = "ppid=,state=,lstart=,args=";
  const { stdout } = spawnSync("ps", ["-ww", "-o", columns, "-p", String(pid)], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  });
  // lstart is five words: Thu Nov 19 10:11:12 2026
  const words = (stdout ?? "").trim().split(/\s+/);
  if (words.length < 8 || words[1]?.startsWith("Z")) return undefined;
  return {
    pid,
    parent: Number(words[0]),
    started: words.slice(2, 7).join(" "),
    arguments: words.slice(7),
  };
}
