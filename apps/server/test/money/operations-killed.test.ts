// kill -9 in the middle of every operation at once: before its upstream answers, while bytes flow, between answer and charge, and
// between charge and answer. What was not durable costs nothing, what was costs its price once, nothing is held, and a repetition
// under the same Idempotency-Key runs where nothing was charged, and never where something was.
import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { type Script, type SpawnedServer, spawnServer, startTcpProxy } from "@turnpike/testing";
import {
  awaitReaped,
  awaitReleased,
  expectCleanBooks,
  openAccount,
  openTestSite,
  patientTimes,
  readMoney,
  type TestAccount,
} from "../harness/index.ts";
import { type OperationName, operationNames } from "./ask-operation.ts";
import { sweptCatalog } from "./operation-cases.ts";
import { awaitRequest, eventually } from "./read-requests.ts";
import { caseOf, nameAt, namesAt, openSweep } from "./sweep-operations.ts";

setDefaultTimeout(180_000);

const site = await openTestSite({ catalog: sweptCatalog });
const target = new URL(site.database.url);
const proxy = await startTcpProxy({ host: target.hostname, port: Number(target.port) });
target.port = String(proxy.port);
/** Closes the leases of those that were killed, and is asked again for what they did not answer. */
const heir = await spawnServer(site.environment, { times: patientTimes });
const running: SpawnedServer[] = [heir];
afterEach(() => expectCleanBooks(site));
afterAll(async () => {
  await Promise.all(running.map((server) => server.kill()));
  await proxy.close();
  await site.close();
});

async function start(failpoint?: string): Promise<SpawnedServer> {
  const given =
    failpoint === undefined ? { times: patientTimes } : { times: patientTimes, failpoint };
  const server = await spawnServer({ ...site.environment, DATABASE_URL: target.href }, given);
  running.push(server);
  return server;
}

const { script, askAll, seenAt, priceOf } = await openSweep(site, heir);

/** Each under a key of its own. */
const askKeyed = (server: SpawnedServer, account: TestAccount, point: string) =>
  Promise.all(askAll(server, account, point, (_, name) => ({ idempotencyKey: name })));

/** All that the account paid is in these rows, and every one is charged its price or nothing. */
async function expectPaid(account: TestAccount, point: string): Promise<readonly OperationName[]> {
  const rows = await site.owner.sql<{ name: string; nanos: string }[]>`
    select user_agent as name, charged_nanos::text as nanos from requests
     where account_id = ${account.id} and status = 200`;
  const paid = operationNames.filter((operation) => {
    const own = rows.filter(({ name }) => name === nameAt(point, operation));
    const charges = own.map(({ nanos }) => BigInt(nanos)).filter((charged) => charged > 0n);
    const isPaid = own.length > 0 && caseOf(operation).isFree !== true;
    expect([operation, charges]).toEqual([operation, isPaid ? [priceOf(operation)] : []]);
    return own.length > 0;
  });
  const sum = paid.reduce((total, operation) => total + priceOf(operation), 0n);
  const { balanceNanos, heldNanos } = await readMoney(site, account.id);
  expect<readonly bigint[]>([balanceNanos, heldNanos]).toEqual([10_000_000_000n - sum, 0n]);
  return paid;
}

/** Sent again under their keys: those that were not charged run, and cost their price; the others are refused, and named. */
async function expectRepeated(
  account: TestAccount,
  point: string,
  paid: readonly OperationName[],
): Promise<void> {
  script(point, {});
  const received = await askKeyed(heir, account, point);
  // What cost nothing may run as often as it is asked for.
  const isClosed = (operation: OperationName) =>
    paid.includes(operation) && caseOf(operation).isFree !== true;
  const outcomes = operationNames.map((operation, index) => {
    const { status, isComplete, headers } = received[index] ?? {};
    // What was charged in the first batch may have been stored before the second.
    const isRepeated = headers?.get("idempotent-replayed") === "true";
    if (status === 409 || isRepeated) return [operation, "not run"];
    return [operation, isComplete === true ? "run" : status];
  });
  expect(outcomes).toEqual(
    operationNames.map((operation) => [operation, isClosed(operation) ? "not run" : "run"]),
  );
  await Promise.all(namesAt(point).map((name) => awaitRequest(site, name)));
  await awaitReleased(site, account.id);
  expect(await expectPaid(account, point)).toEqual([...operationNames]);
}

