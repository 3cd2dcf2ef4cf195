// Clients that disconnect from every operation at once, and upstreams that break off in the middle of one: each row of the exit
// table of docs/billing.md for each operation. Nobody pays for what no one made, and nobody pays less for leaving early.
import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import { expectCleanBooks, openAccount, startTestServer } from "../harness/index.ts";
import { type OperationName, operationNames } from "./ask-operation.ts";
import { sweptCatalog } from "./operation-cases.ts";
import { awaitRequest, eventually, type RequestRow } from "./read-requests.ts";
import { caseOf, namesAt, openSweep } from "./sweep-operations.ts";

setDefaultTimeout(180_000);

const server = await startTestServer({ catalog: sweptCatalog });
const { background } = server.services.gateway;
const { script, askAll, seenAt, priceOf } = await openSweep(server, server);
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

type Charge = "nothing" | "part" | "price";
type Charges = readonly (readonly [OperationName, Charge])[];
const isChatStream = (operation: OperationName) =>
  operation === "chat stream" || operation === "Gemini's streamGenerateContent";

/** What each was charged, in words. */
async function chargesAt(point: string): Promise<Charges> {
  const rows = await Promise.all(namesAt(point).map((name) => awaitRequest(server, name)));
  return operationNames.map((operation, index) => [operation, describe(operation, rows[index])]);
}

function describe(operation: OperationName, row: RequestRow | undefined): Charge {
  const { chargedNanos: charged, heldNanos, shortfallNanos } = row ?? missing(operation);
  // The prompt of a chat that is cut is counted by a bound.
  expect(charged).toBeLessThanOrEqual(isChatStream(operation) ? heldNanos : priceOf(operation));
  expect(shortfallNanos).toBe(0n);
  if (charged === priceOf(operation)) return "price";
  return charged === 0n ? "nothing" : "part";
}

function missing(operation: OperationName): never {
  throw new Error(`${operation} has no row`);
}

/** Free ones cost nothing, which is also their price. */
const expected = (of: (operation: OperationName) => Charge): Charges =>
  operationNames.map((operation) => [
    operation,
    caseOf(operation).isFree === true ? "price" : of(operation),
  ]);

/** Every client disconnects once `given` holds its upstream at a gate, and each call that can goes on without it. */
async function leaveAll(point: string, given: Script): Promise<void> {
  const account = await openAccount(server);
  script(point, given);
  const leaving = new AbortController();
  const begun = new Set<OperationName>();
  const fieldsOf = (operation: OperationName) => ({
    signal: leaving.signal,
    onText: () => begun.add(operation),
  });
  const asked = askAll(server, account, point, fieldsOf);
  const sent = await seenAt(point);
  const streams = operationNames.filter((operation) => caseOf(operation).streams !== undefined);
  if (given.gate === true) {
    await eventually("every stream to begin", async () => begun.size === streams.length);
  }
  leaving.abort();
  const received = await Promise.all(asked);
  expect(received.filter(({ isComplete }) => isComplete)).toEqual([]);
  const cut = given.gate === true ? operationNames.filter(isChatStream).length : 0;
  await eventually(
    "all others to go on",
    async () => background.running === operationNames.length - cut,
  );
  for (const name of namesAt(point)) server.upstream.open(name);
  await Promise.all(sent.map(({ ended }) => ended));
}

test("a client that leaves before the status line pays the price, and of a chat's stream, which is cut, the prompt", async () => {
  await leaveAll("early", { headGate: true });
  expect(await chargesAt("early")).toEqual(
    expected((operation) => (isChatStream(operation) ? "part" : "price")),
  );
  const rows = await Promise.all(namesAt("early").map((name) => awaitRequest(server, name)));
  expect(rows.filter(({ outcome }) => outcome !== "client_closed")).toEqual([]);
});

test("a client that leaves a stream in its middle pays the price, and of a chat's what it got", async () => {
  await leaveAll("middle", { gate: true });
  expect(await chargesAt("middle")).toEqual(
    expected((operation) => (isChatStream(operation) ? "part" : "price")),
  );
});

test("a client that left pays nothing for what an upstream then refuses", async () => {
  await leaveAll("refused", { headGate: true, status: 500 });
  expect(await chargesAt("refused")).toEqual(expected(() => "nothing"));
});

/** What has come is paid for where it is of use without the rest. */
const isSoldInParts = (operation: OperationName) => caseOf(operation).streams === "charged";

test("an upstream that breaks off half way is paid for what it delivered of a stream, and for nothing else", async () => {
  const account = await openAccount(server);
  script("halves", { cutAfterDeltas: 1 });
  const received = await Promise.all(askAll(server, account, "halves"));
  expect(received.filter(({ isComplete }) => isComplete)).toEqual([]);
  expect(await chargesAt("halves")).toEqual(
    expected((operation) => (isSoldInParts(operation) ? "part" : "nothing")),
  );
});

test("the same is paid by a client that had left, and for a whole chat, whose usage is unknown, at most its hold", async () => {
  await leaveAll("lefthalf", { headGate: true, cutAfterDeltas: 1 });
  const rows = await Promise.all(namesAt("lefthalf").map((name) => awaitRequest(server, name)));
  for (const row of rows) expect(row.chargedNanos).toBeLessThanOrEqual(row.heldNanos);
  const free = operationNames.filter((_, index) => rows[index]?.chargedNanos === 0n);
  const isLost = (operation: OperationName) =>
    !isSoldInParts(operation) && operation !== "chat" && operation !== "Gemini's generateContent";
  expect(free).toEqual(operationNames.filter(isLost));
});
