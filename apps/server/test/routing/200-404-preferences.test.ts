// OpenRouter's `provider` preferences: honored, or refused by name, on every path; never sent upstream, and
// a provider that the caller excluded is never called.
import { expect, test } from "bun:test";
import {
  chatBody,
  expectFault,
  postChat,
  readMoney,
  startTestServer,
  useServer,
} from "../harness/index.ts";
import { calledSince, routeCatalog, routeModels } from "./route-catalog.ts";

const { server, account } = await useServer(startTestServer({ catalog: routeCatalog }));

/** Posts to the model with every policy; returns the answer and who was called. */
async function ask(provider: unknown, fields: Record<string, unknown> = {}) {
  const from = server.upstream.requests.length;
  const body = chatBody({ deltas: 1 }, { model: routeModels.policies, provider, ...fields });
  const response = await postChat(server, account.key, body);
  return { response, called: () => calledSince(server.upstream, from) };
}

async function expectAnswerOf(provider: unknown, expected: string, fields = {}) {
  const { response, called } = await ask(provider, fields);
  expect(response.status).toBe(200);
  await response.text();
  expect(called()).toEqual([expected]);
  const sent = server.upstream.requests.at(-1)?.parsed;
  for (const name of ["provider", "models", "route"]) expect(sent).not.toHaveProperty(name);
}

test.each([
  [undefined, "keeps"],
  [{}, "keeps"],
  [{ order: ["deletes"] }, "deletes"],
  [{ order: ["nobody", "Silent", "deletes"] }, "silent"],
  [{ only: ["retains-nothing", "deletes"] }, "deletes"],
  [{ ignore: ["keeps", "silent"] }, "deletes"],
  [{ data_collection: "deny" }, "deletes"],
  [{ data_collection: "allow" }, "keeps"],
  [{ zdr: true }, "retains-nothing"],
  [{ zdr: false }, "keeps"],
  [{ data_collection: "deny", order: ["keeps", "silent"] }, "deletes"],
  [{ sort: "price" }, "keeps"],
  [{ max_price: { prompt: 0.1, completion: "0.4" } }, "keeps"],
  [{ order: ["silent"], allow_fallbacks: false }, "silent"],
])("provider %j is answered by %s, which never receives it", async (provider, expected) => {
  await expectAnswerOf(provider, expected);
});

test("a stream is routed like a whole answer", async () => {
  await expectAnswerOf({ zdr: true }, "retains-nothing", { stream: true });
});

test("require_parameters uses the parameters that a route, or else its model, is known to support", async () => {
  const required = { require_parameters: true };
  await expectAnswerOf(required, "silent", { logit_bias: { "1": 1 } });
  await expectAnswerOf(required, "keeps", { temperature: 0.5 });
});

const none = { status: 404, code: "no_endpoints" };

test.each([
  [{ only: ["nobody"] }, "provider.only"],
  [{ ignore: ["keeps", "silent", "deletes", "retains-nothing"] }, "provider.ignore"],
  [{ order: ["nobody"], allow_fallbacks: false }, "provider.order"],
  [{ max_price: { prompt: 0.09 } }, "provider.max_price"],
  [{ max_price: { completion: "0.399999999" } }, "provider.max_price"],
  [{ zdr: true, ignore: ["retains-nothing"] }, "provider"],
  [{ only: ["silent"], data_collection: "deny" }, "provider"],
])(
  "provider %j leaves no route: 404 says which preference excluded which provider",
  async (provider, param) => {
    const before = await readMoney(server, account.id);
    const { response, called } = await ask(provider);
    const error = await expectFault(response, { ...none, param });
    expect(called()).toEqual([]);
    expect(response.headers.get("x-should-retry")).toBe("false");
    expect(error.metadata).toMatchObject({ excluded: expect.any(Array) });
    for (const name of Object.keys(provider)) {
      if (name !== "allow_fallbacks") expect(error.message).toContain(`provider.${name}`);
    }
    expect(await readMoney(server, account.id)).toEqual(before);
  },
);

test("a route whose policy is unknown does not satisfy deny or zdr", async () => {
  for (const wanted of [{ data_collection: "deny" }, { zdr: true }]) {
    const { response, called } = await ask({ ...wanted, only: ["silent"] });
    await expectFault(response, { ...none, param: "provider" });
    expect(called()).toEqual([]);
  }
});

test.each([
  [{ quantizations: ["fp8"] }, "unsupported_parameter", "provider.quantizations"],
  [{ sort: { by: "price", partition: "none" } }, "unsupported_value", "provider.sort.partition"],
  [{ zdr: "yes" }, "invalid_type", "provider.zdr"],
  [{ preferred_max_latency: 1 }, "unsupported_parameter", "provider.preferred_max_latency"],
])("provider %j is refused by name before anything is called", async (provider, code, param) => {
  const { response, called } = await ask(provider);
  await expectFault(response, { status: 400, code, param });
  expect(called()).toEqual([]);
});

test("a preference in another case is not passed on unread", async () => {
  const { response, called } = await ask(undefined, { Provider: { zdr: true } });
  await expectFault(response, { status: 400, code: "unknown_parameter", param: "Provider" });
  expect(called()).toEqual([]);
});

const plainTurn = [{ role: "user", content: "hello" }];
const otherPaths: readonly (readonly [string, Record<string, unknown>])[] = [
  ["/messages", { messages: plainTurn, max_tokens: 20 }],
  ["/responses", { input: "hello" }],
  ["/completions", { prompt: "hello", max_tokens: 20 }],
];

test.each(otherPaths)(
  "on %s the same preferences apply, and are refused by the same names",
  async (path, fields) => {
    const from = server.upstream.requests.length;
    const post = (provider: unknown) =>
      fetch(`${server.baseUrl}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${account.key}`, "content-type": "application/json" },
        body: JSON.stringify({ model: routeModels.policies, ...fields, provider }),
      });
    const answered = await post({ zdr: true });
    expect([answered.status, await answered.text()]).toEqual([200, expect.any(String)]);
    expect(calledSince(server.upstream, from)).toEqual(["retains-nothing"]);
    expect(server.upstream.requests.at(-1)?.parsed).not.toHaveProperty("provider");
    expect((await post({ only: ["nobody"] })).status).toBe(404);
    const refused = await post({ quantizations: ["fp8"] });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain("provider.quantizations");
  },
);