test("killed before an upstream has answered, no operation costs anything, and each runs again", async () => {
  const account = await openAccount(site);
  script("head", { headGate: true });
  const victim = await start();
  const asked = askKeyed(victim, account, "head");
  await seenAt("head");
  await victim.kill();
  expect((await asked).filter(({ isComplete }) => isComplete)).toEqual([]);
  await awaitReaped(site, victim, account.id);
  expect(await expectPaid(account, "head")).toEqual([]);
  await expectRepeated(account, "head", []);
});

/** A stream that waits before its end, half of an answer that is whole. */
const halfOf = (operation: OperationName): Script =>
  caseOf(operation).streams === undefined ? { stallAfterDeltas: 0 } : { gate: true };

test("killed while bytes flow, no operation costs anything, and each runs again", async () => {
  const account = await openAccount(site);
  script("flow", halfOf);
  const victim = await start();
  const flowing = new Set<OperationName>();
  const asked = askAll(victim, account, "flow", (operation, name) => ({
    idempotencyKey: name,
    onText: () => flowing.add(operation),
  }));
  const sent = await seenAt("flow");
  await eventually("bytes of every answer", async () =>
    sent.every(({ delivered }) => delivered.bytes > 0),
  );
  const streams = operationNames.filter((operation) => caseOf(operation).streams !== undefined);
  await eventually("streams that have begun", async () => flowing.size === streams.length);
  await victim.kill();
  const received = await Promise.all(asked);
  expect(received.filter(({ isComplete }) => isComplete)).toEqual([]);
  await awaitReaped(site, victim, account.id);
  expect(await expectPaid(account, "flow")).toEqual([]);
  await expectRepeated(account, "flow", []);
});

/** Every operation is answered by its upstream while the database gets nothing that is sent to it. */
async function askWithoutDatabase(victim: SpawnedServer, account: TestAccount, point: string) {
  script(point, { headGate: true });
  const asked = askKeyed(victim, account, point);
  const sent = await seenAt(point);
  proxy.pause("to-target");
  for (const name of namesAt(point)) site.upstream.open(name);
  await Promise.all(sent.map(({ ended }) => ended));
  return { asked };
}

test("killed between answer and charge, no operation costs anything, and each runs again", async () => {
  const account = await openAccount(site);
  const victim = await start();
  const { asked } = await askWithoutDatabase(victim, account, "lost");
  await victim.kill();
  proxy.cut();
  proxy.resume();
  expect((await asked).filter(({ isComplete }) => isComplete)).toEqual([]);
  await awaitReaped(site, victim, account.id);
  expect(await expectPaid(account, "lost")).toEqual([]);
  await expectRepeated(account, "lost", []);
});

test("killed between charge and answer, an operation is charged once and not made again", async () => {
  const account = await openAccount(site);
  // The first batch has the first charge; the second has those that waited meanwhile.
  const victim = await start("settle-committed:2");
  const { asked } = await askWithoutDatabase(victim, account, "paid");
  proxy.resume();
  await victim.exited;
  const received = await asked;
  await awaitReaped(site, victim, account.id);
  const paid = await expectPaid(account, "paid");
  expect(paid.length).toBeGreaterThan(1);
  const answered = operationNames.filter((_, index) => received[index]?.isComplete);
  expect(answered.filter((operation) => !paid.includes(operation))).toEqual([]);
  await expectRepeated(account, "paid", paid);
});
