// Stored prompts in a database that is slow, away or full, in time and after the switch: nothing is stored that a project
// does not want, and nothing waits for the database but the prompts themselves.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  type AccountId,
  createSealer,
  defaultProjectOf,
  type GenerationId,
  newId,
} from "@turnpike/base";
import { type Connection, connectDatabase, operator } from "@turnpike/db";
import { createProject } from "@turnpike/keys";
import { createLog, type PromptsNotStored } from "@turnpike/telemetry";
import { createTestDatabase, type TestDatabase } from "@turnpike/testing";
import { openPromptLog, purgePrompts, queryPrompt, setPromptStorage } from "./index.ts";
import type { PromptBounds } from "./open-prompt-log.ts";

const sealer = createSealer(["the sealing key of the tests of prompts"]);
const log = createLog({ level: "silent", name: "test" });
let database: TestDatabase;
let owner: Connection;
let app: Connection;
beforeAll(async () => {
  database = await createTestDatabase();
  owner = connectDatabase({ url: database.ownerUrl, max: 2 });
  app = connectDatabase({ url: database.url, max: 4 });
});
afterAll(async () => {
  await Promise.all([owner.close(), app.close()]);
  await database.drop();
});

async function newAccount(days: number | null = 30): Promise<AccountId> {
  const accountId = newId<AccountId>();
  await owner.sql`insert into accounts (id, name) values (${accountId}, ${accountId})`;
  if (days !== null) await set(accountId, days);
  return accountId;
}

const set = (accountId: AccountId, days: number | null, id = defaultProjectOf(accountId)) =>
  setPromptStorage(app.db, { accountId, by: operator, sealer }, { id, days, redacts: true });

type Counted = { stored: number; readonly dropped: Partial<Record<PromptsNotStored, number>> };
type RunQuery = Parameters<typeof openPromptLog>[0]["runQuery"];

function open(bounds: Partial<PromptBounds> = {}, run: RunQuery = (_, query) => query(app.sql)) {
  const counted: Counted = { stored: 0, dropped: {} };
  const prompts = openPromptLog({
    sealer,
    log,
    runQuery: run,
    bounds: { retryMs: [1, 1], ...bounds },
    metrics: {
      promptsStored(count) {
        counted.stored += count;
      },
      promptsNotStored(reason, count) {
        counted.dropped[reason] = (counted.dropped[reason] ?? 0) + count;
      },
    },
  });
  return { prompts, counted };
}

type Prompts = ReturnType<typeof open>["prompts"];

const text = (words: string) => JSON.stringify({ messages: [{ role: "user", content: words }] });

function begin(prompts: Prompts, accountId: AccountId, words = "hello") {
  const generationId = newId<GenerationId>();
  const storage = { projectId: defaultProjectOf(accountId), redacts: true };
  const record = prompts.begin({ accountId, generationId, storage, text: text(words) });
  return { generationId, record };
}

function keep(prompts: Prompts, accountId: AccountId, words?: string): GenerationId {
  const { generationId, record } = begin(prompts, accountId, words);
  record?.end('{"ok":true}');
  return generationId;
}

const read = (accountId: AccountId, id: GenerationId) => queryPrompt(app.db, sealer, accountId, id);

const countRows = async (accountId: AccountId): Promise<number> => {
  const [row] = await owner.sql<{ rows: number }[]>`
    select count(*)::int as rows from stored_prompts where account_id = ${accountId}`;
  return row?.rows ?? 0;
};

const age = (accountId: AccountId, days: number) => owner.sql`
  update stored_prompts set created_at = created_at - make_interval(days => ${days}::int)
   where account_id = ${accountId}`;

test("many prompts of several accounts are written in one batch, each readable in its account only", async () => {
  const ada = await newAccount();
  const eve = await newAccount();
  const { prompts, counted } = open();
  const ids = Array.from({ length: 20 }, (_, n) =>
    keep(prompts, n % 2 === 0 ? ada : eve, `no ${n}`),
  );
  await prompts.settled();
  expect(counted).toEqual({ stored: 20, dropped: {} });
  const [first] = ids;
  if (first === undefined) throw new Error("20 were stored");
  expect(await read(ada, first)).toMatchObject({
    request: { messages: [{ role: "user", content: "no 0" }] },
    answer: { ok: true },
  });
  expect(await read(eve, first)).toBeUndefined();
});

