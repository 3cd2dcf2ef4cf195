// Requests that refer to items of earlier answers by id, over two instances: the item stands where its reference
// was, for the key that received it, and it is counted like any text. What is not kept is refused with advice.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import { itemNameBytes } from "../../src/answers/seal-answer.ts";
import {
  answerWith,
  asObject,
  at,
  expectCleanBooks,
  expectFault,
  type JsonObject,
  openAccount,
  readJson,
  readMoney,
  scriptText,
  startTestServer,
  testCatalog,
  testModels,
} from "../harness/index.ts";
import { awaitRequest, eventually } from "../money/read-requests.ts";
import { parseNamedEvents, postResponse } from "./post-responses.ts";

const server = await startTestServer({
  catalog: (baseUrl) =>
    testCatalog(baseUrl).replace("id: scripted,", "id: scripted, dataCollection: deny, zdr: true,"),
});
const twin = await startTestServer({ site: server });
const off = await startTestServer({ site: server, environment: { KEEP_OUTPUT_ITEMS: "false" } });
const account = await openAccount(server);
const other = await openAccount(server);
afterEach(() => expectCleanBooks(server));
afterAll(async () => {
  await Promise.all([twin.close(), off.close()]);
  await server.close();
});

const { sql } = server.owner;
const model = testModels.cheap;
const user = (content: string) => ({ role: "user", content });
const reference = (id: unknown) => ({ type: "item_reference", id });

