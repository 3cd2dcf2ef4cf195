// What a process has used so far, from Linux's /proc.
import { readdirSync, readFileSync } from "node:fs";

export const canReadUsage = process.platform === "linux";

/** Linux counts the time of processes in these units, on every architecture Bun runs on. */
const tickMs = 10;

/** User and system time of all its threads. */
export function readCpuMs(pid: number): number {
  const fields = readStat(pid);
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** The same for a process with its children, including ended ones. */
export function readFamilyCpuMs(pid: number): number {
  const ended = readStat(pid);
  const children = childrenOf(pid);
  return (
    readCpuMs(pid) +
    (Number(ended[13]) + Number(ended[14])) * tickMs +
    children.reduce((total, child) => total + orNothing(() => readCpuMs(child)), 0)
  );
}

/** Resident memory of a process and its children. */
export function readFamilyRssBytes(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((total, each) => total + readRssBytes(each), 0);
}

export function childrenOf(pid: number): readonly number[] {
  const names = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === pid);
  return names.map(Number);
}

function readRssBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

/** The fields after the name, which may itself contain spaces: `[0]` is the state (field 3). */
function readStat(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

function parentOf(pid: string): number {
  return orNothing(() => Number(readStat(Number(pid))[1]));
}

/** A process may end between being listed and being read. */
function orNothing(read: () => number): number {
  try {
    return read();
  } catch {
    return 0;
  }
}
