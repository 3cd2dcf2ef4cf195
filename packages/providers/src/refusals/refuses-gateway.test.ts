// What providers say about the operator is never shown to a caller and marked as a refusal of the gateway, whatever
// its status; what they say about a request stays the caller's. The bodies are those of public reports.
import { expect, test } from "bun:test";
import { isObject } from "@turnpike/base";
import { sampleProvider } from "../dialects/openai/sample-call.fixture.ts";
import { accountRefusals } from "./account-refusals.ts";
import { modelRefusals } from "./model-refusals.ts";
import { refuse, refusedInside } from "./refuse.ts";
import { refusedAccounts } from "./refused-accounts.fixture.ts";
import { refusedModels, refusedRequests } from "./refused-models.fixture.ts";

const provider = sampleProvider("openai");

function refusalOf(status: number, body: unknown) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return refuse(provider, status, text, new Headers({ "retry-after": "1" }));
}

for (const [refused, message, bodies] of [
  ["account", "The upstream provider refused this gateway.", refusedAccounts],
  ["model", "The upstream provider does not serve this model to this gateway.", refusedModels],
] as const) {
  test.each(bodies)(
    `a refusal of the operator's ${refused} is not shown: %s`,
    (_, status, body) => {
      const fault = refusalOf(status, body);
      expect([fault.code, fault.message]).toEqual(["bad_gateway", message]);
      expect(fault.details).toMatchObject({ upstreamRefuses: refused, upstreamStatus: status });
      expect(fault.details.retryAfterMs).toBeUndefined();
    },
  );
}

test.each(refusedRequests)(
  "what is about the request stays the caller's: %s",
  (_, status, body) => {
    expect(refusalOf(status, body)).toMatchObject({ code: "upstream_rejected" });
    expect(refusalOf(status, body).details.upstreamRefuses).toBeUndefined();
  },
);

test("an ordinary rate limit is one, although it speaks of a quota", () => {
  const message = "You exceeded your current quota, please check your plan and billing details.";
  const retryInfo = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "26s" };
  const error = { code: 429, message, status: "RESOURCE_EXHAUSTED", details: [retryInfo] };
  expect(refusalOf(429, { error }).code).toBe("upstream_rate_limited");
});

test("the same inside a 200 or a stream is recognized, whatever status it has there", () => {
  for (const [, , body] of [...refusedAccounts, ...refusedModels]) {
    if (!isObject(body) || body.error === undefined) continue;
    const fault = refusedInside(body, provider, new Headers());
    expect([fault.code, fault.details.upstreamRefuses !== undefined]).toEqual([
      "bad_gateway",
      true,
    ]);
    expect(fault.message).toStartWith("The upstream provider");
    expect(fault.message).not.toContain("(502)");
  }
});

test("each wording has its source, and a name stands in the table once", () => {
  const all = [...accountRefusals, ...modelRefusals];
  for (const { source } of all) expect(source).not.toBe("");
  const names = all.flatMap(({ names: own = [] }) => own.map((name) => name.toLowerCase()));
  expect(names).toEqual([...new Set(names)]);
});
