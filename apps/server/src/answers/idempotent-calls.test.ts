// What a call under an `Idempotency-Key` does while the database does not accept its answer: it tries again for
// more than a minute, and the calls that wait for it are answered from memory.
import { afterAll, afterEach, beforeAll, expect, spyOn, test } from "bun:test";
import { type AccountId, type GenerationId, type InstanceId, newId } from "@turnpike/base";
import { type AuthenticatedCall, CallRecord } from "@turnpike/gateway";
import { noLimits } from "@turnpike/keys";
import { createCallFacts } from "@turnpike/ledger";
import { createLog } from "@turnpike/telemetry";
import { openaiErrors } from "@turnpike/wire";
import { createFairQueue } from "../fair-queue.ts";
import { createIdempotentCalls } from "./idempotent-calls.ts";
import { openTestAnswers, type TestAnswers } from "./open-test-answers.fixture.ts";
import type { KeyedCall } from "./run-once.ts";
import { shareConnections } from "./share-connections.ts";
import { createStoredRoom } from "./stored-room.ts";

let answers: TestAnswers;
let accountId: AccountId;
beforeAll(async () => {
  answers = await openTestAnswers();
  accountId = await answers.newAccount();
});
afterAll(() => answers.close());

const sleep = spyOn(Bun, "sleep");
afterEach(() => sleep.mockRestore());

const log = createLog({ level: "silent", name: "test" });
const answer = { headers: { "content-type": "text/plain" }, body: "paid for", sent: undefined };

function keyedCall(idempotencyKey: string, onWait = () => {}): KeyedCall {
  const call: AuthenticatedCall = {
    operation: "chat",
    errors: openaiErrors,
    generationId: newId<GenerationId>(),
    requestId: "req_1",
    head: {},
    record: new CallRecord(),
    receivedAtMs: performance.now(),
    principal: { accountId, keyId: null, limits: noLimits, origin: "api" },
    facts: createCallFacts({ id: newId<GenerationId>(), accountId, keyId: null }),
  };
  const { signal } = new AbortController();
  return { call, apiKey: "sk", idempotencyKey, language: "openai", text: "{}", signal, onWait };
}

/** On a database that reads but fails every write, which is counted. */
function openReadOnly() {
  const seen = { writes: 0 };
  const { runQuery } = shareConnections(answers.app.sql, createFairQueue(2));
  const write = () => {
    seen.writes += 1;
    return Promise.reject(new Error("the database is full"));
  };
  const calls = createIdempotentCalls({
    database: { runQuery, write },
    instanceId: newId<InstanceId>(),
    silentMs: 60_000,
    log,
    background: { enter: () => () => {} },
    room: createStoredRoom({ database: { runQuery }, log }),
    endSignal: { current: new AbortController().signal },
  });
  return { seen, calls };
}

test("calls that wait for an answer get it even if it could never be stored", async () => {
  const pausesMs: number[] = [];
  const isWaiting = Promise.withResolvers<void>();
  const { seen, calls } = openReadOnly();
  const first = await calls.enter(keyedCall("full"));
  if (first.kind !== "run") throw new Error("the first call must run");
  const second = calls.enter(keyedCall("full", isWaiting.resolve));
  await isWaiting.promise;
  sleep.mockImplementation(async (pause) => {
    pausesMs.push(Number(pause));
    const { writes } = seen;
    await new Promise(setImmediate);
    expect(seen.writes).toBe(writes);
  });
  expect(await first.complete(async () => answer)).toEqual(answer);
  expect(await second).toMatchObject({ kind: "repeat", answer: { body: "paid for" } });
  await calls.settled();
  // At once, and twenty times after growing pauses: for 81 seconds.
  expect(seen.writes).toBe(21);
  const growing = [200, 400, 800, 1_600, 3_200];
  expect(pausesMs).toEqual([...growing, ...Array.from({ length: 15 }, () => 5_000)]);
});
