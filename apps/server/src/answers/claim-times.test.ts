// How long a claimed name is another call's, to the millisecond, by a clock that is set: until its row expires, its
// process is silent, or its answer should have been stored.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { type AccountId, type GenerationId, type InstanceId, newId } from "@turnpike/base";
import { connectDatabase, type Sql } from "@turnpike/db";
import { setDatabaseClock } from "@turnpike/testing";
import { openTestAnswers, type TestAnswers } from "./open-test-answers.fixture.ts";
import { type AnswerClaim, claimAnswer, findRunning, persistAnswer } from "./stored-answers.ts";

let answers: TestAnswers;
let accountId: AccountId;
beforeAll(async () => {
  answers = await openTestAnswers();
  accountId = await answers.newAccount();
});
afterAll(() => answers.close());

const begunAt = Date.parse("2031-06-15T12:00:00.000Z");
const keepMs = 3_600_000;
const silentMs = 60_000;

/** What `ask` returns that long after the call began. */
async function after<Result>(ms: number, ask: (sql: Sql) => Promise<Result>): Promise<Result> {
  await setDatabaseClock(answers.database, new Date(begunAt + ms));
  const { sql, close } = connectDatabase({ url: answers.database.url, max: 1 });
  try {
    return await ask(sql);
  } finally {
    await close();
  }
}

const timeAfter = (ms: number) => new Date(begunAt + ms).toISOString();

function claimOf(id: Uint8Array, changes: Partial<AnswerClaim> = {}): AnswerClaim {
  const generationId = newId<GenerationId>();
  const instanceId = newId<InstanceId>();
  const names = { id, accountId, generationId, instanceId, requestHash: new Uint8Array([1]) };
  return { ...names, keepMs, silentMs, mayInsert: true, waitedMs: 0, ...changes };
}

/** A call that runs on an instance whose last heartbeat was when it began. */
async function begin(): Promise<AnswerClaim> {
  const claim = claimOf(crypto.getRandomValues(new Uint8Array(16)));
  const begun = timeAfter(0);
  await answers.owner.sql`
    insert into instances (id, heartbeat_at) values (${claim.instanceId}, ${begun})`;
  const claimed = await after(0, (sql) => claimAnswer(sql, claim));
  // Not by taking over the row that it has just inserted.
  expect(claimed).toStrictEqual({ state: "claimed" });
  return claim;
}

/** How another instance sees that call, with and without asking for its name. */
async function seen({ id }: AnswerClaim, ms: number) {
  const other = claimOf(id, { mayInsert: false });
  const name = Buffer.from(id).toString("hex");
  return after(ms, async (sql) => {
    const running = await findRunning(sql, [name], other);
    const { state } = await claimAnswer(sql, other);
    return { isWatched: running.has(name), state };
  });
}

const beat = ({ instanceId }: AnswerClaim, ms: number) => answers.owner.sql`
  update instances set heartbeat_at = ${timeAfter(ms)} where id = ${instanceId}`;

test("a name is its call's until it expires, and then anybody's", async () => {
  const claim = await begin();
  await beat(claim, keepMs);
  expect(await seen(claim, keepMs - 1)).toEqual({ isWatched: true, state: "running" });
  expect(await seen(claim, keepMs)).toEqual({ isWatched: false, state: "full" });
  const next = claimOf(claim.id);
  expect(await after(keepMs, (sql) => claimAnswer(sql, next))).toEqual({ state: "claimed" });
});

test("a call runs until its process is silent for too long, and then another takes its name", async () => {
  const claim = await begin();
  expect(await seen(claim, silentMs - 1)).toEqual({ isWatched: true, state: "running" });
  expect(await seen(claim, silentMs)).toEqual({ isWatched: false, state: "claimed" });
});

test("a paid call has a minute to store its answer; after that it is lost, and is not run again", async () => {
  const claim = await begin();
  await answers.owner.sql`
    insert into requests (account_id, id, state, status, outcome, ended_at)
    values (${accountId}, ${claim.generationId}, 'settled', 200, 'completed', ${timeAfter(5_000)})`;
  await beat(claim, keepMs);
  expect(await seen(claim, 65_000)).toEqual({ isWatched: true, state: "running" });
  expect(await seen(claim, 65_001)).toEqual({ isWatched: false, state: "not_kept" });
});

test("a paid call whose process is silent has lost its answer at once", async () => {
  const claim = await begin();
  await answers.owner.sql`
    insert into requests (account_id, id, state, status, outcome, ended_at)
    values (${accountId}, ${claim.generationId}, 'settled', 200, 'completed', ${timeAfter(50_000)})`;
  expect((await seen(claim, silentMs - 1)).state).toBe("running");
  expect((await seen(claim, silentMs)).state).toBe("not_kept");
});

test("an answer that was stored before a call arrived is an earlier one, one stored since is not", async () => {
  const claim = await begin();
  const sealed = new Uint8Array([7]);
  await after(1_000, (sql) => persistAnswer(sql, claim, sealed));
  const stateAt = async (ms: number, waitedMs: number) => {
    const other = claimOf(claim.id, { waitedMs });
    return (await after(ms, (sql) => claimAnswer(sql, other))).state;
  };
  expect(await stateAt(3_000, 2_000)).toBe("kept");
  expect(await stateAt(3_000, 1_999)).toBe("kept_earlier");
});
