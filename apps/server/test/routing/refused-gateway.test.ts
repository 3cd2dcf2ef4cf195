// A provider that refuses the operator, and not the request, may say so with any status. The caller reads a neutral
// sentence in every protocol, and after three of them the operator is told which of the two is refused.
import { expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import { askRouted, routed, scriptAll, useRoutedServer } from "./start-routed-server.ts";

const { server, account } = await useRoutedServer({ times: { retryJitterMs: 5 } });

const noCredit = "Your credit balance is too low to access the API. Go to Plans & Billing.";
const gone = "The model `secret-up` has been decommissioned and is no longer supported.";

const ways: readonly (readonly [string, Script])[] = [
  ["with a 400", { status: 400, error: noCredit }],
  ["with a 429", { status: 429, error: { message: noCredit, code: "insufficient_quota" } }],
  ["inside a 200", { error: { message: noCredit, type: "invalid_request_error" } }],
  ["about its model", { status: 400, error: { message: gone, code: "model_decommissioned" } }],
];

const protocols: readonly (readonly [path: string, body: Record<string, unknown>])[] = [
  ["chat/completions", { model: routed.a, messages: [{ role: "user", content: "hi" }] }],
  ["completions", { model: routed.a, prompt: "hi" }],
  ["messages", { model: routed.a, max_tokens: 9, messages: [{ role: "user", content: "hi" }] }],
  ["responses", { model: routed.a, input: "hi" }],
  ["embeddings", { model: routed.embeddings, input: "hi" }],
];

function post(path: string, body: Record<string, unknown>): Promise<Response> {
  return fetch(`${server.baseUrl}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${account.key}` },
    body: JSON.stringify(body),
  });
}

for (const [path, body] of protocols) {
  const streams = path === "embeddings" ? [false] : [false, true];
  for (const stream of streams) {
    test.each(ways)(
      `/v1/${path}, stream ${stream}: the operator's trouble %s is a neutral 502`,
      async (_, script) => {
        scriptAll(server, { a: script });
        const response = await post(path, { ...body, ...(stream && { stream }) });
        expect(response.status).toBe(502);
        expect(response.headers.get("x-should-retry")).toBe("false");
        const text = await response.text();
        expect(text).toMatch(
          /upstream provider (?:refused this gateway|does not serve this model)/,
        );
        expect(text).not.toMatch(/credit|billing|secret-up|decommissioned/i);
      },
    );
  }
}

test.each([
  ["FU15: a 401", "account", { status: 401 }],
  ["its account, with a 400", "account", { status: 400, error: noCredit }],
  ["its model", "model", { status: 404, error: { message: gone, code: "model_not_found" } }],
] as const)(
  "after three refusals it is known what is refused, and other routes come first: %s",
  async (_, refused, script) => {
    scriptAll(server, { a: script });
    for (let call = 0; call < 3; call += 1) {
      expect((await askRouted(server, account)).status).toBe(200);
    }
    const before = server.upstreams.a.requests.length;
    expect((await askRouted(server, account)).status).toBe(200);
    expect(server.upstreams.a.requests.length).toBe(before);
    expect(server.services.gateway.routeHealth.find("a", "up").refused).toBe(refused);
  },
);
