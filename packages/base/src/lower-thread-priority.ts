// Lets the thread that calls it yield to those that serve calls: scripts with much to compute run in threads
// of their own, at a lower priority if the operating system has thread priorities.
import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/** Added to the niceness of the process: under load it gets a third of the share, so work slows down but proceeds. */
const extraNiceness = 5;

/** Does nothing in the main thread, and where threads have no priorities. */
export function lowerThreadPriority(): void {
  try {
    // On Linux each thread has an id that takes a priority; elsewhere the path does not exist.
    const id = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    if (id !== process.pid) setPriority(id, Math.min(getPriority(process.pid) + extraNiceness, 19));
  } catch {
    // The work is done without it.
  }
}
