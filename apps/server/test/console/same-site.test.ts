// The rules of `/trpc` before any procedure is called: origin, size, and what an answer may reveal.
import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { Fault } from "@turnpike/base";
import { at, startTestServer, type TestServer } from "../harness/index.ts";
import { faultOf, openBrowser, password, signUp } from "./browser.fixture.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    environment: { THROTTLE_SCALE: "1000", PUBLIC_URL: "http://console.test" },
  });
});
afterAll(() => server.close());

function post(headers: Record<string, string>, body = "{}", path = "auth.logout") {
  return fetch(`${server.url}/trpc/${path}`, { method: "POST", headers, body });
}
async function faultCode(response: Response): Promise<unknown> {
  return at(await response.json(), "error.data.fault") ?? response.status;
}

const json = { "content-type": "application/json" };
const ours = { ...json, "sec-fetch-site": "same-origin" };

describe("a request that changes something", () => {
  test.each([
    ["one of our pages", ours, 200],
    ["one of our pages, without Sec-Fetch-Site", { ...json, origin: "http://console.test" }, 200],
    ["one of our pages by both headers", { ...ours, origin: "http://console.test" }, 200],
    [
      "another origin that says same-origin",
      { ...ours, origin: "http://evil.test" },
      "cross_site_request",
    ],
    ["a sandboxed frame that says same-origin", { ...ours, origin: "null" }, "cross_site_request"],
    ["another site", { ...json, "sec-fetch-site": "cross-site" }, "cross_site_request"],
    ["a sister site", { ...json, "sec-fetch-site": "same-site" }, "cross_site_request"],
    ["a typed address", { ...json, "sec-fetch-site": "none" }, "cross_site_request"],
    ["another origin", { ...json, origin: "http://evil.test" }, "cross_site_request"],
    ["a lookalike", { ...json, origin: "http://console.test.evil.test" }, "cross_site_request"],
    ["a sandboxed frame", { ...json, origin: "null" }, "cross_site_request"],
    ["no stated origin", json, "cross_site_request"],
    [
      "another site with our Origin",
      { ...json, origin: "http://console.test", "sec-fetch-site": "cross-site" },
      "cross_site_request",
    ],
    [
      "a form",
      { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "same-origin" },
      "unsupported_media_type",
    ],
    [
      "a plain form",
      { "content-type": "text/plain", "sec-fetch-site": "same-origin" },
      "unsupported_media_type",
    ],
  ])("from %s", async (_, headers, expected) => {
    expect(await faultCode(await post(headers))).toBe(expected);
  });

  test("is not done by GET, whatever the URL says", async () => {
    const response = await fetch(`${server.url}/trpc/auth.logout?input={}`, { headers: ours });
    expect(await faultCode(response)).toBe("method_not_supported");
  });

  test("cannot be made across origins: no origin may read the answers", async () => {
    const preflight = await fetch(`${server.url}/trpc/auth.logout`, {
      method: "OPTIONS",
      headers: { origin: "http://evil.test", "access-control-request-method": "POST" },
    });
    expect(preflight.status).toBe(405);
    const query = await fetch(`${server.url}/trpc/auth.me`, {
      headers: { origin: "http://evil.test" },
    });
    for (const { headers } of [preflight, query]) {
      expect(headers.get("access-control-allow-origin")).toBeNull();
    }
  });
});

describe("sizes", () => {
  test("a body of 64 KiB is read, one byte more is not", async () => {
    const bodyOf = (bytes: number) => JSON.stringify({ email: "x".repeat(bytes - 12) });
    const most = await post(ours, bodyOf(65_536), "auth.forgotPassword");
    expect(await faultCode(most)).toBe("string_above_max_length");
    const more = await post(ours, bodyOf(65_537), "auth.forgotPassword");
    expect(more.status).toBe(413);
    expect(await faultCode(more)).toBe("request_too_large");
  });

  test("ten calls in one request are answered, eleven are refused", async () => {
    const batch = (count: number) =>
      fetch(`${server.url}/trpc/${Array(count).fill("auth.me").join(",")}?batch=1&input={}`);
    const ten = await batch(10);
    expect(await ten.json()).toHaveLength(10);
    const eleven = await batch(11);
    expect(eleven.status).toBe(400);
    expect(await eleven.text()).not.toContain("result");
  });

  test.each(["", "{", "[]", "null", `"text"`, "{}{}", `{"a":`.repeat(5_000)])(
    "the body %p is refused with our message",
    async (body) => {
      const response = await post(ours, body, "auth.forgotPassword");
      expect(response.status).toBe(400);
      const { error } = Object(await response.json());
      expect(at(error, "data.requestId")).toMatch(/^req_/);
    },
  );
});

