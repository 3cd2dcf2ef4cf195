// The breaker of a route, with its own clock: when it opens, how long it stays open, and what closes it.
import { expect, test } from "bun:test";
import { attempt, names, one, open, other, third } from "./attempt-route.fixture.ts";
import { RouteHealth, routeLimits } from "./route-health.ts";

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

test("failures are forgotten after thirty seconds", () => {
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

test("a trial call whose client disconnects proves nothing, and the next call is a trial again", () => {
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
  for (let call = 0; call < 3; call += 1) attempt(health, 0, "account");
  expect(health.refused).toBe("account");
  expect(health.isPaused(routeLimits.refusedPauseMs - 1)).toBe(true);
  expect(health.isPaused(routeLimits.refusedPauseMs)).toBe(false);
  attempt(health, 1);
  expect([health.refused, health.isPaused(2)]).toEqual([undefined, false]);
  expect(changes).toHaveLength(2);
});

test("three refusals of its model put it last, too, and the next process knows which of the two it was", () => {
  const { health, changes } = open();
  attempt(health, 0, "account");
  for (let call = 0; call < 2; call += 1) attempt(health, 0, "model");
  expect([health.refused, health.isPaused(1), changes.length]).toEqual(["model", true, 1]);
  const next = new RouteHealth(names);
  next.restore(health.save(1), false, 100);
  expect([next.refused, next.isPaused(101)]).toEqual(["model", true]);
  attempt(next, 102);
  expect([next.refused, next.isPaused(103)]).toEqual([undefined, false]);
});

test("403s of a single account do not put it last while another account's calls succeed", () => {
  const { health } = open();
  attempt(health, 0, undefined, other);
  for (let call = 1; call < 10; call += 1) attempt(health, call, "forbidden");
  expect([health.refused, health.isPaused(10)]).toEqual([undefined, false]);
  attempt(health, 11, "forbidden", third);
  attempt(health, 12, "forbidden");
  expect([health.refused, health.isPaused(13)]).toEqual(["account", true]);
});

test("FU26: it takes no more concurrent calls than its limit", () => {
  const { health } = open();
  health.maxConcurrent = 2;
  const first = health.enter(one, 0);
  health.enter(one, 0);
  expect(health.reasonToSkip(one, 0)).toBe("full");
  health.leave(first);
  expect(health.reasonToSkip(one, 0)).toBeUndefined();
});

test("its state is known to the next process, with the time that is left", () => {
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

test("the next process skips a route for as long as any of its only accounts would have had to", () => {
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

test("T7: a process whose clock was wrong keeps the next one from a route for two minutes at most", () => {
  const { health } = open();
  for (let call = 0; call < 5; call += 1) attempt(health, 0, "connect");
  const saved = { ...health.save(5_000), openForMs: 86_400_000 };
  const next = new RouteHealth(names);
  next.restore(saved, true, 100);
  expect([next.reasonToSkip(one, 120_099), next.reasonToSkip(one, 120_100)]).toEqual([
    "open",
    undefined,
  ]);
});
