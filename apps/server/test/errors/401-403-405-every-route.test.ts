// What every route of `/v1`, and of `/api/v1`, promises before it does anything: who may not call it is refused, a
// browser may ask first, and another method is told the right ones. The routes are the app's own, so that a new one
// is held to the same.
import { expect, test } from "bun:test";
import { createManagementKey, revokeManagementKey } from "@turnpike/accounts";
import { type ManagementKeyId, newId } from "@turnpike/base";
import {
  type KeyLimits,
  mintApiKey,
  noLimits,
  revokeApiKey,
  setApiKeyDisabled,
  suspendAccount,
} from "@turnpike/keys";
import {
  asObject,
  at,
  expectCallHeaders,
  openAccount,
  readJson,
  startTestServer,
  testModels,
  useServer,
} from "../harness/index.ts";
import { memberOf, openManaged } from "../management/open-management.fixture.ts";

// Every route is called with every key that is refused: far more than an address may otherwise send.
const environment = { THROTTLE_SCALE: "100000" };
const { server, account } = await useServer(startTestServer({ environment }));

const everyMethod = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The methods of a path, as it says itself when it is asked with another one. */
async function methodsOf(path: string): Promise<readonly string[]> {
  const answer = await fetch(server.url + path, { method: "PUT" });
  await answer.text();
  return answer.headers.get("allow")?.split(", ").slice(0, -1) ?? [];
}

/** With something in place of its parameters. */
const fill = (path: string) =>
  path.replace("*", encodeURIComponent(testModels.cheap)).replaceAll(/:\w+/g, newId());
