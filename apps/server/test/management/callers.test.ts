// Which app made a request and whom it called for, over every paid endpoint: recorded, found by a filter, grouped by.
import { expect, test } from "bun:test";
import { formatUsd, parseUsd, toNanos, zeroNanos } from "@turnpike/terms";
import {
  at,
  getPath,
  type JsonObject,
  openAccount,
  readJson,
  scripted,
  scriptText,
  startTestServer,
  testModels,
  useServer,
  waitForSettled,
} from "../harness/index.ts";
import { eventually } from "../money/read-requests.ts";
import { readDescription } from "./expect-described.fixture.ts";
import { ask, type Managed, openManaged } from "./open-management.fixture.ts";

const { server } = await useServer(startTestServer());
const expectDescribed = await readDescription(server);

const script = { deltas: 2 };
const messages = [scripted(script)];
const { cheap, anthropic, embeddings } = testModels;

/** A POST below `/v1`; `x-title` is the app. */
async function post(
  key: string,
  path: string,
  body: JsonObject,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  const response = await fetch(`${server.baseUrl}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}`, ...headers },
    body: JSON.stringify(body),
  });
  await response.clone().text();
  return response;
}

async function listRequests(account: Managed, query: string): Promise<readonly JsonObject[]> {
  const asked = await ask(server, account.managementKey, `GET /management/requests?${query}`);
  expectDescribed("GET /management/requests", asked);
  return Object.values(at(asked.body, "data") ?? {});
}

const byMessages = { max_tokens: 50, messages, metadata: { user_id: "ada" } };

test.each<[string, JsonObject]>([
  ["/chat/completions", { model: cheap, messages, user: "ada" }],
  ["/chat/completions", { model: cheap, messages, user: "ada", stream: true }],
  ["/completions", { model: cheap, prompt: scriptText(script), user: "ada" }],
  ["/responses", { model: cheap, input: scriptText(script), user: "ada" }],
  ["/responses", { model: cheap, input: scriptText(script), safety_identifier: "ada" }],
  ["/messages", { model: cheap, ...byMessages }],
  ["/messages", { model: anthropic, ...byMessages, stream: true }],
  ["/embeddings", { model: embeddings, input: "a", user: "ada" }],
  // Refused after its body was read.
  ["/chat/completions", { model: "test/unknown", messages, user: "ada" }],
])("a request to %s has its app and its user: %j", async (path, body) => {
  const account = await openManaged(server);
  const referer = "https://notes.example.com/a/page?of=ada";
  const response = await post(account.key, path, body, { "http-referer": referer });
  expect(response.status).toBe(body.model === "test/unknown" ? 404 : 200);
  const caller = { app: "notes.example.com", user: "ada" };
  const [row] = await eventually("the row of the request", async () => {
    const rows = await listRequests(account, "app=notes.example.com&user=ada");
    return rows.length > 0 ? rows : undefined;
  });
  expect(row).toMatchObject(caller);
  expect(await listRequests(account, "user=notes.example.com")).toEqual([]);
  for (const name of ["app", "user", "app,user"]) {
    expect(await listRequests(account, `without=${name}`)).toEqual([]);
  }
  expect(await listRequests(account, "app=ada")).toEqual([]);
  const detail = await ask(server, account.managementKey, `GET /management/requests/${row?.id}`);
  expectDescribed("GET /management/requests/{id}", detail);
  expect(detail.body).toMatchObject(caller);
  const generation = await readJson(
    await getPath(server, account.key, `/generation?id=${row?.id}`),
  );
  expect(generation.data).toMatchObject({ app: caller.app, external_user: "ada" });
});

test("an answer from the cache has the app of its own call, and its user", async () => {
  const account = await openManaged(server);
  const body = { model: cheap, messages, user: "ada" };
  const cached = { "x-openrouter-cache": "true" };
  for (const title of ["First", "Second"]) {
    await post(account.key, "/chat/completions", body, { ...cached, "x-title": title });
  }
  const [hit] = await eventually("the row of the hit", async () => {
    const rows = await listRequests(account, "user=ada&app=Second");
    return rows.length > 0 ? rows : undefined;
  });
  expect(hit).toMatchObject({ cost_usd: "0", app: "Second", user: "ada" });
  expect(hit?.cached_from).not.toBeNull();
});

