// What can be asked of the server without an account, and that one network cannot make it work without end: each route
// that answers anyone is named here with what bounds it.
import { expect, test } from "bun:test";
import { makeSecretText } from "@turnpike/base";
import { untilWaiting } from "@turnpike/testing";
import { openAccount, startTestServer, useServer } from "../harness/index.ts";
import { ask, openManaged } from "../management/open-management.fixture.ts";

const { server } = await useServer(startTestServer());
const roomy = await startTestServer({ site: server, environment: { THROTTLE_SCALE: "1000" } });

/** By path without `/api`, and without a second `/v1`. What is not here needs a key, a session or a signature. */
const boundOf: Readonly<Record<string, string>> = {
  "/*": "files and pages from memory; pictures are kept",
  "/.well-known/jwks.json": "one statement a second for everyone",
  "/auth/callback/*":
    "a share of calls for each network; an attempt, which is throttled, before it asks a provider",
  "/console/csp-report": "16 KiB, counted; twenty lines of the log in ten minutes",
  "/dev/mail": "only with SANDBOX",
  "/dev/mail.json": "only with SANDBOX",
  "/dev/checkout/*": "only with SANDBOX",
  "/legal/terms.md": "from memory",
  "/legal/privacy.md": "from memory",
  "/livez": "from memory",
  "/metrics": "the token, or loopback outside of production",
  "/openapi.json": "from memory, written once",
  "/readyz": "one proof a second for everyone",
  "/status.json": "from memory, written every two seconds",
  "/status/feed.xml": "from memory, written every two seconds",
  "/stripe/webhook": "a signature before the database; room for bodies of each network",
  "/trpc/*":
    "a share of calls for each network; throttles in the database for what sends mails or checks secrets",
  "/v1/management/keys/revoke-leaked":
    "a share of calls, one at a time for each network, two in all",
  "/v1/embeddings/models": "from memory",
  "/v1/images/models": "from memory",
  "/v1/images/models/*": "from memory",
  "/v1/model/*": "from memory",
  "/v1/models": "from memory",
  "/v1/models/*": "from memory",
  "/v1/models/count": "from memory",
  "/v1/providers": "from memory",
};

test("every route that answers without an account is known, with what bounds it", async () => {
  const refused = [401, 403, 404, 405];
  const unknown: string[] = [];
  for (const path of new Set(roomy.paths)) {
    const url = roomy.url + path.replace("*", "x").replaceAll(/:\w+/g, "y");
    for (const method of ["GET", "POST"]) {
      const body = method === "POST" ? { body: "{}" } : {};
      const answer = await fetch(url, { method, redirect: "manual", ...body });
      await answer.arrayBuffer();
      const known = boundOf[path.replace(/^(?:\/api)?\/v1(?:\/v1)?(?=\/)/, "/v1")];
      if (!refused.includes(answer.status) && known === undefined) unknown.push(path);
    }
  }
  expect(unknown).toEqual([]);
});

const report = (tokens: readonly string[]) =>
  fetch(`${roomy.baseUrl}/management/keys/revoke-leaked`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(tokens.map((token) => ({ token }))),
  });

test("reports of leaked keys from one network wait for each other, and eight of them at most", async () => {
  const { key, keyId } = await openAccount(server);
  let answers: Promise<number>[] = [];
  await server.owner.sql.begin(async (tx) => {
    await tx`select from api_keys where id = ${keyId} for update`;
    answers = Array.from({ length: 9 }, () => report([key]).then(({ status }) => status));
    const first = Promise.race(answers);
    await untilWaiting(server.owner.sql, { count: 2, over: first });
    expect(await first).toBe(503);
  });
  expect((await Promise.all(answers)).sort()).toEqual([...Array(8).fill(202), 503]);
});

test("invented management keys take from the share of their network before the database is asked", async () => {
  const { managementKey } = await openManaged(server);
  const list = (key: string) => ask(server, key, "GET /management/projects");
  const invented = () => list(makeSecretText("sk-tpm-"));
  expect((await list(managementKey)).status).toBe(200);
  const statuses = async () =>
    (await Promise.all(Array.from({ length: 80 }, invented))).map(({ status }) => status);
  expect(new Set(await statuses())).toEqual(new Set([401, 429]));
  let asked: Promise<number>[] = [];
  await server.owner.sql.begin(async (tx) => {
    await tx`lock table management_keys in access exclusive mode`;
    // The share is used up, but for what has come back in the meantime.
    asked = Array.from({ length: 80 }, () => invented().then(({ status }) => status));
    const first = Promise.race(asked);
    await untilWaiting(server.owner.sql, { count: 3, over: first });
    expect(await first).toBe(429);
  });
  await Promise.all(asked);
  // One that is known to work is still served.
  expect((await list(managementKey)).status).toBe(200);
});

test("returns from a sign-in provider are limited for each network", async () => {
  const back = async () => {
    const answer = await fetch(`${server.url}/auth/callback/none?state=x`, { redirect: "manual" });
    await answer.arrayBuffer();
    return answer.status;
  };
  const statuses = await Promise.all(Array.from({ length: 300 }, back));
  expect(new Set(statuses)).toEqual(new Set([404, 303]));
});