type Asked = {
  readonly on?: { readonly baseUrl: string };
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const ask = (body: JsonObject, { on = server, key = account.key, headers = {} }: Asked = {}) =>
  postResponse(on, key, { body: { model, ...body }, headers });

/** The response object of a whole or streamed answer. */
async function responseOf(answer: Response): Promise<JsonObject> {
  expect(answer.status).toBe(200);
  const text = await answer.text();
  if (text.startsWith("{")) return asObject(JSON.parse(text));
  return asObject(parseNamedEvents(text).at(-1)?.response);
}

const say = async (text: string, fields: JsonObject = {}, how: Asked = {}) => {
  answerWith(server, { text });
  return responseOf(await ask({ input: "hi", ...fields }, how));
};
const idOf = (response: JsonObject) => String(at(response, "output.0.id"));
const turn = (id: unknown) => ({ input: [user("hi"), reference(id), user("and?")] });
const lastMessages = () => at(server.upstream.requests.at(-1)?.parsed, "messages");
/** The names of all kept items. A purge may remove some at any time, so tests look for new ones. */
const listItems = async () => {
  const rows = await sql`
    select encode(id, 'hex') as name from stored_answers where octet_length(id) = ${itemNameBytes}`;
  return rows.map(({ name }) => String(name));
};
const itemsSince = async (before: readonly string[]) =>
  (await listItems()).filter((name) => !before.includes(name));
const notFound = { status: 404, type: "invalid_request_error", code: "not_found", param: "input" };

describe.each([false, true])("stream: %p", (stream) => {
  test("an item is resolved on another instance as soon as its answer ends", async () => {
    const first = await say("It is clear.", { stream });
    expect(first.items_kept).toBe(true);
    const second = await ask({ ...turn(idOf(first)), stream }, { on: twin });
    expect((await responseOf(second)).status).toBe("completed");
    expect(lastMessages()).toEqual([
      user("hi"),
      { role: "assistant", content: "It is clear." },
      user("and?"),
    ]);
  });

  test.each<[string, JsonObject]>([
    ["store: false", { store: false }],
    ["data_collection: deny", { provider: { data_collection: "deny" } }],
    ["zdr", { provider: { zdr: true } }],
  ])("with %s nothing is stored, and the response says so", async (_, fields) => {
    const before = await listItems();
    expect((await say("Private.", { stream, ...fields })).items_kept).toBe(false);
    expect(await itemsSince(before)).toEqual([]);
  });

  test("an answer that breaks off or fails leaves nothing", async () => {
    const before = await listItems();
    const scripts: Script[] = [
      { deltas: 5, cutAfterDeltas: 2 },
      { status: 400, error: "No." },
    ];
    for (const script of scripts) {
      server.upstream.script(() => script);
      await (await ask({ input: "hi", stream })).text();
    }
    expect(await itemsSince(before)).toEqual([]);
  });

  test("one that the limit cut can be referred to", async () => {
    answerWith(server, { deltas: 9 });
    const cut = await responseOf(await ask({ input: "hi", stream, max_output_tokens: 2 }));
    expect(cut.status).toBe("incomplete");
    expect((await ask(turn(idOf(cut)))).status).toBe(200);
  });

  test("items that could not be stored do not fail the call; the response says so", async () => {
    await sql`alter table stored_answers rename to stored_answers_away`;
    let response: JsonObject;
    try {
      response = await say("Lost.", { stream });
    } finally {
      await sql`alter table stored_answers_away rename to stored_answers`;
    }
    expect([response.status, response.items_kept]).toEqual(["completed", false]);
    const refused = await ask(turn(idOf(response)));
    const error = await expectFault(refused, notFound);
    expect(error.message).toContain("store: false");
  });

  test.each([
    ["idempotency-key", "idempotent-replayed", "true"],
    ["x-openrouter-cache", "x-openrouter-cache-status", "HIT"],
  ])(
    "items of an answer that %s repeats can be referred to again, unless it says otherwise",
    async (name, said, value) => {
      const headers = { [name]: name === "idempotency-key" ? `repeat ${stream}` : "true" };
      const input = `repeated ${name} ${stream}`;
      const countAnswers = async () =>
        (
          await sql`select 1 from stored_answers
                  where octet_length(id) < ${itemNameBytes} and sealed is not null`
        ).length;
      const before = await countAnswers();
      const first = await say("Once.", { input, stream }, { headers });
      // A stream is kept after its last byte.
      await eventually("the answer to be kept", async () => (await countAnswers()) > before);
      await sql`delete from stored_answers where octet_length(id) = ${itemNameBytes}`;
      // As if the operator had turned it off since.
      const unkept = await responseOf(await ask({ input, stream }, { headers, on: off }));
      expect([first.items_kept, unkept.items_kept, (await listItems()).length]).toEqual([
        true,
        false,
        0,
      ]);
      const again = await ask({ input, stream }, { headers });
      expect(again.headers.get(said)).toBe(value);
      const repeated = await responseOf(again);
      expect([idOf(unkept), idOf(repeated)]).toEqual([idOf(first), idOf(first)]);
      expect(repeated.items_kept).toBe(true);
      expect((await ask(turn(idOf(first)))).status).toBe(200);
    },
  );
});

test("an answer whose client disconnects leaves nothing, also where the upstream call continues", async () => {
  const before = await listItems();
  const [tag, name] = ["left", "left early"];
  server.upstream.script(() => ({ tag, deltas: 3, gate: true }));
  const client = new AbortController();
  // What an image costs is known at the end only.
  const image = { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" };
  const input = [{ role: "user", content: [image] }];
  const body = { model: testModels.vision, input, stream: true };
  const { signal } = client;
  const answer = await postResponse(server, account.key, { body, name, signal });
  await answer.body?.getReader().read();
  client.abort();
  await eventually("the server to notice", async () => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    return metrics.includes("turnpike_background_calls 1");
  });
  server.upstream.open(tag);
  const row = await awaitRequest(server, name);
  expect([row.outcome, row.usageSource]).toEqual(["client_closed", "upstream"]);
  expect(await itemsSince(before)).toEqual([]);
});

test("another key's item is as unknown as one that never was, and nothing is called or charged", async () => {
  const id = idOf(await say("Mine."));
  const before = await readMoney(server, other.id);
  const calls = server.upstream.requests.length;
  const told: string[] = [];
  for (const asked of [id, "msg_never"]) {
    const { message } = await expectFault(await ask(turn(asked), { key: other.key }), notFound);
    told.push(String(message).replace(asked, "ID"));
  }
  expect(told[0]).toBe(told[1]);
  expect(told[0]).toMatch(/^Item with id 'ID' not found\./);
  expect(server.upstream.requests).toHaveLength(calls);
  expect(await readMoney(server, other.id)).toEqual(before);
});

test("an expired item is unknown", async () => {
  const id = idOf(await say("Old."));
  await sql`update stored_answers set expires_at = now()`;
  await expectFault(await ask(turn(id)), notFound);
});

test("a conversation of references costs what one of whole items costs, also by estimate", async () => {
  const text = "word ".repeat(2_000);
  const id = idOf(await say(text));
  const whole = { input: [user("hi"), { role: "assistant", content: text }, user("and?")] };
  const estimate = async (body: JsonObject) =>
    readJson(
      await fetch(`${server.baseUrl}/estimate`, {
        method: "POST",
        headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
        body: JSON.stringify({ model, ...body }),
      }),
    );
  const estimated = await estimate(turn(id));
  expect(Number(estimated.prompt_tokens)).toBeGreaterThan(2_000);
  expect(estimated).toMatchObject({
    prompt_tokens: (await estimate(whole)).prompt_tokens,
    max_cost: (await estimate(whole)).max_cost,
  });
  const charged = async (body: JsonObject) => {
    const input = [...(Array.isArray(body.input) ? body.input : [])];
    input.push(user(scriptText({ deltas: 1 })));
    return at(await responseOf(await ask({ input })), "usage.cost");
  };
  expect(await charged(turn(id))).toBe(await charged(whole));
});

test("a few bytes of references cannot become more than a body may have", async () => {
  const id = idOf(await say("x".repeat(900_000)));
  const input = Array.from({ length: 2_000 }, () => reference(id));
  const calls = server.upstream.requests.length;
  const refused = await ask({ input: [...input, user("and?")] });
  const { message } = await expectFault(refused, {
    status: 413,
    code: "request_too_large",
    param: "input",
  });
  expect(message).toContain("20 MiB");
  expect(server.upstream.requests).toHaveLength(calls);
});

test("an account whose room is full is answered, and refers to nothing new", async () => {
  const full = await openAccount(server);
  await sql.begin(async (all) => {
    await all`set local statement_timeout = 0`;
    await all`
    insert into stored_answers
           (id, account_id, request_hash, generation_id, instance_id, expires_at, finished_at, sealed)
    select substr(sha256(${full.id}::bytea) || 'xx'::bytea, 1, ${itemNameBytes}), ${full.id}, '',
           gen_random_uuid(), gen_random_uuid(), now() + interval '1 hour', now(),
           convert_to(repeat('x', ${128 * 1024 * 1024}::int), 'UTF8')`;
  });
  const response = await say("No room.", {}, { key: full.key });
  expect([response.status, response.items_kept]).toEqual(["completed", false]);
  await expectFault(await ask(turn(idOf(response)), { key: full.key }), notFound);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toMatch(/turnpike_output_items_not_kept_total\{reason="full"\} 1/);
});

test("calls and reasoning are resolved like text; reasoning that is unknown is omitted", async () => {
  const call = { name: "f", arguments: "{}" };
  answerWith(server, { reasoning: 1, text: "Let me see.", toolCalls: [call] });
  const tools = [{ type: "function", name: "f" }];
  const { output } = await responseOf(await ask({ input: "hi", tools }));
  const items = (Array.isArray(output) ? output : []).map(asObject);
  expect(items.map(({ type }) => type)).toEqual(["reasoning", "message", "function_call"]);
  const result = { type: "function_call_output", call_id: items[2]?.call_id, output: "ok" };
  const input = [
    user("hi"),
    reference("rs_never"),
    ...items.map(({ id }) => reference(id)),
    result,
  ];
  expect((await ask({ input, tools })).status).toBe(200);
  expect(lastMessages()).toMatchObject([
    user("hi"),
    {
      role: "assistant",
      content: "Let me see.",
      reasoning_details: [{ text: " tok" }],
      tool_calls: [{ function: call }],
    },
    { role: "tool", content: "ok" },
  ]);
});

test("a server that keeps nothing says so, and refuses references with the same advice", async () => {
  const before = await listItems();
  const response = await say("Not kept.", { stream: true }, { on: off });
  expect([response.status, response.items_kept]).toEqual(["completed", false]);
  expect(await itemsSince(before)).toEqual([]);
  const { message } = await expectFault(await ask(turn(idOf(response)), { on: off }), notFound);
  expect(message).toContain("store: false");
  const body = { input: [reference("rs_1"), user("hi")] };
  expect((await ask(body, { on: off })).status).toBe(200);
});
