// Counting never keeps the event loop for longer than one slice per turn, however many texts are counted, and
// no account waits for all the texts of another.
import { expect, test } from "bun:test";
import { CountQueue } from "./count-queue.ts";
import { countText } from "./count-text.ts";

/** A queue on a clock by which every step takes `stepMs`; `order` names the step, and `|` is the end of a turn. */
function openQueue(stepMs: number) {
  let nowMs = 0;
  const order: string[] = [];
  const queue = new CountQueue({
    now: () => nowMs,
    nextTurn: async () => {
      order.push("|");
    },
  });
  const count = (account: string, steps: number, name = account) => {
    let left = steps;
    return queue.run(account, () => {
      nowMs += stepMs;
      left -= 1;
      order.push(name);
      return left > 0;
    });
  };
  return { queue, order, count };
}

test("with a hundred counts pending, a turn has one slice of them all", async () => {
  const { order, count } = openQueue(8);
  await Promise.all(Array.from({ length: 100 }, (_, index) => count(`account-${index}`, 2)));
  const turns = order.join(" ").split("|");
  const steps = turns.map((turn) => turn.split(" ").filter((name) => name !== "").length);
  expect(Math.max(...steps)).toBe(1);
  expect(steps.reduce((sum, of) => sum + of, 0)).toBe(200);
});

test("short counts share a slice, and what comes after the last of them waits for the next turn", async () => {
  const { order, count } = openQueue(3);
  const first = count("a", 1);
  const second = count("b", 1);
  const third = count("c", 2);
  await Promise.all([first, second, third]);
  expect(order.join("")).toBe("a|bcc|");
});

test("accounts take turns, so one text waits for none but the first of another account's hundred", async () => {
  const { order, count } = openQueue(8);
  const many = Array.from({ length: 100 }, (_, index) => count("many", 3, `many-${index}`));
  await count("one", 3);
  expect(order.filter((name) => name === "many-0")).toHaveLength(3);
  expect(order).not.toContain("many-2");
  await Promise.all(many);
});

test("a count that fails rejects alone", async () => {
  const { queue, count } = openQueue(8);
  const failing = queue.run("a", () => {
    throw new Error("no such token");
  });
  const other = count("a", 2);
  expect(failing).rejects.toThrow("no such token");
  await other;
});

test("other work has a turn for every slice of a hundred texts", async () => {
  // Without repetition: the worst input for a tokenizer's merge and for its cache, and longer than a slice.
  const texts = Array.from({ length: 100 }, (_, text) =>
    Array.from({ length: 8_000 }, (_, index) =>
      String.fromCharCode(0x4e00 + ((index * 7_919 + text * 131) % 20_000)),
    ).join(""),
  );
  await countText("loads the tokenizer", { encoding: "o200k_base" });
  let turns = 0;
  let isCounting = true;
  const countTurns = () => {
    turns += 1;
    if (isCounting) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  await Promise.all(texts.map((text) => countText(text, { encoding: "o200k_base" })));
  isCounting = false;
  expect(turns).toBeGreaterThan(100);
}, 180_000);
