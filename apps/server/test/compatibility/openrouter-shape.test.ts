// What OpenRouter's clients rely on beyond OpenAI's API, under `/api/v1`: who answered, a list of models without a key,
// the credits for a management key, and keys made for a member.
import { afterEach, describe, expect, test } from "bun:test";
import { dialectCatalog, dialects } from "../clients/over-dialects.ts";
import {
  asObject,
  at,
  expectCleanBooks,
  expectFault,
  type JsonObject,
  parseEvents,
  readJson,
  scripted,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { openManaged } from "../management/open-management.fixture.ts";

const { server, account } = await useServer(
  startTestServer({
    environment: { THROTTLE_SCALE: "1" },
    catalog: (baseUrl) =>
      dialectCatalog(baseUrl)
        .replace(
          "models:",
          `  - { id: down, baseUrl: "http://127.0.0.1:9/v1", apiKey: any }\nmodels:`,
        )
        .concat(`
  - id: over/second
    contextTokens: 100000
    maxOutputTokens: 10000
    capabilities: [tools]
    routes: [{ provider: down, model: m }, { provider: openai-like, model: m }]
    prices: { input: "1", output: "2" }
`),
  }),
);
afterEach(() => expectCleanBooks(server));

const open = (path: string, init: RequestInit = {}) => fetch(`${server.url}${path}`, init);
const ask = (path: string, key: string, body?: JsonObject, headers: Record<string, string> = {}) =>
  open(path, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const chunksOf = async (answer: Response) => {
  expect(answer.status).toBe(200);
  return parseEvents(await answer.text()).events;
};

describe.each(dialects)("over %s", (dialect) => {
  const body = { model: `over/${dialect}`, messages: [scripted({ deltas: 3 })] };

  test.each([
    ["/api/v1/chat/completions", body],
    ["/api/v1/completions", { model: body.model, prompt: "hello" }],
  ])("%s names its provider, whole and in every chunk", async (path, asked) => {
    const whole = await readJson(await ask(path, account.key, asked));
    expect(whole.provider).toBe(`${dialect}-like`);
    const chunks = await chunksOf(await ask(path, account.key, { ...asked, stream: true }));
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) expect(at(chunk, "provider")).toBe(`${dialect}-like`);
  });

  test("/v1 does not, unless the application names itself as to OpenRouter", async () => {
    const path = "/v1/chat/completions";
    expect(await readJson(await ask(path, account.key, body))).not.toHaveProperty("provider");
    for (const chunk of await chunksOf(await ask(path, account.key, { ...body, stream: true }))) {
      expect(chunk).not.toHaveProperty("provider");
    }
    const named = await ask(path, account.key, body, { "x-title": "My app" });
    expect((await readJson(named)).provider).toBe(`${dialect}-like`);
  });
});

test("the provider is the one that answered, not the one that was tried first", async () => {
  const body = { model: "over/second", messages: [scripted({ deltas: 2 })] };
  const whole = await readJson(await ask("/api/v1/chat/completions", account.key, body));
  expect(whole.provider).toBe("openai-like");
  const streamed = await ask("/api/v1/chat/completions", account.key, { ...body, stream: true });
  for (const chunk of await chunksOf(streamed)) expect(at(chunk, "provider")).toBe("openai-like");
});

test.each(["/models", "/models/count", "/models/over/openai/endpoints", "/providers"])(
  "GET /api/v1%s needs no key, and shows the same as with one",
  async (path) => {
    const free = await open(`/api/v1${path}`);
    expect(free.status).toBe(200);
    expect(await readJson(free)).toEqual(await readJson(await ask(`/v1${path}`, account.key)));
    expect((await open(`/v1${path}`)).status).toBe(401);
    const wrong = await ask(`/api/v1${path}`, "sk-tp-wrong");
    await expectFault(wrong, { status: 401, code: "invalid_api_key" });
  },
);

test("what is about a key still needs one", async () => {
  for (const path of ["/models/user", "/key", "/credits", "/generation?id=gen-1"]) {
    expect((await open(`/api/v1${path}`)).status).toBe(401);
  }
});

test("a management key reads the credits of its account, if it may read money", async () => {
  const managed = await openManaged(server);
  const [own, theirs] = [
    await readJson(await ask("/v1/credits", managed.key)),
    await readJson(await ask("/api/v1/credits", managed.managementKey)),
  ];
  expect(theirs).toEqual(own);
  expect(Number(at(theirs, "data.total_credits"))).toBeGreaterThan(0);
  const narrow = await openManaged(server, ["keys.read"]);
  const refused = await ask("/api/v1/credits", narrow.managementKey);
  expect([refused.status, at(await readJson(refused), "error.code")]).toEqual([
    403,
    "permission_denied",
  ]);
});

describe("POST /api/v1/keys", () => {
  test("takes the member who will own the key, by address or id, and the one workspace", async () => {
    const managed = await openManaged(server);
    for (const creator of [managed.email, managed.email.toUpperCase(), managed.personId, null]) {
      const body = { name: "for a member", creator_user_id: creator, workspace_id: "default" };
      const answer = await ask("/api/v1/keys", managed.managementKey, body);
      expect(answer.status).toBe(201);
      const made = asObject((await readJson(answer)).data);
      expect(made).toMatchObject({ creator_user_id: managed.email, workspace_id: "default" });
    }
  });

  test.each<[JsonObject, string]>([
    [{ creator_user_id: "nobody@example.com" }, "creator_user_id"],
    [{ creator_user_id: 7 }, "creator_user_id"],
    [{ workspace_id: "0df9e665-d932-5740-b2c7-b52af166bc11" }, "workspace_id"],
    [{ workspace_id: 1 }, "workspace_id"],
  ])("%j is refused with its name", async (fields, param) => {
    const managed = await openManaged(server);
    const answer = await ask("/api/v1/keys", managed.managementKey, { name: "x", ...fields });
    expect(answer.status).toBe(400);
    expect(at(await readJson(answer), "error.param")).toBe(param);
  });
});

// Last: it uses up what one network may ask.
test("those without a key are limited by their network, and those with one are not", async () => {
  const answers = await Promise.all(
    Array.from({ length: 120 }, () => open("/api/v1/models/count")),
  );
  const statuses = new Set(answers.map(({ status }) => status));
  expect([...statuses].toSorted()).toEqual([200, 429]);
  const limited = answers.find(({ status }) => status === 429);
  expect(Number(limited?.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await ask("/api/v1/models/count", account.key)).status).toBe(200);
});
