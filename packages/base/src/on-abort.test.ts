import { expect, test } from "bun:test";
import { offSharedAbort, onSharedAbort } from "./on-abort.ts";

test("every listener is called once on abort, removed ones are not", () => {
  const controller = new AbortController();
  const called: string[] = [];
  const add = (name: string) => ({ handleAbort: () => void called.push(name) });
  const removed = add("removed");
  onSharedAbort(controller.signal, add("first"));
  onSharedAbort(controller.signal, removed);
  onSharedAbort(controller.signal, add("second"));
  offSharedAbort(controller.signal, removed);
  controller.abort();
  controller.abort();
  expect(called).toEqual(["first", "second"]);
});

test("a signal that has already aborted calls back immediately", () => {
  let called = false;
  onSharedAbort(AbortSignal.abort(), {
    handleAbort() {
      called = true;
    },
  });
  expect(called).toBe(true);
});

test("an abort calls only the listeners of its own signal", () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const called: string[] = [];
  const add = (name: string) => ({ handleAbort: () => void called.push(name) });
  onSharedAbort(one.signal, add("one"));
  onSharedAbort(other.signal, add("other"));
  other.abort();
  expect(called).toEqual(["other"]);
});

test("a listener that throws is reported, and the listeners after it are still called", async () => {
  const module = JSON.stringify(new URL("./on-abort.ts", import.meta.url).pathname);
  const body = `
    import { onSharedAbort } from ${module};
    process.on("uncaughtException", (error) => console.log("reported", error.message));
    const controller = new AbortController();
    onSharedAbort(controller.signal, { handleAbort() { throw new Error("broken"); } });
    onSharedAbort(controller.signal, { handleAbort: () => console.log("called") });
    controller.abort();
  `;
  const script = Bun.spawn([process.execPath, "-e", body], { stderr: "inherit", timeout: 60_000 });
  expect(await new Response(script.stdout).text()).toBe("called\nreported broken\n");
  expect(await script.exited).toBe(0);
});
