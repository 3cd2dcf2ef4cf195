// What a soak calls wrong: each way in which a row of a request can disagree with its client and its
// upstream is found, and what the documents allow is not.
import { expect, test } from "bun:test";
import type { AccountId } from "@turnpike/base";
import type { Outcome } from "./ask.ts";
import { judgeCalls, type RequestRow } from "./judge-calls.ts";
import type { Call } from "./plan-call.ts";
import { models } from "./soak-catalog.ts";

const call: Call = {
  name: "soak-1-1",
  account: { kind: "rich", id: "account" as AccountId, key: "key", movedNanos: 0n, movements: 0 },
  key: "key",
  protocol: "chat",
  model: models[0],
  streamed: true,
  body: "{}",
  scripts: [{ deltas: 5 }],
  billing: "reported",
  leaveAfterMs: undefined,
  seen: { attempts: 1, promptTokens: 10, outputTokens: 5 },
};

/** 10 tokens at 100 and 5 at 400. */
const row: RequestRow = {
  name: call.name,
  state: "settled",
  heldNanos: 30_000n,
  costNanos: 3_000n,
  chargedNanos: 3_000n,
  shortfallNanos: 0n,
  promptTokens: 10,
  completionTokens: 5,
};

const complete: Outcome = { kind: "complete" };
const refused = (status: number, saysFree = false): Outcome => ({
  kind: "refused",
  status,
  code: "",
  saysFree,
});

function judge(outcome: Outcome, rows: readonly RequestRow[], changes: Partial<Call> = {}) {
  return judgeCalls([{ call: { ...call, ...changes }, outcome }], rows).map(
    ({ promise }) => promise,
  );
}

test("a complete answer that is charged its price once is right", () => {
  expect(judge(complete, [row])).toEqual([]);
});

test("a complete answer that is charged twice, not at all, or another price is wrong", () => {
  expect(judge(complete, [row, row])).toContain("a call has one request at most");
  expect(judge(complete, [])).toEqual(["a complete answer is settled"]);
  const dear = { ...row, costNanos: 3_400n, chargedNanos: 3_400n };
  expect(judge(complete, [dear])).toEqual(["a complete answer costs its price"]);
  expect(judge(complete, [{ ...row, chargedNanos: 2_999n }])).toEqual([
    "a complete answer is charged its cost",
  ]);
});

test("only a late charge may fall short of the price", () => {
  const short = { ...row, chargedNanos: 1_000n, shortfallNanos: 2_000n };
  expect(judge(complete, [short])).toEqual(["only a late charge falls short"]);
  expect(judge(complete, [{ ...short, state: "late_settled" }])).toEqual([]);
});

test("a refused call is free, except that an unconfirmed charge may follow a 503", () => {
  expect(
    judge(refused(402), [{ ...row, state: "refused", costNanos: 0n, chargedNanos: 0n }]),
  ).toEqual([]);
  expect(judge(refused(502), [row])).toEqual(["a refused call is free"]);
  expect(judge(refused(503), [row])).toEqual([]);
  expect(judge(refused(529), [row])).toEqual([]);
  expect(judge(refused(503, true), [row])).toEqual(["a refusal that says so is free"]);
});

test("a call that was left or cut is charged at most what it held, and only if a provider had it", () => {
  for (const kind of ["left", "cut"] as const) {
    expect(judge({ kind }, [])).toEqual([]);
    expect(judge({ kind }, [row])).toEqual([]);
    expect(judge({ kind }, [{ ...row, chargedNanos: 30_001n }])).toEqual([
      "no call is charged more than it held",
    ]);
    const unseen = { seen: { ...call.seen, attempts: 0 } };
    expect(judge({ kind }, [row], unseen)).toEqual(["a call that reached no provider is free"]);
  }
});

test("usage that nobody can use is billed as the row counts it", () => {
  const counted = { ...row, promptTokens: 20, costNanos: 4_000n, chargedNanos: 4_000n };
  expect(judge(complete, [counted], { billing: "counted" })).toEqual([]);
  expect(judge(complete, [row], { billing: "free" })).toEqual([
    "a complete answer costs its price",
  ]);
});

test("a request of a call that nobody made is wrong", () => {
  const strange = { ...row, name: "soak-1-2" };
  expect(judge(complete, [row, strange])).toEqual(["every request is a call that was made"]);
});