/** The same routes behind another `/v1` have the same handlers. */
const served = server.paths.filter((path) => /^(\/api)?\/v1\/(?!v1)|^\/api\/beta\//.test(path));
const routes = await Promise.all(
  [...new Set(served)].map(async (path) => ({
    path,
    url: fill(path),
    methods: await methodsOf(fill(path)),
  })),
);

/** Anyone who found a key may report it. */
const open = ["/v1/management/keys/revoke-leaked", "/api/v1/management/keys/revoke-leaked"];
/** What OpenRouter shows anyone. */
const forAnyone = [
  "/api/v1/embeddings/models",
  "/api/v1/images/models",
  "/api/v1/images/models/*",
  "/api/v1/model/*",
  "/api/v1/models",
  "/api/v1/models/count",
  "/api/v1/models/*",
  "/api/v1/providers",
];
/** The credits are also shown to a key that manages others. */
const isRefused = ({ path }: { path: string }, who: string) =>
  who === "nobody"
    ? !forAnyone.includes(path)
    : who !== "a management key" || !path.endsWith("/v1/credits");
const isManaged = ({ path }: { path: string }) => /\/v1\/(management|keys)\b/.test(path);

type Refusal = readonly [who: string, key: string | undefined, status: number, code: string | null];

async function openKey(limits: Partial<KeyLimits> = {}) {
  const { id: accountId, personId } = account;
  const input = { accountId, createdBy: personId, name: "refused" };
  const minted = await mintApiKey(server.owner.db, {
    ...input,
    limits: { ...noLimits, ...limits },
  });
  return { key: minted.key, owner: { accountId, id: minted.id } };
}

async function openRefusedKeys(): Promise<readonly Refusal[]> {
  const { db } = server.owner;
  const suspended = await openAccount(server);
  await suspendAccount(db, suspended.id);
  const [revoked, disabled] = [await openKey(), await openKey()];
  await revokeApiKey(db, revoked.owner.id);
  await setApiKeyDisabled(db, disabled.owner, true);
  const expired = await openKey({ expiresAt: new Date(Date.now() - 1_000) });
  const elsewhere = await openKey({ allowedAddresses: ["203.0.113.0/24"] });
  const { managementKey } = await openManaged(server);
  return [
    ["nobody", undefined, 401, null],
    ["an unknown key", changeLast(account.key), 401, "invalid_api_key"],
    ["a revoked key", revoked.key, 401, "invalid_api_key"],
    ["a disabled key", disabled.key, 401, "invalid_api_key"],
    ["an expired key", expired.key, 401, "key_expired"],
    ["a key of a suspended account", suspended.key, 403, "account_suspended"],
    ["a key that may be used elsewhere", elsewhere.key, 403, "permission_denied"],
    ["a management key", managementKey, 401, "invalid_api_key"],
  ];
}

async function openRefusedManagementKeys(): Promise<readonly Refusal[]> {
  const { db } = server.owner;
  const [suspended, revoked, known] = [
    await openManaged(server),
    await openManaged(server),
    await openManaged(server),
  ];
  await suspendAccount(db, suspended.id);
  await revokeManagementKey(db, memberOf(revoked), revoked.managementKeyId);
  const expired = await createManagementKey(db, memberOf(known), {
    name: "expired",
    permissions: ["keys.read"],
    expiresAt: new Date(Date.now() - 1_000),
    id: newId<ManagementKeyId>(),
  });
  return [
    ["nobody", undefined, 401, null],
    ["an unknown key", changeLast(known.managementKey), 401, "invalid_api_key"],
    ["a revoked key", revoked.managementKey, 401, "invalid_api_key"],
    ["an expired key", expired.key, 401, "key_expired"],
    ["a key of a suspended account", suspended.managementKey, 403, "account_suspended"],
    ["an API key", account.key, 401, "invalid_api_key"],
  ];
}

/** Its last character is part of what is checked. */
const changeLast = (key: string) => key.replace(/.$/, (last) => (last === "0" ? "1" : "0"));

const refused = await openRefusedKeys();
const refusedManagement = await openRefusedManagementKeys();
const guarded = routes.filter(({ path }) => !open.includes(path));

test("the app has routes, and each has methods", () => {
  expect(routes.length).toBeGreaterThan(40);
  expect(routes.filter(({ methods }) => methods.length === 0)).toEqual([]);
});

test.each(guarded.flatMap((route) => route.methods.map((method) => ({ ...route, method }))))(
  "$method $path refuses everyone who may not call it, and says nothing of the body or the key",
  async (route) => {
    for (const [who, key, status, code] of isManaged(route) ? refusedManagement : refused) {
      if (!isRefused(route, who)) continue;
      const answer = await fetch(server.url + route.url, {
        method: route.method,
        headers: {
          "content-type": "application/json",
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
        },
        // Not even JSON: it is not read.
        ...(route.method !== "GET" && route.method !== "DELETE" && { body: "{broken" }),
      });
      const body = await readJson(answer);
      expect([who, answer.status]).toEqual([who, status]);
      expectCallHeaders(answer.headers);
      if (key !== undefined) expect(JSON.stringify(body)).not.toContain(key.slice(8));
      const error = asObject(at(body, "error"));
      const isAnthropic = /\/v1\/messages\b/.test(route.path);
      // Google's errors have the status as their code.
      const isGoogle = /\/v1\/interactions\b/.test(route.path);
      if (!isAnthropic) expect([who, error.code]).toEqual([who, isGoogle ? status : code]);
      else
        expect([who, error.type]).toEqual([
          who,
          status === 401 ? "authentication_error" : "permission_error",
        ]);
    }
  },
);

const wanted = "authorization,content-type,x-stainless-os,x-stainless-retry-count,x-anything";

test.each([...routes, { path: "a path that no route serves", url: "/v1/nothing", methods: [] }])(
  "OPTIONS $path allows what was requested, without a key",
  async ({ url }) => {
    const response = await fetch(server.url + url, {
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

test.each(routes)("$path tells every other method which it has", async ({ url, methods }) => {
  for (const method of everyMethod) {
    if (methods.includes(method)) continue;
    const headers = { authorization: `Bearer ${account.key}` };
    const response = await fetch(server.url + url, { method, headers });
    expect([method, response.status]).toEqual([method, 405]);
    expect(response.headers.get("allow")).toBe([...methods, "OPTIONS"].join(", "));
    const error = asObject(at(await readJson(response), "error"));
    for (const right of methods) expect(error.message).toContain(right);
    expectCallHeaders(response.headers);
  }
});
