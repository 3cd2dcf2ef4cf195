// OpenRouter's own SDK, which checks every answer against OpenRouter's schema, over every dialect with only a base URL
// and a key.
import { describe, expect, test } from "bun:test";
import type { Script } from "@turnpike/testing";
import {
  at,
  catchError,
  openAccount,
  scripted,
  startTestServer,
  useServer,
} from "../../../harness/index.ts";
import {
  asEvents,
  type OpenRouterClient,
  openOpenRouter,
  openrouterErrors,
} from "../../open-openrouter.ts";
import { dialectCatalog, dialects } from "../../over-dialects.ts";

const { server, account } = await useServer(startTestServer({ catalog: dialectCatalog }));
const poor = await openAccount(server, { usd: "0" });

const client = openOpenRouter(server, account.key);
const ask = (script: Script) => [scripted(script)];

describe.each(dialects)("over %s", (dialect) => {
  const model = `over/${dialect}`;

  test("a stream that breaks ends with an error", async () => {
    const messages = ask({ deltas: 5, errorAfterDeltas: 2 });
    const stream = await client.chat.send({ chatRequest: { model, messages, stream: true } });
    let last: unknown;
    for await (const chunk of asEvents(stream)) last = chunk;
    expect(at(last, "error.code")).toBe(502);
    expect(at(last, "choices.0.finishReason")).toBe("error");
  });

  test("tools and their results", async () => {
    const parameters = { type: "object", properties: {} };
    const tools = [{ type: "function", function: { name: "f", parameters } }];
    const question = ask({ toolCalls: [{ name: "f", arguments: "{}" }] });
    const called = await client.chat.send({ chatRequest: { model, messages: question, tools } });
    const message = at(called, "choices.0.message");
    const toolCallId = at(message, "toolCalls.0.id");
    const result = { role: "tool", toolCallId, content: "clear" };
    const messages = [...ask({ text: "It is clear." }), message, result];
    const next = await client.chat.send({ chatRequest: { model, tools, messages } });
    expect(at(next, "choices.0.message.content")).toBe("It is clear.");
  });

  test("responses, whole and streamed", async () => {
    const input = String(scripted({ text: "Hello there" }).content);
    const request = { model, input };
    const whole = await client.beta.responses.send({ responsesRequest: request });
    expect(JSON.stringify(at(whole, "output"))).toContain("Hello there");
    const responsesRequest = { ...request, stream: true };
    const types: unknown[] = [];
    for await (const event of asEvents(await client.beta.responses.send({ responsesRequest }))) {
      types.push(at(event, "type"));
    }
    expect(types.slice(0, 2)).toEqual(["response.created", "response.in_progress"]);
    expect(types.at(-1)).toBe("response.completed");
    expect(types).not.toContain("UNKNOWN");
    expect(await client.callModel(request).getText()).toBe("Hello there");
  });
});

test("models, their endpoints and providers, the key and its credits", async () => {
  const count = Number(at(await client.models.count(), "data.count"));
  expect(count).toBeGreaterThan(dialects.length);
  const list = await client.models.list();
  expect(at(list, "result.data") ?? at(list, "data")).toBeArrayOfSize(count);
  const endpoints = await client.endpoints.list({ author: "over", slug: "openai" });
  expect(at(endpoints, "data.endpoints.0.providerName")).toBe("openai-like");
  const providers = at(await client.providers.list(), "data");
  expect(providers).toContainEqual(
    expect.objectContaining({ name: "openai-like", slug: "openai-like", privacyPolicyUrl: null }),
  );
  expect(at(await client.apiKeys.getCurrentKeyMetadata(), "data.usage")).toBeGreaterThan(0);
  expect(at(await client.credits.getCredits(), "data.totalCredits")).toBeGreaterThan(0);
});

test("refusals are the SDK's own errors, with the status as their code", async () => {
  const refuse = (by: OpenRouterClient, model: string) =>
    catchError(by.chat.send({ chatRequest: { model, messages: ask({}) } }));
  const unknown = await refuse(client, "over/none");
  expect(unknown).toBeInstanceOf(openrouterErrors.NotFoundResponseError);
  expect([at(unknown, "error.code"), at(unknown, "error.metadata.error_type")]).toEqual([
    404,
    "not_found",
  ]);
  expect(String(unknown)).toContain("`over/none`");
  const unpaid = await refuse(openOpenRouter(server, poor.key), "over/openai");
  expect(unpaid).toBeInstanceOf(openrouterErrors.PaymentRequiredResponseError);
  const unauthorized = await refuse(openOpenRouter(server, "sk-tp-wrong"), "over/openai");
  expect(unauthorized).toBeInstanceOf(openrouterErrors.UnauthorizedResponseError);
});