test("a sealed prompt opens neither in another row nor under another key", async () => {
  const accountId = await newAccount();
  const { prompts } = open();
  const one = keep(prompts, accountId, "one");
  const other = keep(prompts, accountId, "other");
  await prompts.settled();
  await owner.sql`update stored_prompts s set sealed = o.sealed from stored_prompts o
    where s.account_id = ${accountId} and s.generation_id = ${one}
      and o.account_id = ${accountId} and o.generation_id = ${other}`;
  expect(read(accountId, one)).rejects.toThrow("SEALING_KEY does not open");
  const foreign = createSealer(["another sealing key of these tests"]);
  expect(queryPrompt(app.db, foreign, accountId, other)).rejects.toThrow("does not open");
});

describe("a project", () => {
  test("that stores nothing has nothing stored, whatever an instance remembers", async () => {
    const accountId = await newAccount(null);
    const { prompts, counted } = open();
    keep(prompts, accountId);
    await prompts.settled();
    expect(counted).toEqual({ stored: 0, dropped: {} });
    expect(await countRows(accountId)).toBe(0);
  });

  test("that redacts stores nothing that is not, of calls that began before or of an instance that remembers otherwise", async () => {
    const accountId = await newAccount();
    const projectId = defaultProjectOf(accountId);
    const { prompts, counted } = open();
    const keepPlain = () => {
      const storage = { projectId, redacts: false };
      const generationId = newId<GenerationId>();
      prompts.begin({ accountId, generationId, storage, text: text("ada@example.org") })?.end("{}");
      return prompts.settled();
    };
    await keepPlain();
    expect(counted.stored).toBe(0);
    const plain = { id: projectId, days: 30, redacts: false };
    await setPromptStorage(app.db, { accountId, by: operator, sealer }, plain);
    await keepPlain();
    expect(counted.stored).toBe(1);
  });

  test("that is switched off shows nothing at once, and what it stored is deleted in slices, also after it is on again", async () => {
    const accountId = await newAccount();
    const { prompts } = open();
    const ids = Array.from({ length: 7 }, () => keep(prompts, accountId));
    await prompts.settled();
    const [before] = ids;
    if (before === undefined) throw new Error("seven were stored");
    const running = begin(prompts, accountId);
    await set(accountId, null);
    expect(await read(accountId, before)).toBeUndefined();
    await set(accountId, 30);
    expect(await read(accountId, before)).toBeUndefined();
    // It began before the switch.
    running.record?.end("{}");
    const after = keep(prompts, accountId);
    await prompts.settled();
    expect(await purgePrompts(app.db, 3)).toBeGreaterThanOrEqual(7);
    expect(await countRows(accountId)).toBe(1);
    expect(await read(accountId, after)).toBeDefined();
  });

  test("keeps prompts for its days: a shorter time applies to what is stored already", async () => {
    const accountId = await newAccount(30);
    const { prompts } = open();
    const id = keep(prompts, accountId);
    await prompts.settled();
    await age(accountId, 8);
    await purgePrompts(app.db);
    expect(await read(accountId, id)).toBeDefined();
    await set(accountId, 7);
    expect(await read(accountId, id)).toBeUndefined();
    await purgePrompts(app.db);
    expect(await countRows(accountId)).toBe(0);
  });

  test("is switched for itself, between 1 and 90 days, and only if prompts can be sealed", async () => {
    const accountId = await newAccount(null);
    const id = await createProject(app.db, { accountId, by: operator }, { name: "other" });
    await set(accountId, 90, id);
    const rows = await owner.sql`
      select prompt_days from projects where account_id = ${accountId} order by prompt_days`;
    expect(rows.map((row) => row.prompt_days)).toEqual([90, null]);
    for (const days of [0, 91, 1.5]) {
      expect(set(accountId, days)).rejects.toMatchObject({ code: "invalid_value" });
    }
    const unsealed = { accountId, by: operator, sealer: undefined };
    const setting = { id, days: 1, redacts: true };
    expect(setPromptStorage(app.db, unsealed, setting)).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("SEALING_KEY"),
    });
    const log = await owner.sql`
      select changes from audit_log where account_id = ${accountId} and action = 'project.prompts'`;
    expect(log.map(({ changes }) => changes)).toEqual([
      { days: [null, "90"], redacts: ["true", "true"] },
    ]);
  });
});

