// Cookies that are not sessions: looking one up costs a query on the console's connections, so an address
// gets a rate of such lookups, and the sessions of others on it are not affected.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chatBody, startTestServer, type TestServer } from "../harness/index.ts";
import { openBrowser, password, signUp } from "./browser.fixture.ts";

let server: TestServer;
let lookUps = 0;

beforeAll(async () => {
  server = await startTestServer({
    environment: { THROTTLE_SCALE: "1", TRUSTED_PROXIES: "127.0.0.1" },
  });
  const { sessions } = server.services.api.auth;
  const { authenticate } = sessions;
  Object.assign(sessions, {
    authenticate(cookies: string | null) {
      lookUps += 1;
      return authenticate(cookies);
    },
  });
});
afterAll(() => server.close());

type Ask = (headers: Record<string, string>) => Promise<Response>;

const askProcedure: Ask = (headers) => fetch(`${server.url}/trpc/auth.me`, { headers });
const askPlayground: Ask = (headers) =>
  fetch(`${server.url}/console/playground`, {
    method: "POST",
    headers: { ...headers, origin: server.url, "content-type": "application/json" },
    body: JSON.stringify(chatBody({ deltas: 1 })),
  });

let cookies = 0;

/** Sends made-up cookies until one is refused without being looked up; a slow machine regains 20 a second. */
async function flood(ask: Ask, address: string): Promise<void> {
  const before = { lookUps, cookies };
  const statuses = new Set<number>();
  while (lookUps - before.lookUps === cookies - before.cookies) {
    if (cookies - before.cookies > 5_000) throw new Error("every cookie was looked up");
    const sent = Array.from({ length: 50 }, async () => {
      cookies += 1;
      const headers = { cookie: `turnpike_session=made-up-${cookies}`, "x-forwarded-for": address };
      const answer = await ask(headers);
      await answer.text();
      statuses.add(answer.status);
    });
    await Promise.all(sent);
  }
  expect(statuses.has(429)).toBe(true);
}

test.each([
  ["/trpc", askProcedure, "198.51.100.1"],
  ["/console/playground", askPlayground, "198.51.100.2"],
] as const)(
  "%s refuses a flood of made-up cookies before they are looked up",
  async (_, ask, address) => {
    await flood(ask, address);
    const elsewhere = { cookie: "turnpike_session=a", "x-forwarded-for": "198.51.100.9" };
    expect((await ask(elsewhere)).status).not.toBe(429);
  },
);

test("people who are signed in, or sign in, on the address of a flood are not refused with it", async () => {
  const address = { "x-forwarded-for": "198.51.100.3" };
  const ada = openBrowser(server.url, address);
  await signUp(ada, server.url, "ada@example.com");
  await flood(askPlayground, "198.51.100.3");
  expect((await ada.query("sessions.list")).status).toBe(200);
  const again = openBrowser(server.url, address);
  const login = await again.mutate("auth.login", { email: "ada@example.com", password });
  expect(login.status).toBe(200);
  expect((await again.query("sessions.list")).status).toBe(200);
});
