// The breaker of a route, on a clock of its own: when it opens, how long it stays open, and what closes it.
import { expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import { RouteHealth, routeLimits } from "./route-health.ts";

const one = newId<AccountId>();
const other = newId<AccountId>();
const third = newId<AccountId>();
const names = { provider: "p", upstreamModel: "m" };

function open() {
  const changes: boolean[] = [];
  const health: RouteHealth = new RouteHealth(names, (changed) => changes.push(changed.isOpen));
  return { health, changes };
}

/** One whole attempt at `nowMs`; false where the route takes none. */
function attempt(
  health: RouteHealth,
  nowMs: number,
  failure?: Parameters<RouteHealth["failed"]>[0],
  account = one,
) {
  if (health.reasonToSkip(account, nowMs) !== undefined) return false;
  const trial = health.enter(account, nowMs);
  if (failure === undefined) health.succeeded(account, nowMs, 10);
  else health.failed(failure, account, nowMs, trial);
  health.leave(trial);
  return true;
}

test("it opens at half of twenty failures within thirty seconds, and not before", () => {
  const { health } = open();
  for (let call = 0; call < 10; call += 1) attempt(health, call);
  for (let call = 0; call < 9; call += 1) attempt(health, 10 + call, "upstream");
  expect(health.reasonToSkip(one, 20)).toBeUndefined();
  attempt(health, 20, "upstream");
  expect(health.reasonToSkip(one, 21)).toBe("open");
});

test("nineteen failures of nineteen are too few", () => {
  const { health } = open();
  for (let call = 0; call < 19; call += 1) attempt(health, call, "upstream");
  expect(health.reasonToSkip(one, 20)).toBeUndefined();
});

test("what failed more than thirty seconds ago is forgotten", () => {
  const { health } = open();
  for (let call = 0; call < 19; call += 1) attempt(health, 0, "upstream");
  attempt(health, 30_001, "upstream");
  expect(health.reasonToSkip(one, 30_002)).toBeUndefined();
});

test("five failed connections in a row open it; one answer in between starts the count again", () => {
  const { health } = open();
  for (let call = 0; call < 4; call += 1) attempt(health, call, "connect");
  attempt(health, 4);
  for (let call = 5; call < 9; call += 1) attempt(health, call, "connect");
  expect(health.reasonToSkip(one, 9)).toBeUndefined();
  attempt(health, 9, "connect");
  expect(health.reasonToSkip(one, 10)).toBe("open");
});

test("after fifteen seconds one trial call at a time; each that fails doubles the time up to two minutes", () => {
  const { health } = open();
  for (let call = 0; call < 5; call += 1) attempt(health, 0, "connect");
  let nowMs = 0;
  for (const openMs of [15_000, 30_000, 60_000, 120_000, 120_000]) {
    expect(health.reasonToSkip(one, nowMs + openMs - 1)).toBe("open");
    expect(health.waitMs(one, nowMs + openMs - 1)).toBe(1);
    nowMs += openMs;
    expect(health.reasonToSkip(one, nowMs)).toBeUndefined();
    const trial = health.enter(one, nowMs);
    expect(trial).toBeDefined();
    expect(health.reasonToSkip(one, nowMs)).toBe("open");
    health.failed("upstream", one, nowMs, trial);
    health.leave(trial);
  }
});

test("a trial call that is answered closes it, and the next time it opens for fifteen seconds again", () => {
  const { health, changes } = open();
  for (let call = 0; call < 5; call += 1) attempt(health, 0, "connect");
  expect(attempt(health, 15_000, "upstream")).toBe(true);
  expect(attempt(health, 45_000)).toBe(true);
  expect(health.reasonToSkip(one, 45_000)).toBeUndefined();
  for (let call = 0; call < 5; call += 1) attempt(health, 50_000, "connect");
  expect(health.waitMs(one, 50_000)).toBe(15_000);
  expect(changes).toEqual([true, true, false, true]);
});

test("a trial call whose client leaves says nothing, and the next call is one", () => {
  const { health } = open();
  for (let call = 0; call < 5; call += 1) attempt(health, 0, "connect");
  health.leave(health.enter(one, 15_000));
  expect(health.reasonToSkip(one, 15_000)).toBeUndefined();
  expect(health.enter(one, 15_000)).toBeDefined();
});

test("calls that began before it opened do not keep it open longer", () => {
  const { health } = open();
  const old = health.enter(one, 0);
  for (let call = 0; call < 5; call += 1) attempt(health, 0, "connect");
  health.failed("upstream", one, 10_000, old);
  expect(health.waitMs(one, 10_000)).toBe(5_000);
});

test("three refusals of our credentials put it last until two minutes have passed; an answer ends that", () => {
  const { health, changes } = open();
  for (let call = 0; call < 3; call += 1) attempt(health, 0, "credentials");
  expect(health.credentialsRefused).toBe(true);
  expect(health.isPaused(routeLimits.credentialsPauseMs - 1)).toBe(true);
  expect(health.isPaused(routeLimits.credentialsPauseMs)).toBe(false);
  attempt(health, 1);
  expect([health.credentialsRefused, health.isPaused(2)]).toEqual([false, false]);
  expect(changes).toHaveLength(2);
});

test("a 403 of one account alone does not put it last while another account's calls succeed", () => {
  const { health } = open();
  attempt(health, 0, undefined, other);
  for (let call = 1; call < 10; call += 1) attempt(health, call, "forbidden");
  expect([health.credentialsRefused, health.isPaused(10)]).toEqual([false, false]);
  attempt(health, 11, "forbidden", third);
  attempt(health, 12, "forbidden");
  expect([health.credentialsRefused, health.isPaused(13)]).toEqual([true, true]);
});

test("FU26: it takes as many calls at once as it may get", () => {
  const { health } = open();
  health.maxConcurrent = 2;
  const first = health.enter(one, 0);
  health.enter(one, 0);
  expect(health.reasonToSkip(one, 0)).toBe("full");
  health.leave(first);
  expect(health.reasonToSkip(one, 0)).toBeUndefined();
});

test("what it knew is known to the next process, with the time that is left", () => {
  const { health } = open();
  attempt(health, 0);
  health.measured(50, 1_000);
  for (let call = 0; call < 5; call += 1) attempt(health, 0, "connect");
  const next = new RouteHealth(names);
  next.restore(health.save(5_000), true, 100);
  expect([next.reasonToSkip(one, 10_099), next.reasonToSkip(one, 10_100)]).toEqual([
    "open",
    undefined,
  ]);
  expect([next.firstByteMs, next.tokensPerSecond]).toEqual([10, 50]);
});

test("the next process leaves a route alone for as long as any of its only accounts would have been", () => {
  const { health } = open();
  for (let call = 0; call < 10; call += 1) {
    attempt(health, 0, "upstream");
    attempt(health, 0, "upstream", other);
  }
  attempt(health, 15_000, "upstream");
  expect([health.waitMs(one, 20_000), health.waitMs(other, 20_000)]).toEqual([25_000, 0]);
  expect([health.isOpen, health.isOpenForEverybody]).toEqual([true, false]);
  const { health: next } = open();
  next.restore(health.save(20_000), health.isOpen, 0);
  expect(next.reasonToSkip(third, 24_999)).toBe("open");
  expect(next.reasonToSkip(third, 25_000)).toBeUndefined();
  expect(attempt(next, 25_000, undefined, third)).toBe(true);
  expect(next.isOpen).toBe(false);
});

test("one account cannot open it for others while their calls succeed, however many of its own fail", () => {
  const { health, changes } = open();
  let attempts = 0;
  for (let nowMs = 0; nowMs < 600_000; nowMs += 100) {
    if (attempt(health, nowMs, "upstream")) attempts += 1;
    if (nowMs % 5_000 === 0) expect(attempt(health, nowMs, undefined, other)).toBe(true);
    expect(health.reasonToSkip(third, nowMs)).toBeUndefined();
    expect(health.isOpen).toBe(false);
  }
  // Itself it is kept away: twenty calls, then one trial call after each pause.
  expect(attempts).toBeLessThan(30);
  expect(changes).toEqual([]);
});

test("one account that mixes failures with answers does not open it for others either", () => {
  const { health } = open();
  for (let nowMs = 0; nowMs < 300_000; nowMs += 50) {
    attempt(health, nowMs, nowMs % 3_000 === 0 ? undefined : "upstream");
    if (nowMs % 5_000 === 0) attempt(health, nowMs, undefined, other);
    expect(health.reasonToSkip(third, nowMs)).toBeUndefined();
  }
});

test("one account alone opens it for itself; the first call of another is sent, and its answer shows it works", () => {
  const { health, changes } = open();
  for (let call = 0; call < 20; call += 1) attempt(health, call, "upstream");
  expect(health.reasonToSkip(one, 20)).toBe("open");
  expect([health.isOpen, health.isOpenForEverybody]).toEqual([true, false]);
  expect(health.reasonToSkip(other, 20)).toBeUndefined();
  attempt(health, 20, undefined, other);
  expect(health.isOpen).toBe(false);
  expect(health.reasonToSkip(one, 21)).toBe("open");
  expect(changes).toEqual([true, false]);
});

test("failures of three accounts open it for everybody; two failures of a third one are too few", () => {
  const { health } = open();
  const fourth = newId<AccountId>();
  attempt(health, 0, undefined, third);
  for (let call = 0; call < 19; call += 1) attempt(health, call, "upstream");
  for (let call = 0; call < 19; call += 1) attempt(health, 19, "upstream", other);
  for (let call = 0; call < 2; call += 1) attempt(health, 19, "upstream", fourth);
  expect(health.reasonToSkip(third, 20)).toBeUndefined();
  attempt(health, 20, "upstream", fourth);
  expect(health.reasonToSkip(third, 21)).toBe("open");
  expect(health.isOpenForEverybody).toBe(true);
});

test("two accounts cannot open it for one whose calls succeed", () => {
  const { health } = open();
  for (let call = 0; call < 20; call += 1) {
    attempt(health, call, undefined, third);
    attempt(health, call, "upstream");
    attempt(health, call, "upstream", other);
  }
  expect(health.reasonToSkip(third, 21)).toBeUndefined();
  expect(health.isOpenForEverybody).toBe(false);
});

test("an account is not kept away for the failures of another before three of its own", () => {
  const { health } = open();
  for (let call = 0; call < 20; call += 1) attempt(health, call, "upstream");
  for (let call = 0; call < 2; call += 1) attempt(health, 20, "upstream", other);
  expect(health.reasonToSkip(other, 21)).toBeUndefined();
  attempt(health, 21, "upstream", other);
  expect(health.reasonToSkip(other, 22)).toBe("open");
});

test("a provider that fails for everybody is left after twenty calls, however they are divided", () => {
  for (const accounts of [1, 2, 3, 10, 20]) {
    const { health } = open();
    const callers = Array.from({ length: accounts }, () => newId<AccountId>());
    let calls = 0;
    const caller = () => callers[calls % accounts] ?? one;
    while (attempt(health, calls, "upstream", caller())) calls += 1;
    expect(calls).toBe(20);
  }
});

test("trial calls of four accounts do not keep others away longer; one of a fifth account does", () => {
  const { health } = open();
  for (let call = 0; call < 5; call += 1) attempt(health, 0, "connect");
  for (const account of [one, other, newId<AccountId>(), newId<AccountId>()]) {
    expect(attempt(health, 15_000, "upstream", account)).toBe(true);
    expect(health.waitMs(account, 15_000)).toBe(30_000);
    expect(health.reasonToSkip(third, 15_000)).toBeUndefined();
  }
  attempt(health, 15_000, "upstream", newId<AccountId>());
  expect(health.waitMs(third, 15_000)).toBe(30_000);
  // The count starts again.
  expect(attempt(health, 45_000, "upstream", third)).toBe(true);
  expect(health.reasonToSkip(newId<AccountId>(), 45_000)).toBeUndefined();
});

test("two accounts cannot keep a route from others once it can be reached, however often their trial calls fail", () => {
  const { health } = open();
  for (let call = 0; call < 5; call += 1) attempt(health, 0, "connect");
  for (let nowMs = 15_000; nowMs < 1_000_000; nowMs += 500) {
    attempt(health, nowMs, "upstream");
    attempt(health, nowMs, "upstream", other);
    expect(health.reasonToSkip(third, nowMs)).toBeUndefined();
  }
  expect(attempt(health, 1_000_000, undefined, third)).toBe(true);
  expect(health.isOpenForEverybody).toBe(false);
});

test("a trial call that cannot connect keeps everybody away for twice the time, after five failures in a row", () => {
  const { health } = open();
  for (let call = 0; call < 5; call += 1) attempt(health, 0, "connect");
  attempt(health, 15_000, "connect");
  expect(health.waitMs(third, 15_000)).toBe(30_000);
  // An answer, even a bad one, shows that it can be reached.
  attempt(health, 45_000, "upstream");
  attempt(health, 45_000, "connect", other);
  expect(health.reasonToSkip(third, 45_000)).toBeUndefined();
});

test("a trial call that takes long has the route to itself for fifteen seconds only", () => {
  const { health } = open();
  for (let call = 0; call < 5; call += 1) attempt(health, 0, "connect");
  health.enter(one, 15_000);
  expect(health.reasonToSkip(other, 29_999)).toBe("open");
  expect(health.reasonToSkip(other, 30_000)).toBeUndefined();
});

test("of more accounts than are remembered the failures still open it for everybody", () => {
  const { health } = open();
  for (let call = 0; call < 1_500; call += 1) {
    // Each has an answer before, so that nothing opens while the memory fills.
    attempt(health, 0, undefined, newId<AccountId>());
    attempt(health, 0, undefined, newId<AccountId>());
    attempt(health, 0, "upstream", newId<AccountId>());
  }
  for (let call = 0; call < 20; call += 1) attempt(health, 31_000, "upstream", newId<AccountId>());
  expect(health.reasonToSkip(third, 31_001)).toBe("open");
});
