// How work shares a few places: never more concurrent work than there are places, payers in turn, and one
// payer in no more of them than it may have.
import { expect, test } from "bun:test";
import { type Bounds, createFairQueue } from "./fair-queue.ts";

const anyNumber = Number.POSITIVE_INFINITY;
const refusal = "Please try again.";

/** Work that ends when the test ends it. */
function open(places: number) {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const fairQueue = createFairQueue(places);
  const run = (payer: string, name: string, bounds: Partial<Bounds> = {}) =>
    fairQueue.run(payer, { most: anyNumber, waitMaxMs: 60_000, refusal, ...bounds }, () => {
      started.push(name);
      const { promise, resolve } = Promise.withResolvers<void>();
      ends.push(resolve);
      return promise;
    });
  return {
    started,
    run,
    /** Ends the work that started first, so that the next can start. */
    async endOne() {
      while (ends.length === 0) await Bun.sleep(0);
      ends.shift()?.();
      await Bun.sleep(0);
    },
  };
}

test("payers take turns, however much work one of them has waiting", async () => {
  const { started, run, endOne } = open(1);
  const all = ["a1", "a2", "a3", "a4"].map((name) => run("a", name));
  all.push(run("b", "b1"), run("b", "b2"), run("c", "c1"));
  for (const _ of all) await endOne();
  await Promise.all(all);
  expect(started).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

test("no more work runs concurrently than there are places", async () => {
  const { started, run, endOne } = open(2);
  const all = ["1", "2", "3", "4"].map((name) => run(name, name));
  await Bun.sleep(0);
  expect(started).toHaveLength(2);
  await endOne();
  expect(started).toHaveLength(3);
  for (const _ of all.slice(1)) await endOne();
  await Promise.all(all);
});

test("a payer that may have one place leaves the others free, and still gets its turn", async () => {
  const { started, run, endOne } = open(2);
  const all = ["a1", "a2", "a3"].map((name) => run("a", name, { most: 1 }));
  await Bun.sleep(0);
  expect(started).toEqual(["a1"]);
  all.push(run("b", "b1"), run("b", "b2"));
  await Bun.sleep(0);
  expect(started).toEqual(["a1", "b1"]);
  await endOne();
  expect(started).toEqual(["a1", "b1", "b2"]);
  await endOne();
  expect(started).toEqual(["a1", "b1", "b2", "a2"]);
  for (let left = 0; left < 3; left += 1) await endOne();
  await Promise.all(all);
  expect(started).toHaveLength(5);
});

test("work that fails gives up its place", async () => {
  const { started, run, endOne } = open(1);
  const failing = createFairQueue(1);
  const bounds = { most: 1, waitMaxMs: 60_000, refusal };
  const fail = () => failing.run("a", bounds, () => Promise.reject(new Error("broken")));
  await expect(fail()).rejects.toThrow("broken");
  await expect(fail()).rejects.toThrow("broken");
  const first = run("a", "first");
  await endOne();
  await first;
  expect(started).toEqual(["first"]);
});

test("work that gets no turn in time is refused and never runs; what must be done keeps waiting", async () => {
  const { started, run, endOne } = open(1);
  const first = run("a", "first");
  const late = run("a", "late", { waitMaxMs: 1 });
  const patient = run("a", "patient", { waitMaxMs: undefined });
  await expect(late).rejects.toMatchObject({ code: "overloaded", message: refusal });
  expect(started).toEqual(["first"]);
  await endOne();
  expect(started).toEqual(["first", "patient"]);
  await endOne();
  await Promise.all([first, patient]);
});

test("beyond a thousand waiting for one payer, more are refused immediately", async () => {
  const { run, endOne } = open(1);
  const all = Array.from({ length: 1_001 }, (_, n) => run("a", String(n)));
  await expect(run("a", "beyond")).rejects.toMatchObject({ code: "overloaded" });
  all.push(run("b", "other"));
  for (const _ of all) await endOne();
  await Promise.all(all);
});
