// Ids of calls that a conversation brings from another provider.
import { expect, test } from "bun:test";
import { CallIds } from "./call-ids.ts";

const accepted = /^[a-zA-Z0-9_-]+$/;

test("an id and its result become the same one, in every request of the conversation", () => {
  const idsOf = (turns: readonly string[][]) => {
    const ids = new CallIds("letters_digits");
    return turns.map((turn) => {
      ids.beginTurn();
      const calls = turn.map((id) => ids.call(id));
      expect(turn.map((id) => ids.result(id))).toEqual(
        calls.map((sent) => ({ sent, isRepeated: false })),
      );
      return calls;
    });
  };
  const turns = [["functions.Bash:0", "toolu_1"], ["functions.Bash:0"], ["a b", "a_b"]];
  const all = idsOf(turns);
  expect(all.flat().every((id) => accepted.test(id))).toBe(true);
  expect(new Set(all.flat()).size).toBe(5);
  expect(all[0]?.[1]).toBe("toolu_1");
  for (let end = 1; end <= turns.length; end += 1) {
    expect(idsOf(turns.slice(0, end))).toEqual(all.slice(0, end));
  }
});

test("an id that looks like the digest of another one is not confused with it", () => {
  const first = new CallIds("nine_alphanumerics");
  first.beginTurn();
  const digest = first.call("functions.Bash:0");
  const ids = new CallIds("nine_alphanumerics");
  ids.beginTurn();
  const sent = [ids.call("functions.Bash:0"), ids.call(digest)];
  expect(new Set(sent).size).toBe(2);
  for (const id of sent) expect(id).toMatch(/^[A-Za-z0-9]{9}$/);
});

test("calls of one turn with one id have results in their order; one more is of the last", () => {
  const ids = new CallIds("letters_digits");
  ids.beginTurn();
  const calls = [ids.call(""), ids.call("")];
  expect([ids.result(""), ids.result("")].map((result) => result?.sent)).toEqual(calls);
  expect(ids.result("")).toEqual({ sent: calls[1] ?? "", isRepeated: true });
  expect(ids.result("other")).toBeUndefined();
});
