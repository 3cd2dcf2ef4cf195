// A new field of requests is a row of the table of request fields: with nothing else, it is checked, sent under the name
// that a provider has for it, ignored or refused elsewhere, routed by, listed and published.
import { afterAll, expect, mock, test } from "bun:test";
import { join } from "node:path";

const fields = join(import.meta.dirname, "../../../../packages/wire/src/fields");
const { decimal, boolean } = await import(`${fields}/../checks/check-value.ts`);

const newFields = {
  warmth: {
    rule: "preference",
    of: { chat: { check: decimal(0, 3) } },
    // A name that the scripted upstream knows.
    to: { gemini: "topK" },
    listed: "always",
    schema: { description: "How warm the answer is.", type: ["number", "null"] },
  },
  hush: {
    rule: "pass",
    of: { chat: { check: boolean } },
    asksForNothing: (value: unknown) => value === false,
  },
};

const { serviceFields } = await import(`${fields}/service-fields.ts`);
mock.module(`${fields}/service-fields.ts`, () => ({
  serviceFields: { ...serviceFields, ...newFields },
}));
const harness = await import("../harness/index.ts");
const { at, getPath, openAccount, postChat, readJson, startTestServer } = harness;

const server = await startTestServer({
  catalog: (baseUrl) => `
providers:
  - { id: openai-like, baseUrl: "${baseUrl}", apiKey: k }
  - { id: claude, kind: anthropic, baseUrl: "${baseUrl}", apiKey: k }
  - { id: gemini, kind: google, baseUrl: "${baseUrl}beta", apiKey: k }
models:
${["openai-like", "claude", "gemini"]
  .map(
    (provider) => `
  - id: listed/${provider}
    contextTokens: 100000
    maxOutputTokens: 10000
    routes: [{ provider: ${provider}, model: up }]
    prices: { input: "1", output: "2" }`,
  )
  .join("")}
`,
});
const account = await openAccount(server);
afterAll(() => server.close());

type Provider = "openai-like" | "claude" | "gemini";

async function ask(provider: Provider, asked: object) {
  const answer = await postChat(server, account.key, {
    model: `listed/${provider}`,
    messages: [{ role: "user", content: "Hello" }],
    ...asked,
  });
  const body = await readJson(answer);
  return {
    status: answer.status,
    ignored: answer.headers.get("x-turnpike-ignored"),
    error: at(body, "error.message"),
    param: at(body, "error.param"),
    sent: JSON.parse(server.upstream.requests.at(-1)?.body ?? "{}"),
  };
}

test("its values are checked, by the name that the caller gave it", async () => {
  expect(await ask("openai-like", { warmth: 4 })).toMatchObject({ status: 400, param: "warmth" });
  expect(await ask("openai-like", { hush: "yes" })).toMatchObject({ status: 400, param: "hush" });
});

test("it is sent as it is in its own language, and translated where the row has a name", async () => {
  expect(await ask("openai-like", { warmth: 2, hush: true })).toMatchObject({
    status: 200,
    ignored: null,
    sent: { warmth: 2, hush: true },
  });
  expect(await ask("gemini", { warmth: 2 })).toMatchObject({
    status: 200,
    ignored: null,
    sent: { generationConfig: { topK: 2 } },
  });
});

test("where the row has no name, a preference is ignored and anything else refused", async () => {
  const { sent, ...preferred } = await ask("claude", { warmth: 2 });
  expect(preferred).toMatchObject({ status: 200, ignored: "warmth" });
  expect(sent).not.toHaveProperty("warmth");
  const refused = await ask("claude", { hush: true });
  expect(refused).toMatchObject({ status: 400, param: "hush" });
  expect(refused.error).toContain("Anthropic's API has no counterpart for it");
  expect((await ask("claude", { hush: false })).status).toBe(200);
});

test("models are listed with it, and `require_parameters` routes by the same", async () => {
  const provider = { require_parameters: true };
  for (const name of ["openai-like", "claude", "gemini"] as const) {
    const model = await readJson(await getPath(server, account.key, `/models/listed/${name}`));
    const isListed = name !== "claude";
    expect([name, String(model.supported_parameters).includes("warmth")]).toEqual([name, isListed]);
    const { status, error } = await ask(name, { warmth: 2, provider });
    expect([name, status]).toEqual([name, isListed ? 200 : 404]);
    if (!isListed) expect(error).toContain("provider.require_parameters");
  }
});

test("it is published with its bounds, and in the documents", async () => {
  const openapi = await readJson(await fetch(`${server.url}/openapi.json`));
  expect(at(openapi, "components.schemas.GatewayPreferences.properties.warmth")).toMatchObject({
    description: "How warm the answer is.",
    minimum: 0,
    maximum: 3,
  });
  const { writeFields } = await import(`${fields}/fields-doc.fixture.ts`);
  expect(writeFields()).toMatch(
    /^\| `warmth` (?:\| accepted ){7}\| preference \| ignored \| `topK` \| ignored \| always \|$/m,
  );
});
