import { expect, test } from "bun:test";
import { offSharedAbort, onSharedAbort } from "./on-abort.ts";

test("every listener is called once on abort, removed ones are not", () => {
  const controller = new AbortController();
  const heard: string[] = [];
  const removed = () => heard.push("removed");
  onSharedAbort(controller.signal, () => heard.push("first"));
  onSharedAbort(controller.signal, removed);
  onSharedAbort(controller.signal, () => heard.push("second"));
  offSharedAbort(controller.signal, removed);
  controller.abort();
  controller.abort();
  expect(heard).toEqual(["first", "second"]);
});

test("a signal that has aborted calls back at once", () => {
  let heard = false;
  onSharedAbort(AbortSignal.abort(), () => {
    heard = true;
  });
  expect(heard).toBe(true);
});

test("an abort calls only the listeners of its own signal", () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const heard: string[] = [];
  onSharedAbort(one.signal, () => heard.push("one"));
  onSharedAbort(other.signal, () => heard.push("other"));
  other.abort();
  expect(heard).toEqual(["other"]);
});
