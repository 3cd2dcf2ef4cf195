// Preloaded by `bun run test --profile`: samples what a test file spends its time on and appends one line
// of JSON per file to TEST_PROFILE. What is sampled adds up to the time that the file took.
import { afterAll, beforeAll } from "bun:test";
import { appendFileSync } from "node:fs";
import * as threads from "node:worker_threads";
import { currentPhase, inPhase } from "@turnpike/testing";
import type { FileProfile } from "./print-profile.ts";

const sampleMs = 10;

const startedAt = performance.now();
const spentMs: Record<string, number> = {};
let lastAt = startedAt;
let lastCpuMs = cpuMs();
let isImporting = true;

function sample(): void {
  const at = performance.now();
  const elapsedMs = at - lastAt;
  const nowCpuMs = cpuMs();
  const busyMs = Math.min(elapsedMs, nowCpuMs - lastCpuMs);
  lastAt = at;
  lastCpuMs = nowCpuMs;
  const phase = currentPhase() ?? (isImporting ? "imports" : undefined);
  if (phase !== undefined) {
    add(phase, elapsedMs);
    return;
  }
  add("computing", busyMs);
  add("waiting", elapsedMs - busyMs);
}

function add(name: string, ms: number): void {
  spentMs[name] = (spentMs[name] ?? 0) + ms;
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

// Passwords are hashed in threads of their own.
const post = threads.Worker.prototype.postMessage;
threads.Worker.prototype.postMessage = function (this: threads.Worker, ...given) {
  const [job] = given;
  if (typeof job === "object" && job !== null && "memoryCost" in job) {
    const answered = new Promise((resolve) => this.once("message", resolve));
    void inPhase("hashing", () => answered);
  }
  return post.apply(this, given);
};

setInterval(sample, sampleMs).unref();
beforeAll(() => {
  sample();
  isImporting = false;
});
afterAll(() => {
  sample();
  const profile: FileProfile = { file: Bun.main, totalMs: lastAt - startedAt, spentMs };
  appendFileSync(process.env.TEST_PROFILE ?? "/dev/null", `${JSON.stringify(profile)}\n`);
});
