import { describe, expect, test } from "bun:test";
import { openTurns } from "./take-turns.ts";

/** A task that runs until it is told to end. */
function openTask(log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const task = async () => {
    log.push(name);
    await promise;
    return name;
  };
  return { task, end: resolve, fail: reject };
}

describe("turns", () => {
  test("a free turn is taken at once, without waiting for anything", () => {
    const log: string[] = [];
    void openTurns().take(openTask(log, "only").task);
    expect(log).toEqual(["only"]);
  });

  test("one at a time, in the order in which they asked", async () => {
    const turns = openTurns();
    const log: string[] = [];
    const tasks = ["first", "second", "third"].map((name) => openTask(log, name));
    const taken = tasks.map(({ task }) => turns.take(task));
    expect(log).toEqual(["first"]);
    tasks[1]?.end();
    tasks[0]?.end();
    await taken[0];
    await taken[1];
    expect(log).toEqual(["first", "second", "third"]);
    tasks[2]?.end();
    expect(await Promise.all(taken)).toEqual(["first", "second", "third"]);
  });

  test("whoever asks while a turn is handed over goes behind those who wait", async () => {
    const turns = openTurns();
    const log: string[] = [];
    const tasks = ["first", "second", "late"].map((name) => openTask(log, name));
    for (const { end } of tasks) end();
    const [first, second, late] = tasks;
    const taken = [first, second].map((one) => turns.take(one?.task ?? (async () => "")));
    const afterFirst = taken[0]?.then(() => turns.take(late?.task ?? (async () => "")));
    await Promise.all([...taken, afterFirst]);
    expect(log).toEqual(["first", "second", "late"]);
  });

  test("a task that fails gives its turn to the next", async () => {
    const turns = openTurns();
    const log: string[] = [];
    const [bad, good] = [openTask(log, "bad"), openTask(log, "good")];
    const failing = turns.take(bad.task);
    const waiting = turns.take(good.task);
    bad.fail(new Error("broken"));
    good.end();
    expect(failing).rejects.toThrow("broken");
    expect(await waiting).toBe("good");
  });
});
