import { expect, test } from "bun:test";
import { offSharedAbort, onSharedAbort } from "./on-abort.ts";

test("every listener is called once on abort, removed ones are not", () => {
  const controller = new AbortController();
  const called: string[] = [];
  const removed = () => called.push("removed");
  onSharedAbort(controller.signal, () => called.push("first"));
  onSharedAbort(controller.signal, removed);
  onSharedAbort(controller.signal, () => called.push("second"));
  offSharedAbort(controller.signal, removed);
  controller.abort();
  controller.abort();
  expect(called).toEqual(["first", "second"]);
});

test("a signal that has already aborted calls back immediately", () => {
  let called = false;
  onSharedAbort(AbortSignal.abort(), () => {
    called = true;
  });
  expect(called).toBe(true);
});

test("an abort calls only the listeners of its own signal", () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const called: string[] = [];
  onSharedAbort(one.signal, () => called.push("one"));
  onSharedAbort(other.signal, () => called.push("other"));
  other.abort();
  expect(called).toEqual(["other"]);
});

test("a listener that throws is reported, and the listeners after it are still called", async () => {
  const module = JSON.stringify(new URL("./on-abort.ts", import.meta.url).pathname);
  const body = `
    import { onSharedAbort } from ${module};
    process.on("uncaughtException", (error) => console.log("reported", error.message));
    const controller = new AbortController();
    onSharedAbort(controller.signal, () => { throw new Error("broken"); });
    onSharedAbort(controller.signal, () => console.log("called"));
    controller.abort();
  `;
  const script = Bun.spawn([process.execPath, "-e", body], { stderr: "inherit", timeout: 60_000 });
  expect(await new Response(script.stdout).text()).toBe("called\nreported broken\n");
  expect(await script.exited).toBe(0);
});
