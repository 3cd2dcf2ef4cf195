import { expect, test } from "bun:test";
import { deadlineTickMs, unwatchDeadline, watchDeadline, withDeadline } from "./deadline.ts";

test("a task that ends in time decides the result", async () => {
  expect(await withDeadline(Promise.resolve("done"), 60_000, () => "late")).toBe("done");
  const failed = withDeadline(Promise.reject(new Error("broken")), 60_000, () => "late");
  expect(failed).rejects.toThrow("broken");
  await failed.catch(() => undefined);
});

test("a task that takes too long ends with the result of onLate, never before its limit", async () => {
  const startedAtMs = performance.now();
  const never = new Promise<string>(() => undefined);
  expect(await withDeadline(never, 30, () => "late")).toBe("late");
  expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(30);
  const thrown = withDeadline(never, 1, () => {
    throw new Error("too late");
  });
  expect(thrown).rejects.toThrow("too late");
  await thrown.catch(() => undefined);
});

test("a task that ends after its limit changes nothing and breaks nothing", async () => {
  const { promise, reject } = Promise.withResolvers<string>();
  expect(await withDeadline(promise, 1, () => "late")).toBe("late");
  reject(new Error("rejected after the deadline"));
  await Bun.sleep(0);
});

test("an item is checked after the ticker has restarted, and no longer once it is unwatched", async () => {
  const nextTick = () => withDeadline(new Promise<void>(() => undefined), 1, () => undefined);
  await nextTick();
  // Two ticks without items stop the timer.
  await Bun.sleep(deadlineTickMs * 3);
  const looks: number[] = [];
  const item = { checkDeadline: (nowMs: number) => looks.push(nowMs) };
  watchDeadline(item);
  await nextTick();
  expect(looks.length).toBeGreaterThan(0);
  unwatchDeadline(item);
  const seen = looks.length;
  await nextTick();
  expect(looks.length).toBe(seen);
});
