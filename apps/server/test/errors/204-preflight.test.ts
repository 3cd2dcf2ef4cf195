// A browser sends a preflight without a key and with any header names that an SDK may use, and must be
// able to read every later answer, including refusals.
import { afterAll, expect, test } from "bun:test";
import { expectCallHeaders, startTestServer } from "../harness/index.ts";

const server = await startTestServer();
afterAll(() => server.close());

const wanted = "authorization,content-type,x-stainless-os,x-stainless-retry-count,x-anything";

test.each(["/chat/completions", "/models", "/models/test%2Fcheap", "/credits", "/nothing"])(
  "OPTIONS %s allows what was requested, without a key",
  async (path) => {
    const response = await fetch(`${server.baseUrl}${path}`, {
      method: "OPTIONS",
      headers: {
        origin: "https://app.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": wanted,
      },
    });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
    expectCallHeaders(response.headers);
    expect(response.headers.get("access-control-allow-headers")).toBe(wanted);
    expect(response.headers.get("access-control-allow-methods")).toContain("POST");
    expect(response.headers.get("access-control-max-age")).toBe("86400");
    expect(response.headers.get("vary")).toBe("Origin, Access-Control-Request-Headers");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
  },
);

test("refusals are readable from a browser too", async () => {
  for (const path of ["/chat/completions", "/models", "/nothing"]) {
    const headers = { origin: "https://app.example" };
    const response = await fetch(`${server.baseUrl}${path}`, { headers });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expectCallHeaders(response.headers);
    await response.text();
  }
});