test("what callers choose as names is stored as it is, in any batch, and found again", async () => {
  const account = await openManaged(server);
  const users = [
    `'; drop table "x"; --`,
    "{a,b}\\",
    "line\nbreak",
    "Zoë 😀",
    "😀".repeat(65),
    `a${"😀".repeat(64)}`,
  ];
  const answers = await Promise.all(
    users.map((user) =>
      post(account.key, "/chat/completions", { model: cheap, messages, user }, {}),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(users.map(() => 200));
  const refused = { model: cheap, messages, user: "a\0b" };
  expect((await post(account.key, "/chat/completions", refused, {})).status).toBe(400);
  await waitForSettled(server);
  for (const user of users) {
    // Nor does half of a character fail the batch.
    const recorded = user.slice(0, 128).toWellFormed();
    const rows = await listRequests(account, `user=${encodeURIComponent(recorded)}`);
    expect(rows.map((row) => row.user)).toEqual([recorded]);
  }
});

test("usage by app and user comes in pages of exact costs, and has those of no other account", async () => {
  const [account, other] = [await openManaged(server), await openAccount(server)];
  const calls = [
    ["Notes", "ada"],
    ["Notes", "ada"],
    ["Notes", "bob"],
    ["Mail", undefined],
  ] as const;
  for (const [title, user] of calls) {
    for (const { key } of [account, other]) {
      const body = { model: cheap, messages, ...(user && { user }) };
      await post(key, "/chat/completions", body, { "x-openrouter-title": title });
    }
  }
  await waitForSettled(server);
  const instant = (ms: number) => new Date(Date.now() + ms).toISOString();
  const path = `GET /management/usage?from=${instant(-3_600_000)}&to=${instant(3_600_000)}`;
  const found: unknown[] = [];
  let sum = zeroNanos;
  let cursor: unknown = "";
  let page: JsonObject = {};
  while (cursor !== null) {
    const more = cursor === "" ? "" : `&cursor=${cursor}`;
    const asked = await ask(
      server,
      account.managementKey,
      `${path}&group_by=app,model,user&limit=1${more}`,
    );
    expectDescribed("GET /management/usage", asked);
    page = asked.body;
    const group = Object.values(at(page, "data.0.group") ?? {});
    found.push([...group.map((one) => at(one, "label")), at(page, "data.0.requests")]);
    sum = toNanos(sum + (parseUsd(String(at(page, "data.0.cost_usd"))) ?? zeroNanos));
    cursor = page.next_cursor;
  }
  expect(found).toEqual([
    ["Mail", cheap, "(none)", 1],
    ["Notes", cheap, "ada", 2],
    ["Notes", cheap, "bob", 1],
  ]);
  expect(at(page, "total.requests")).toBe(4);
  expect(formatUsd(sum)).toBe(String(at(page, "total.cost_usd")));
  const long = `GET /management/usage?from=${instant(-32 * 86_400_000)}&to=${instant(0)}`;
  const refused = await ask(server, account.managementKey, `${long}&group_by=app`);
  expect([refused.status, at(refused.body, "error.param")]).toEqual([400, "from"]);
  expect(at(refused.body, "error.message")).toContain("at most 31 days");
  expect((await ask(server, account.managementKey, `${long}&group_by=model`)).status).toBe(200);
});

test("requests that were sent without an app or a user are found", async () => {
  const account = await openManaged(server);
  const send = async (headers: Readonly<Record<string, string>>, body: JsonObject) => {
    const sent = await post(
      account.key,
      "/chat/completions",
      { model: cheap, messages, ...body },
      headers,
    );
    expect(sent.status).toBe(200);
  };
  await send({ "x-title": "notes" }, {});
  await send({}, { user: "ada" });
  await send({}, {});
  await waitForSettled(server);
  const find = async (query: string) =>
    (await listRequests(account, query)).map(({ app, user }) => [app, user]);
  await eventually("all three rows", async () => (await find("")).length === 3);
  expect(await find("without=app")).toEqual([
    [null, null],
    [null, "ada"],
  ]);
  expect(await find("without=user")).toEqual([
    [null, null],
    ["notes", null],
  ]);
  expect(await find("without=app,user")).toEqual([[null, null]]);
});
