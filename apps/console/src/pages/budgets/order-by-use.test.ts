// Which budget comes first: by how near its limit is, and by when it is reached at the pace of its period.
import { expect, test } from "bun:test";
import type { Budget } from "../../product/limits/use-budgets.ts";
import { nextReached, orderByUse } from "./order-by-use.ts";

const now = new Date("2026-03-16T12:00:00Z");

function budget(id: string, changes: object = {}): Budget {
  const facts = {
    id,
    kind: "project",
    subjectId: id,
    subjectName: id,
    period: "month",
    limitUsd: "100",
    spentUsd: "0",
    heldUsd: "0",
    hard: true,
    resetsAt: "2026-04-01T00:00:00.000Z",
    ...changes,
  };
  return readBudget(facts);
}

/** Guarantees nothing: the ids of these budgets are not real ones. */
function readBudget(facts: unknown): Budget {
  return facts as Budget;
}

const idsOf = (budgets: readonly Budget[]) => budgets.map(({ id }) => String(id));

test("the nearest to its limit is first, what running calls hold counts, and a limit of zero is reached", () => {
  const budgets = [
    budget("tenth", { spentUsd: "10" }),
    budget("soft half", { spentUsd: "50", hard: false }),
    budget("hard half", { spentUsd: "20", heldUsd: "30" }),
    budget("zero", { limitUsd: "0" }),
  ];
  expect(idsOf(orderByUse(budgets))).toEqual(["zero", "hard half", "soft half", "tenth"]);
});

test("the first to be reached is told by the pace of its own period, not by its share", () => {
  // Half of the month is over, and three quarters of the day.
  const month = budget("month", { spentUsd: "60" });
  const reset = { resetsAt: "2026-03-17T00:00:00.000Z" };
  const day = budget("day", { period: "day", spentUsd: "55", ...reset });
  expect(String(nextReached([month, day], now)?.budget.id)).toBe("day");
  expect(nextReached([day], now)?.at).toEqual(new Date("2026-03-16T21:49:05.454Z"));
});

test("none is first that resets before it is reached, and one without a period has no pace", () => {
  const slow = budget("slow", { spentUsd: "40" });
  const total = budget("total", { period: "total", spentUsd: "99", resetsAt: null });
  expect(nextReached([slow, total, budget("unused")], now)).toBeUndefined();
});

test("a period that has only begun has no pace yet", () => {
  const early = new Date("2026-03-02T00:00:00Z");
  expect(nextReached([budget("new", { spentUsd: "50" })], early)).toBeUndefined();
});

test("what is reached already comes before what will be", () => {
  const soon = budget("soon", { spentUsd: "99" });
  const reached = budget("reached", { spentUsd: "100" });
  expect(nextReached([soon, reached], now)).toEqual({ budget: reached, at: null });
});

test("a month of a zone east of UTC has the days of that month", () => {
  // Half of March has passed there, and half is spent.
  const kiritimati = budget("month", { spentUsd: "50.1", resetsAt: "2026-03-31T10:00:00.000Z" });
  const middle = new Date("2026-03-15T22:00:00Z");
  expect(nextReached([kiritimati], middle)?.at?.toISOString()).toStartWith("2026-03-31T0");
});
