import { expect, test } from "bun:test";
import { createEventBodies } from "./limit-event-bodies.ts";

test("a network has its own bound, and all together have one for the process", () => {
  const takeRoom = createEventBodies({ processBytes: 10, networkBytes: 4 });
  const free = takeRoom("a", 4);
  expect(() => takeRoom("a", 1)).toThrow("Too many events are arriving at once.");
  takeRoom("b", 4);
  takeRoom("c", 2);
  expect(() => takeRoom("d", 1)).toThrow("Too many events are arriving at once.");
  free();
  takeRoom("d", 4);
});