describe("a database that", () => {
  test("fails for a while takes the prompts afterwards", async () => {
    const accountId = await newAccount();
    let failures = 2;
    const { prompts, counted } = open({}, (_, query) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new Error("away")) : query(app.sql);
    });
    keep(prompts, accountId);
    await prompts.settled();
    expect(counted).toEqual({ stored: 1, dropped: {} });
  });

  test("stays away loses the prompts, which are counted, and nobody waits", async () => {
    const accountId = await newAccount();
    const { prompts, counted } = open({}, () => Promise.reject(new Error("away")));
    keep(prompts, accountId);
    keep(prompts, accountId);
    await prompts.settled();
    expect(counted).toEqual({ stored: 0, dropped: { failed: 2 } });
  });

  test("is slow lets prompts wait up to their bounds, and drops the others", async () => {
    const accountId = await newAccount();
    const gate = Promise.withResolvers<void>();
    const slow: RunQuery = async (_, query) => {
      await gate.promise;
      return query(app.sql);
    };
    const { prompts, counted } = open({ waitingMax: 3 }, slow);
    for (let n = 0; n < 100; n += 1) keep(prompts, accountId);
    expect(counted.dropped.busy).toBe(97);
    gate.resolve();
    await prompts.settled();
    expect(counted.stored).toBe(3);
  });
});

test("memory is bounded over all running calls, and free again when they have ended", async () => {
  const accountId = await newAccount();
  const { prompts, counted } = open({ heldBytesMax: 10_000 });
  const running = [
    begin(prompts, accountId, "a".repeat(4_000)),
    begin(prompts, accountId, "b".repeat(4_000)),
  ];
  expect(begin(prompts, accountId, "c".repeat(4_000)).record).toBeUndefined();
  running[0]?.record?.add(new Uint8Array(5_000));
  expect(counted.dropped).toEqual({ busy: 2 });
  running[0]?.record?.endStream();
  running[1]?.record?.endStream();
  await prompts.settled();
  expect(counted.stored).toBe(1);
  expect(begin(prompts, accountId, "d".repeat(9_000)).record).toBeDefined();
});

test("whole answers that wait to be stored count as memory, too", async () => {
  const accountId = await newAccount();
  const gate = Promise.withResolvers<void>();
  const { prompts, counted } = open({ heldBytesMax: 10_000 }, async (_, query) => {
    await gate.promise;
    return query(app.sql);
  });
  for (let n = 0; n < 4; n += 1) {
    const { record } = begin(prompts, accountId);
    record?.end(JSON.stringify({ text: "a ".repeat(2_000) }));
  }
  expect(counted.dropped).toEqual({ busy: 2 });
  gate.resolve();
  await prompts.settled();
  expect(counted.stored).toBe(2);
  begin(prompts, accountId).record?.end(JSON.stringify({ text: "b ".repeat(4_000) }));
  await prompts.settled();
  expect(counted.stored).toBe(3);
});

test("an account has room for so much and no more", async () => {
  const accountId = await newAccount();
  const { prompts, counted } = open({ accountBytesMax: 1_000 });
  for (let n = 0; n < 20; n += 1) keep(prompts, accountId, "x y ".repeat(20));
  await prompts.settled();
  const [row] = await owner.sql<{ bytes: number }[]>`
    select sum(octet_length(sealed))::int as bytes from stored_prompts
     where account_id = ${accountId}`;
  expect(row?.bytes).toBeLessThanOrEqual(1_000);
  expect(counted.stored).toBeGreaterThan(0);
  expect(counted.dropped.full).toBe(20 - counted.stored);
});
