// JSON that is nested without end is a mistake of the caller wherever JSON is read, never one of the server.
import { expect, test } from "bun:test";
import { openBrowser, signUp } from "../console/browser.fixture.ts";
import { startTestServer, testModels, useServer } from "../harness/index.ts";
import { openManaged } from "../management/open-management.fixture.ts";

const { server, account } = await useServer(
  startTestServer({
    environment: { THROTTLE_SCALE: "100000", SEALING_KEY: "a-key-that-only-this-test-seals-with" },
  }),
);
const { managementKey } = await openManaged(server);
const levels = 30_000;
const deep = (name: string) => `{"${name}":${"[".repeat(levels)}${"]".repeat(levels)}}`;

/** Of every path of `/v1`, by every method that takes a body. */
const requests = [...new Set(server.paths)]
  .filter((path) => path.startsWith("/v1/"))
  .flatMap((path) => ["POST", "PATCH"].map((method) => ({ method, path })));

test("every path of /v1 refuses JSON of 30,000 levels with a 4xx", async () => {
  const wrong: string[] = [];
  let refused = 0;
  for (const { method, path } of requests) {
    const url = server.url + path.replace("*", testModels.cheap).replaceAll(/:\w+/g, "x");
    const isManaged = /\/v1\/(management|keys)\b/.test(path);
    for (const body of [deep("name"), deep("messages"), "[".repeat(levels)]) {
      const answer = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${isManaged ? managementKey : account.key}`,
          "content-type": "application/json",
        },
        body,
      });
      await answer.text();
      if (answer.status === 400) refused += 1;
      // What takes forms only reads no JSON.
      if (![400, 404, 405, 413, 415].includes(answer.status))
        wrong.push(`${method} ${path}: ${answer.status}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(60);
});

test("procedures of the console refuse it too, in the body and in the address", async () => {
  const browser = openBrowser(server.url);
  await signUp(browser, server.url, "deep@example.com");
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { cookie, "sec-fetch-site": "same-origin", "content-type": "application/json" };
  const answers = await Promise.all([
    fetch(`${server.url}/trpc/projects.create`, { method: "POST", headers, body: deep("name") }),
    fetch(`${server.url}/trpc/auth.login`, { method: "POST", headers, body: "[".repeat(levels) }),
    fetch(`${server.url}/trpc/keys.list?input=${"[".repeat(1_000)}${"]".repeat(1_000)}`, {
      headers,
    }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
  for (const answer of answers) expect(await answer.text()).toContain("nested deeper than 64");
});
