// A conversation that a member shares, over HTTP: as long as is allowed, by who is signed in, and opened in the archive.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { startTestServer, type TestServer } from "../harness/index.ts";
import { type Browser, openBrowser, signUp } from "./browser.fixture.ts";

let server: TestServer;
let ada: Browser;

beforeAll(async () => {
  const environment = {
    THROTTLE_SCALE: "1000",
    SEALING_KEY: "the-sealing-key-of-the-tests-of-conversations",
  };
  server = await startTestServer({ environment });
  ada = openBrowser(server.url);
  await signUp(ada, server.url, "share-ada@example.com");
});
afterAll(() => server.close());

function send(browser: Browser, content: string): Promise<Response> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return fetch(`${server.url}/trpc/conversations.share`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json", "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ title: "Whales", content }),
  });
}

const image = "x".repeat(1_000_000);
const long = JSON.stringify({ said: '"quoted"'.repeat(2_000), image });

test("a body of 1 MiB is read from who is signed in, and not from others", async () => {
  expect((await send(openBrowser(server.url), long)).status).toBe(413);
  expect((await send(ada, long)).status).toBe(200);
  expect((await send(ada, "x".repeat(2 * 1_048_576))).status).toBe(413);
});

test("the archive of the account has it, opened", async () => {
  const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const response = await fetch(`${server.url}/console/export?of=person`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json", "sec-fetch-site": "same-origin" },
    body: "{}",
  });
  const text = gunzipSync(await response.arrayBuffer()).toString();
  expect(text).toContain("account/shared_conversations.json");
  expect(text).toContain(image);
});
