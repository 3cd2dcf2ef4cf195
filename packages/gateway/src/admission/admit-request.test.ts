// What a request counts against the rates of its key before it runs, and what has no price.
import { expect, test } from "bun:test";
import { type AccountId, type ApiKeyId, Fault, newId } from "@turnpike/base";
import { noLimits } from "@turnpike/keys";
import { chatModel, parseStreamed } from "../chat-model.fixture.ts";
import { RateLimiter } from "../rates/limit-rates.ts";
import { RouteHealthBook } from "../routing/route-health.ts";
import { admitRequest } from "./admit-request.ts";

function admit(fields: Readonly<Record<string, unknown>>) {
  const gateway = {
    catalog: { current: { version: "test", models: new Map([[chatModel.id, chatModel]]) } },
    limiter: new RateLimiter(),
    routeHealth: new RouteHealthBook(),
  };
  const principal = {
    accountId: newId<AccountId>(),
    keyId: newId<ApiKeyId>(),
    limits: { ...noLimits, tokensPerMinute: 1_000 },
    origin: "api",
  } as const;
  const { plan, admission } = admitRequest(gateway, principal, parseStreamed(fields));
  if (admission instanceof Promise) throw new Error("the call waits for the database");
  return { plan, admission };
}

test("a prompt counts as one token per four bytes, and its answer as its limit", () => {
  const { plan, admission } = admit({ max_tokens: 100 });
  const promptTokens = Math.ceil(plan.modelRequest.request.textBytes / 4);
  expect(promptTokens).toBeGreaterThan(1);
  const left = String(1_000 - 100 - promptTokens);
  expect(admission.headers).toMatchObject({ "x-ratelimit-remaining-tokens": left });
});

test("a field that changes what a call costs is refused by name", () => {
  try {
    void admit({ web_search_options: {} });
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    expect(thrown).toMatchObject({
      code: "unsupported_parameter",
      details: { param: "web_search_options" },
    });
    return;
  }
  throw new Error("nothing was refused");
});
