// The rows of docs/billing.md for images, reranking and moderations: a client that disconnects pays for what the provider
// makes all the same, and what a provider fails to make costs nothing.
import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import {
  expectCleanBooks,
  openAccount,
  postJson,
  startTestServer,
  testModels,
} from "../harness/index.ts";
import { awaitRequest, eventually, type RequestRow } from "./read-requests.ts";

setDefaultTimeout(120_000);

const server = await startTestServer();
const account = await openAccount(server);
afterAll(() => server.close());
afterEach(() => expectCleanBooks(server));

const operations = {
  image: (text: string) => ({
    path: "/images/generations",
    body: { model: testModels.imagePiece, prompt: text, size: "1024x1024", n: 2 },
    costNanos: 80_000_000n,
  }),
  rerank: (text: string) => ({
    path: "/rerank",
    body: { model: testModels.rerank, query: text, documents: ["one", "two"] },
    costNanos: 2_000_000n,
  }),
  moderation: (text: string) => ({
    path: "/moderations",
    body: { model: testModels.moderation, input: text },
    costNanos: 0n,
  }),
} as const;

const names = ["image", "rerank", "moderation"] as const;

type Call = {
  readonly operation: (typeof names)[number];
  readonly name: string;
  readonly script: object;
  readonly signal?: AbortSignal;
};

/** The text of its request is the script of the upstream. */
function send({ operation, name, script, signal }: Call) {
  const text = `rocks #script ${JSON.stringify({ tag: name, ...script })}`;
  const { path, body, costNanos } = operations[operation](text);
  const init = { headers: { "user-agent": name }, ...(signal && { signal }) };
  return { costNanos, response: postJson(server, account.key, path, body, init) };
}

test.each(names)("%s goes on without its client, and is billed as reported", async (operation) => {
  const { background } = server.services.gateway;
  const controller = new AbortController();
  const name = `leaves-${operation}`;
  const script = { headGate: true };
  const { costNanos, response } = send({ operation, name, script, signal: controller.signal });
  const answer = response.catch((error: unknown) => error);
  await server.upstream.waitFor((request) => request.tag === name);
  controller.abort();
  expect(await answer).toBeInstanceOf(Error);
  await eventually("the call to run in the background", async () => background.running > 0);
  server.upstream.open(name);
  const row: RequestRow = await awaitRequest(server, name);
  expect(row).toMatchObject({ outcome: "client_closed", status: 499, chargedNanos: costNanos });
});

test.each(names)("%s costs nothing if its provider fails", async (operation) => {
  const name = `fails-${operation}`;
  const { response } = send({ operation, name, script: { status: 400, error: "no" } });
  expect((await response).status).toBeGreaterThanOrEqual(400);
  const row = await awaitRequest(server, name);
  expect(row).toMatchObject({ chargedNanos: 0n, shortfallNanos: 0n });
});

test("fewer images than were asked for are billed as they are", async () => {
  const name = "fewer";
  const { response } = send({ operation: "image", name, script: { images: 1 } });
  expect((await response).status).toBe(200);
  expect(await awaitRequest(server, name)).toMatchObject({ chargedNanos: 40_000_000n });
});