describe("answers", () => {
  test("are private, typed, and say which request they belong to", async () => {
    const { headers } = await fetch(`${server.url}/trpc/auth.me`);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("x-request-id")).toMatch(/^req_/);
  });

  test("to an unknown procedure reveal nothing else", async () => {
    const response = await fetch(`${server.url}/trpc/no.such.thing`);
    expect(response.status).toBe(404);
    const text = await response.text();
    expect(text).toContain("unknown_url");
    expect(text).not.toMatch(/stack|node_modules|\.ts/);
  });

  test("of a bug say Internal error and nothing about the bug, which is logged with their id", async () => {
    const browser = openBrowser(server.url);
    await signUp(browser, server.url, "unlucky@example.com");
    const { sql } = server.owner;
    const logged = spyOn(server.services.log, "error");
    const expectBug = (answer: Awaited<ReturnType<typeof browser.mutate>>, path?: string) => {
      expect(answer.status).toBe(500);
      expect(at(answer.error, "message")).toBe("Internal error.");
      expect(answer.text).not.toMatch(/time_zone|email_tokens|column|stack|update/);
      const bugs = logged.mock.calls.filter(([, said]) => said === "bug").map(([facts]) => facts);
      const requestId = at(answer.error, "data.requestId");
      expect(bugs).toEqual([{ err: expect.any(Error), requestId, path }]);
      logged.mockClear();
    };
    // Before any procedure: the session is looked up.
    await sql`alter table persons rename column time_zone to elsewhere`;
    const early = await browser
      .mutate("profile.update", { name: "Unlucky" })
      .finally(() => sql`alter table persons rename column elsewhere to time_zone`);
    expectBug(early);
    // In the procedure itself.
    await sql`alter table email_tokens rename to mislaid`;
    const late = await browser
      .mutate("auth.forgotPassword", { email: "unlucky@example.com" })
      .finally(() => sql`alter table mislaid rename to email_tokens`);
    expectBug(late, "auth.forgotPassword");
    logged.mockRestore();
  });

  test("of a refusal are logged only if the server is overloaded", async () => {
    const browser = openBrowser(server.url);
    await signUp(browser, server.url, "queued@example.com");
    using warned = spyOn(server.services.log, "warn");
    const guess = { email: "queued@example.com", password: "not the password" };
    expect((await openBrowser(server.url).mutate("auth.login", guess)).status).toBe(400);
    expect(warned).not.toHaveBeenCalled();
    const overloaded = new Fault("overloaded", "Too many reports are waiting.");
    using _ = spyOn(server.services.api, "report").mockRejectedValue(overloaded);
    const refused = await browser.query("overview.read", { timeZone: "UTC" });
    expect(refused.status).toBe(503);
    const requestId = at(refused.error, "data.requestId");
    const facts = expect.objectContaining({ requestId, path: "overview.read" });
    expect(warned.mock.calls).toEqual([[facts, "overloaded"]]);
  });

  test("are valid for any cookie", async () => {
    for (const cookie of ["turnpike_session=%E0%A4%A", "=;;=", "turnpike_session", "a=b; %"]) {
      const response = await fetch(`${server.url}/trpc/auth.me`, { headers: { cookie } });
      expect(at(await response.json(), "result.data")).toBeNull();
    }
  });
});

test("a forwarded address is trusted only from a trusted proxy", async () => {
  const email = "where@example.com";
  const forwarded = { "x-forwarded-for": "203.0.113.77, 10.0.0.9" };
  await signUp(openBrowser(server.url, forwarded), server.url, email);
  const proxied = await startTestServer({
    environment: { TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8", THROTTLE_SCALE: "1000" },
  });
  try {
    await signUp(openBrowser(proxied.url, forwarded), proxied.url, email);
    const addressOf = async ({ owner }: TestServer) =>
      (await owner.sql`select address from sessions order by created_at desc limit 1`)[0]?.address;
    expect(await addressOf(server)).toBe("127.0.0.1");
    expect(await addressOf(proxied)).toBe("203.0.113.77");
  } finally {
    await proxied.close();
  }
});

test.each([",", "%2C"])(
  "a caller over the limit is throttled, with the time to wait: %j",
  async (comma) => {
    const strict = await startTestServer({ environment: { THROTTLE_SCALE: "1" } });
    try {
      const ask = () =>
        fetch(`${strict.url}/trpc/${Array(10).fill("auth.me").join(comma)}?batch=1`);
      const answers = await Promise.all(Array.from({ length: 30 }, ask));
      const statuses = new Set(answers.map(({ status }) => status));
      expect([...statuses].sort()).toEqual([200, 429]);
      const refused = answers.find(({ status }) => status === 429);
      const waitMs = Number(at(await refused?.json(), "error.data.retryAfterMs"));
      await Bun.sleep(waitMs);
      expect((await fetch(`${strict.url}/trpc/auth.me`)).status).toBe(200);
    } finally {
      await strict.close();
    }
  },
);

test("a sign-up flood is throttled, and inventing addresses does not help", async () => {
  const strict = await startTestServer({ environment: { THROTTLE_SCALE: "1" } });
  try {
    const answers: unknown[] = [];
    for (let n = 0; n < 8; n += 1) {
      const browser = openBrowser(strict.url, { "x-forwarded-for": `198.51.100.${n}` });
      const email = `flood-${n}@example.com`;
      const answer = await browser.mutate("auth.register", { email, password });
      answers.push(faultOf(answer));
      if (n === 7) expect(at(answer.error, "data.retryAfterMs")).toBeGreaterThan(0);
    }
    expect(answers.filter((answer) => answer === "no fault")).toHaveLength(5);
    expect(answers.slice(5)).toEqual(Array(3).fill("throttled"));
    const [row] = await strict.owner.sql`select count(*)::int as people from persons`;
    expect(row?.people).toBe(5);
  } finally {
    await strict.close();
  }
});
