// The breaker of a route among accounts: whose failures keep whom away.
import { expect, test } from "bun:test";
import { type AccountId, newId } from "@turnpike/base";
import { attempt, one, open, other, third } from "./attempt-route.fixture.ts";

test("one account cannot open it for others while their calls succeed, however many of its own calls fail", () => {
  const { health, changes } = open();
  let attempts = 0;
  for (let nowMs = 0; nowMs < 600_000; nowMs += 100) {
    if (attempt(health, nowMs, "upstream")) attempts += 1;
    if (nowMs % 5_000 === 0) expect(attempt(health, nowMs, undefined, other)).toBe(true);
    expect(health.reasonToSkip(third, nowMs)).toBeUndefined();
    expect(health.isOpen).toBe(false);
  }
  // Only that account is kept off: twenty calls, then one trial call after each pause.
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

test("one account opens it only for itself; the first call of another is sent, and its answer shows that it works", () => {
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

test("an account is not kept off for the failures of another before three of its own", () => {
  const { health } = open();
  for (let call = 0; call < 20; call += 1) attempt(health, call, "upstream");
  for (let call = 0; call < 2; call += 1) attempt(health, 20, "upstream", other);
  expect(health.reasonToSkip(other, 21)).toBeUndefined();
  attempt(health, 21, "upstream", other);
  expect(health.reasonToSkip(other, 22)).toBe("open");
});

test("a provider that fails for everybody is avoided after twenty calls, however they are divided", () => {
  for (const accounts of [1, 2, 3, 10, 20]) {
    const { health } = open();
    const callers = Array.from({ length: accounts }, () => newId<AccountId>());
    let calls = 0;
    while (attempt(health, calls, "upstream", callers[calls % accounts])) calls += 1;
    expect(calls).toBe(20);
  }
});

test("trial calls of four accounts do not keep others off longer; one of a fifth account does", () => {
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

test("two accounts cannot keep others off a route that can be reached, however often their trial calls fail", () => {
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

test("a trial call that cannot connect keeps everybody off for twice the time, after five failures in a row", () => {
  const { health } = open();
  for (let call = 0; call < 5; call += 1) attempt(health, 0, "connect");
  attempt(health, 15_000, "connect");
  expect(health.waitMs(third, 15_000)).toBe(30_000);
  // An answer, even a bad one, shows that it can be reached.
  attempt(health, 45_000, "upstream");
  attempt(health, 45_000, "connect", other);
  expect(health.reasonToSkip(third, 45_000)).toBeUndefined();
});

test("a trial call that takes long blocks the next one for fifteen seconds only", () => {
  const { health } = open();
  for (let call = 0; call < 5; call += 1) attempt(health, 0, "connect");
  health.enter(one, 15_000);
  expect(health.reasonToSkip(other, 29_999)).toBe("open");
  expect(health.reasonToSkip(other, 30_000)).toBeUndefined();
});

test("failures of more accounts than are remembered still open it for everybody", () => {
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
