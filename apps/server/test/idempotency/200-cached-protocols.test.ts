// A hit of the response cache in every protocol: the first answer again, with the hit's own id and a
// usage of zero, because the hit is free.
import { expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import { cacheNameBytes } from "../../src/answers/seal-answer.ts";
import {
  asObject,
  type JsonObject,
  scripted,
  scriptText,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";

const { server, account } = await useServer(startTestServer());

const script: Script = { deltas: 3, reasoning: 2 };
const text = scriptText(script);
const messages = [scripted(script)];
const includeUsage = { stream_options: { include_usage: true } };

type Case = {
  readonly path: string;
  readonly model: string;
  readonly body: JsonObject;
  /** The prefix of the id in its body; undefined if it has none. */
  readonly prefix?: string;
  /** In addition to `stream`; undefined if nothing is streamed. */
  readonly streamed?: JsonObject;
};

const { cheap, anthropic, embeddings } = testModels;
const contents = [{ parts: [{ text }] }];
const asked = { max_tokens: 50, messages };
const cases: readonly Case[] = [
  {
    path: "/chat/completions",
    model: cheap,
    body: { messages },
    prefix: "chatcmpl-",
    streamed: includeUsage,
  },
  {
    path: "/completions",
    model: cheap,
    body: { prompt: text },
    prefix: "cmpl-",
    streamed: includeUsage,
  },
  { path: "/responses", model: cheap, body: { input: text }, prefix: "resp_", streamed: {} },
  { path: "/messages", model: cheap, body: asked, prefix: "msg_", streamed: {} },
  { path: "/messages", model: anthropic, body: asked, prefix: "msg_", streamed: {} },
  { path: `/models/${cheap}:generateContent`, model: cheap, body: { contents }, prefix: "gen-" },
  ...["?alt=sse", ""].map((query) => ({
    path: `/models/${cheap}:streamGenerateContent${query}`,
    model: cheap,
    body: { contents },
    prefix: "gen-",
  })),
  { path: "/embeddings", model: embeddings, body: { input: "a" }, prefix: "gen-" },
];
const rows = cases.flatMap(({ streamed, ...one }) => [
  { ...one, way: "whole" },
  ...(streamed === undefined
    ? []
    : [{ ...one, way: "streamed", body: { ...one.body, ...streamed, stream: true } }]),
]);

/** A whole answer, or the events of a stream. */
function objectsOf(answer: string): JsonObject[] {
  if (answer.startsWith("[")) return JSON.parse(answer).map(asObject);
  if (answer.startsWith("{")) return [asObject(JSON.parse(answer))];
  return [...answer.matchAll(/^data: (\{.*)$/gm)].map(([, json = ""]) =>
    asObject(JSON.parse(json)),
  );
}

/** The answer objects in events, which have the id and the usage. */
const answersOf = (objects: readonly JsonObject[]) =>
  objects.map((event) => asObject(event.response ?? event.message ?? event));
const idsOf = (objects: readonly JsonObject[]) =>
  answersOf(objects).flatMap(({ responseId, id = responseId }) => (id === undefined ? [] : [id]));

function countsOf(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(countsOf) : [];
}
const usageCounts = (objects: readonly JsonObject[]) =>
  answersOf(objects).flatMap(({ usageMetadata, usage = usageMetadata }) => countsOf(usage));

const stamps = [
  "id",
  "usage",
  "created",
  "created_at",
  "completed_at",
  "responseId",
  "usageMetadata",
  "createTime",
];

/** Its content without its ids, times and usage. */
const saidIn = (objects: readonly JsonObject[]) =>
  JSON.parse(JSON.stringify(objects, (name, value) => (stamps.includes(name) ? null : value)));

const countKept = async () => {
  const [row] = await server.owner.sql`
    select count(*)::int as kept from stored_answers where octet_length(id) = ${cacheNameBytes}`;
  return Number(row?.kept);
};

test.each(rows)("$path, $way, of $model", async ({ path, model, body, prefix, way }) => {
  const ask = () =>
    fetch(`${server.baseUrl}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${account.key}`,
        "content-type": "application/json",
        "x-openrouter-cache": "true",
      },
      body: JSON.stringify({ model, ...body }),
    });
  const keptBefore = await countKept();
  const first = await ask();
  expect(first.headers.get("x-openrouter-cache-status")).toBe("MISS");
  const firstObjects = objectsOf(await first.text());
  expect(firstObjects.length).toBeGreaterThan(way === "whole" ? 0 : 2);
  // A stream is kept after its last byte.
  await eventually("the answer to be kept", async () => (await countKept()) === keptBefore + 1);

  const hit = await ask();
  expect(hit.headers.get("x-openrouter-cache-status")).toBe("HIT");
  const hitText = await hit.text();
  const hitObjects = objectsOf(hitText);
  expect(saidIn(hitObjects)).toEqual(saidIn(firstObjects));

  const ownId = `${prefix}${hit.headers.get("x-generation-id")?.replace("gen-", "")}`;
  expect(new Set(idsOf(hitObjects))).toEqual(new Set(prefix === undefined ? [] : [ownId]));
  expect(idsOf(hitObjects)).toHaveLength(idsOf(firstObjects).length);
  expect(idsOf(firstObjects)).not.toContain(ownId);

  expect(Math.max(...usageCounts(firstObjects))).toBeGreaterThan(0);
  expect(usageCounts(hitObjects)).toHaveLength(usageCounts(firstObjects).length);
  expect(new Set(usageCounts(hitObjects))).toEqual(new Set([0]));
});

test("a caller who expects the usage of a stream is not given one that was kept without it", async () => {
  const body = JSON.stringify({ model: cheap, messages: [scripted({ deltas: 2 })], stream: true });
  const ask = async (path: string, more: Record<string, string> = {}) => {
    const headers = {
      authorization: `Bearer ${account.key}`,
      "content-type": "application/json",
      "x-openrouter-cache": "true",
    };
    const url = server.baseUrl.replace("/v1", `${path}/chat/completions`);
    const answer = await fetch(url, { method: "POST", headers: { ...headers, ...more }, body });
    const status = answer.headers.get("x-openrouter-cache-status");
    return { status, objects: objectsOf(await answer.text()) };
  };
  const keptBefore = await countKept();
  const plain = await ask("/v1");
  expect(usageCounts(plain.objects)).toEqual([]);
  await eventually("the answer to be kept", async () => (await countKept()) === keptBefore + 1);
  const named = await ask("/v1", { "x-title": "Ferry" });
  expect(named.status).toBe("MISS");
  expect(Math.max(...usageCounts(named.objects))).toBeGreaterThan(0);
  await eventually("the second to be kept", async () => (await countKept()) === keptBefore + 2);
  const atOpenRouter = await ask("/api/v1");
  expect(atOpenRouter.status).toBe("HIT");
  expect(usageCounts(atOpenRouter.objects)).toHaveLength(usageCounts(named.objects).length);
});
