// Memory is bounded in size and in age, and forgets keys on request.

import { describe, expect, test } from "bun:test";
import { type AccountId, type ApiKeyId, newId, type ProjectId } from "@turnpike/base";
import { noLimits } from "../limits/key-limits.ts";
import { createKeyMemory, defaultKeyMemoryBounds } from "./api-key-cache.ts";
import type { KeyRecord } from "./load-keys.ts";

function recordOf(accountId = newId<AccountId>()): KeyRecord {
  return {
    id: newId<ApiKeyId>(),
    accountId,
    limits: noLimits,
    shared: { projectId: newId<ProjectId>(), project: {}, account: {} },
    disabledAt: undefined,
    revokedAt: undefined,
    secretUntil: undefined,
    accountSuspendedAt: undefined,
  };
}

function open(recordsMax = 3, unknownMax = 2) {
  const clock = { ms: 1_000 };
  const bounds = { ...defaultKeyMemoryBounds, recordsMax, unknownMax };
  return { clock, memory: createKeyMemory(bounds, () => clock.ms) };
}

describe("createKeyMemory", () => {
  test("the defaults are 50,000 keys for 10 s and 10,000 unknown hashes for 5 s", () => {
    expect(defaultKeyMemoryBounds).toEqual({
      recordsMax: 50_000,
      recordLifetimeMs: 10_000,
      unknownMax: 10_000,
      unknownLifetimeMs: 5_000,
    });
  });

  test("a record lives ten seconds from the start of its reading, however often it is used", () => {
    const { memory, clock } = open();
    const record = recordOf();
    memory.remember("h", record, 500);
    for (clock.ms = 1_000; clock.ms < 10_500; clock.ms += 500) {
      expect(memory.recall("h")).toMatchObject({ record, readAtMs: 500 });
    }
    expect(memory.recall("h")).toBeUndefined();
  });

  test("an unknown hash is remembered for five seconds", () => {
    const { memory, clock } = open();
    memory.remember("h", undefined, 1_000);
    clock.ms = 5_999;
    expect(memory.recall("h")).toEqual({ record: undefined, readAtMs: 1_000 });
    clock.ms = 6_000;
    expect(memory.recall("h")).toBeUndefined();
  });

  test("the least recently used record is evicted, by the second", () => {
    const { memory, clock } = open(3);
    for (const hash of ["a", "b", "c"]) memory.remember(hash, recordOf(), 1_000);
    clock.ms += 1_000;
    memory.recall("a");
    memory.remember("d", recordOf(), 1_000);
    const kept = ["a", "b", "c", "d"].filter((hash) => memory.recall(hash) !== undefined);
    expect(kept).toEqual(["a", "c", "d"]);
  });

  test("invented keys evict each other, never a real one", () => {
    const { memory } = open(3, 2);
    memory.remember("real", recordOf(), 1_000);
    for (let n = 0; n < 100; n += 1) memory.remember(`invented-${n}`, undefined, 1_000);
    expect(memory.recall("real")).toBeDefined();
    expect(memory.recall("invented-97")).toBeUndefined();
    expect(memory.recall("invented-99")).toBeDefined();
  });

  test("a key is forgotten by its id, all keys of an account by the account's", () => {
    const { memory } = open();
    const [one, two, other] = [recordOf(), recordOf(), recordOf()];
    const sibling = recordOf(two.accountId);
    for (const [hash, record] of Object.entries({ one, two, sibling })) {
      memory.remember(hash, record, 1_000);
    }
    memory.forget(one.id);
    expect(memory.recall("one")).toBeUndefined();
    expect(memory.recall("two")).toBeDefined();
    memory.remember("other", other, 1_000);
    memory.forget(two.accountId);
    expect(memory.recall("two")).toBeUndefined();
    expect(memory.recall("sibling")).toBeUndefined();
    expect(memory.recall("other")).toBeDefined();
  });

  test("after forgetting everything it knows neither keys nor unknown hashes", () => {
    const { memory } = open();
    memory.remember("known", recordOf(), 1_000);
    memory.remember("unknown", undefined, 1_000);
    memory.forgetAll();
    expect(memory.recall("known")).toBeUndefined();
    expect(memory.recall("unknown")).toBeUndefined();
  });
});
