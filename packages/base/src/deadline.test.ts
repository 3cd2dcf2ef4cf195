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

test("an item is checked after the ticker has restarted, but not once it is unwatched", async () => {
  const nextTick = () => withDeadline(new Promise<void>(() => undefined), 1, () => undefined);
  await nextTick();
  // Two ticks without items stop the timer.
  await Bun.sleep(deadlineTickMs * 3);
  const looks: number[] = [];
  const item = { dueAtMs: 0, checkDeadline: (nowMs: number) => looks.push(nowMs) };
  watchDeadline(item);
  await nextTick();
  expect(looks.length).toBeGreaterThan(0);
  unwatchDeadline(item);
  const seen = looks.length;
  await nextTick();
  expect(looks.length).toBe(seen);
});

test("an item is left alone until it is due", async () => {
  const looks: number[] = [];
  const item = { dueAtMs: Number.POSITIVE_INFINITY, checkDeadline: () => looks.push(1) };
  watchDeadline(item);
  await withDeadline(new Promise<void>(() => undefined), 1, () => undefined);
  expect(looks).toEqual([]);
  item.dueAtMs = 0;
  await withDeadline(new Promise<void>(() => undefined), 1, () => undefined);
  expect(looks.length).toBeGreaterThan(0);
  unwatchDeadline(item);
});

/** Runs a script in a separate process until it exits, and returns what it printed. */
async function runScript(body: string): Promise<{ readonly code: number; readonly text: string }> {
  const imports = `import { unwatchDeadline, watchDeadline, withDeadline } from ${JSON.stringify(
    new URL("./deadline.ts", import.meta.url).pathname,
  )};`;
  const script = Bun.spawn([process.execPath, "-e", imports + body], {
    stderr: "inherit",
    timeout: 60_000,
  });
  const text = await new Response(script.stdout).text();
  return { code: await script.exited, text };
}

test("an item that throws is reported, and the items after it are still checked", async () => {
  const { code, text } = await runScript(`
    process.on("uncaughtException", (error) => console.log("reported", error.message));
    const broken = { dueAtMs: 0, checkDeadline() { unwatchDeadline(broken); throw new Error("broken"); } };
    const next = { dueAtMs: 0, checkDeadline() { unwatchDeadline(next); console.log("checked"); } };
    watchDeadline(broken);
    watchDeadline(next);
  `);
  expect(text.trim().split("\n")).toEqual(["checked", "reported broken"]);
  expect(code).toBe(0);
});

test("a process that watches nothing any more exits by itself", async () => {
  const { code, text } = await runScript(`
    console.log(await withDeadline(new Promise(() => undefined), 1, () => "late"));
    console.log(await withDeadline(Promise.resolve("in time"), 60_000, () => "late"));
  `);
  expect(text).toBe("late\nin time\n");
  expect(code).toBe(0);
});
