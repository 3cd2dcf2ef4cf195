import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { Fault } from "@turnpike/base";
import { concurrencyOn, openPasswordHasher } from "./password-hasher.ts";

describe("openPasswordHasher", () => {
  test("accepts only the right password, and rejects any password if there is no hash", async () => {
    const hasher = openPasswordHasher();
    const hash = await hasher.hash("correct horse battery staple");
    const right = await hasher.verify("correct horse battery staple", hash);
    expect(right).toEqual({ right: true, outdated: false });
    expect((await hasher.verify("incorrect horse", hash)).right).toBe(false);
    expect((await hasher.verify("correct horse battery staple", null)).right).toBe(false);
  });

  test("with a full queue it refuses immediately, and everything queued is processed", async () => {
    const hasher = openPasswordHasher({ concurrency: 2, queueMax: 3, waitMs: 20_000 });
    const results = await Promise.allSettled(
      Array.from({ length: 9 }, () => hasher.hash("correct horse battery staple")),
    );
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(4);
    expect(refused.every(({ reason }) => reason instanceof Fault)).toBe(true);
    expect(await hasher.hash("and later it works again")).toStartWith("$argon2id$");
  });

  test("a job that waits too long is refused, and its place is freed", async () => {
    const hasher = openPasswordHasher({ concurrency: 1, queueMax: 9, waitMs: 0 });
    const results = await Promise.allSettled([hasher.hash("one long one"), hasher.hash("another")]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(await hasher.hash("and later it works again")).toStartWith("$argon2id$");
  });

  test.each([
    "",
    "no hash",
    "$argon2id$",
    "$2b$10$short",
    "$argon2id$v=19$m=4294967295,t=2,p=1$AAAA$AAAA",
    `$argon2id$v=19$m=19456,t=2,p=1$${"A".repeat(43)}$${"A".repeat(42)}!`,
  ])("no password matches the malformed hash %j, and the next one is verified", async (broken) => {
    const hasher = openPasswordHasher({ concurrency: 1, queueMax: 9, waitMs: 20_000 });
    const verdict = await hasher.verify("correct horse battery staple", broken);
    expect(verdict).toEqual({ right: false, outdated: false });
    const hash = await hasher.hash("correct horse battery staple");
    expect((await hasher.verify("correct horse battery staple", hash)).right).toBe(true);
  });

  test("while a password is hashed the event loop keeps running", async () => {
    const hasher = openPasswordHasher();
    await hasher.hash("start the thread");
    let turns = 0;
    const hashing = hasher.hash("correct horse battery staple").then(() => "hashed");
    const turn = async () => {
      turns += 1;
      await new Promise(setImmediate);
      return "turned";
    };
    while ((await Promise.race([hashing, turn()])) === "turned");
    expect(turns).toBeGreaterThan(10);
  });

  test("hashing threads have a lower priority than the threads that serve calls", async () => {
    if (process.platform !== "linux") {
      console.log("skipped: only Linux has thread priorities");
      return;
    }
    const before = countYielding();
    const hasher = openPasswordHasher({ concurrency: 2, queueMax: 9, waitMs: 20_000 });
    await Promise.all([hasher.hash("one password"), hasher.hash("another password")]);
    expect(countYielding() - before).toBe(2);
  });
});

test.each([
  [1, 1],
  [2, 1],
  [3, 1],
  [4, 2],
  [8, 4],
  [64, 4],
])("on %d cores at most %d hash at the same time", (cores, concurrency) => {
  expect(concurrencyOn(cores)).toBe(concurrency);
});

/** Threads for scripts with a lower priority than the first; the runtime has others itself. */
function countYielding(): number {
  const threads = readdirSync("/proc/self/task").filter(
    (id) => readFileSync(`/proc/self/task/${id}/comm`, "utf8").trim() === "Worker",
  );
  return threads.filter((id) => getPriority(Number(id)) > getPriority(process.pid)).length;
}
