// A hostile management key: every route refuses what its permissions do not include, names of rows of another account
// lead nowhere, forged cursors show nothing, and no field is set that the route does not name.
import { beforeAll, expect, test } from "bun:test";
import { grantablePermissions } from "@turnpike/accounts";
import { type ManagementRoute, managementRoutes, metaOfProcedure } from "@turnpike/api";
import { type AccountId, newId } from "@turnpike/base";
import { at, chatBody, postChat, startTestServer, useServer } from "../harness/index.ts";
import { ask, openOrganization } from "./open-management.fixture.ts";

const { server, account } = await useServer(
  startTestServer({
    environment: {
      THROTTLE_SCALE: "100000",
      SEALING_KEY: "a-key-that-only-this-test-seals-with",
      ALLOW_PRIVATE_WEBHOOKS: "true",
    },
  }),
);

type Victim = { readonly id: AccountId; readonly ids: ReadonlyMap<string, string> };

let attacker: Awaited<ReturnType<typeof openOrganization>>;
let victim: Victim;

const urlOf = "http://127.0.0.1:9/hooks";

beforeAll(async () => {
  attacker = await openOrganization(server);
  const { id, key } = await openOrganization(server);
  const make = async (path: string, body: object) => {
    const made = await ask(server, key, `POST /management${path}`, body);
    expect([path, made.status < 300 || made.body]).toEqual([path, true]);
    return String(made.body.id);
  };
  const budget = { kind: "account", subject_id: id, period: "day", limit_usd: "1", hard: true };
  const rules = { deny_training: true };
  const guardrail = { kind: "account", subject_id: id, rules };
  const webhook = await make("/webhooks", { url: urlOf, description: "", event_types: null });
  const keyId = await make("/keys", { name: "theirs" });
  const messages = await ask(server, key, `GET /management/webhooks/${webhook}/messages`);
  const call = await postChat(server, account.key, chatBody({ deltas: 1 }));
  await call.text();
  const members = await ask(server, key, "GET /management/members");
  const email = `${newId<AccountId>()}@example.com`;
  victim = {
    id,
    ids: new Map([
      ["keys", keyId],
      ["projects", await make("/projects", { name: "Theirs" })],
      ["budgets", await make("/budgets", budget)],
      ["guardrails", await make("/guardrails", guardrail)],
      ["invitations", await make("/invitations", { email, role: "viewer" })],
      ["webhooks", webhook],
      ["webhook-messages", String(at(messages.body, "data.0.id"))],
      ["members", String(at(members.body, "data.0.id"))],
      ["requests", call.headers.get("x-generation-id") ?? ""],
    ]),
  };
});

const valid: Readonly<Record<string, unknown>> = {
  name: "taken",
  grace_seconds: 0,
  keys: "revoke",
  role: "viewer",
  project_ids: null,
  email: "eve@example.com",
  url: urlOf,
  description: "",
  event_types: null,
  overlap_hours: 0,
  time_zone: "UTC",
  kind: "account",
  subject_id: newId<AccountId>(),
  period: "day",
  limit_usd: "1",
  hard: true,
  rules: { deny_training: true },
  days: 7,
  hours: 24,
  redacts: true,
  from: "2026-01-01T00:00:00Z",
  to: "2026-01-02T00:00:00Z",
};

/** A call of the route with every field it needs, about the victim's row. */
function aimAt({ method, path, input }: ManagementRoute, projectId: string) {
  const resource = /^\/v1\/(?:management\/)?([\w-]+)/.exec(path)?.[1] ?? "";
  const shape = Object.keys(Object(Object(input).shape));
  const fields = { ...valid, project_id: projectId };
  const wanted = Object.entries(fields).filter(([name]) =>
    shape.includes(name.replace(/_(\w)/g, (_, one) => one.toUpperCase())),
  );
  const target = path.replace("/v1", "").replace(/\{\w+\}/, victim.ids.get(resource) ?? "none");
  const hasBody = method === "POST" || method === "PATCH";
  const query = new URLSearchParams();
  for (const [name, value] of wanted) if (value !== null) query.set(name, String(value));
  return {
    call: `${method} ${target}${hasBody || wanted.length === 0 ? "" : `?${query}`}`,
    body: hasBody ? Object.fromEntries(wanted) : undefined,
  };
}

const named = managementRoutes.filter(({ path }) => path.includes("{"));

test.each(named.map((route) => [route.method, route.path, route] as const))(
  "%s %s finds nothing of another account",
  async (_, __, route) => {
    const projects = await ask(server, attacker.key, "GET /management/projects");
    const before = await auditRows();
    const { call, body } = aimAt(route, String(at(projects.body, "data.0.id")));
    const refused = await ask(server, attacker.key, call, body);
    expect([call, refused.status, refused.body]).toMatchObject([call, 404, { error: {} }]);
    expect(await auditRows()).toBe(before);
  },
);

async function auditRows(): Promise<number> {
  const [row] = await server.owner.sql<{ rows: number }[]>`
    select count(*)::int as rows from audit_log where account_id = ${victim.id}`;
  return row?.rows ?? 0;
}

test.each(managementRoutes.map((route) => [route.method, route.path, route] as const))(
  "%s %s is refused without its permission",
  async (_, __, route) => {
    const { permission } = metaOfProcedure(route.procedure);
    const others = grantablePermissions.filter((one) => one !== permission);
    const { key } = await openOrganization(server, others);
    const { call, body } = aimAt(route, victim.id);
    const refused = await ask(server, key, call, body);
    expect([call, refused.status]).toEqual([call, 403]);
    expect(at(refused.body, "error.metadata.permission")).toBe(permission);
  },
);

const lists = managementRoutes.filter(
  ({ method, input }) => method === "GET" && Object.hasOwn(Object(Object(input).shape), "cursor"),
);

test.each(lists.map(({ path }) => path))("%s shows nothing for a forged cursor", async (path) => {
  const place = Buffer.from(`2020-01-01T00:00:00.000Z~${victim.ids.get("keys")}`);
  const cursors = [
    ...victim.ids.values(),
    place.toString("base64url"),
    "~",
    "0",
    "-1",
    "9".repeat(30),
    "' or 1=1 --",
    "\u0000",
    "WyJhIl0",
    Buffer.from('["\\u0000"]').toString("base64url"),
  ];
  const from = "2020-01-01T00:00:00Z";
  for (const cursor of cursors) {
    const query = new URLSearchParams({ cursor });
    if (path.endsWith("/usage"))
      for (const [name, at] of [
        ["from", from],
        ["to", "2021-01-01T00:00:00Z"],
      ])
        query.set(name ?? "", at ?? "");
    const target = path.replace("/v1", "").replace(/\{\w+\}/, victim.ids.get("webhooks") ?? "");
    const answer = await ask(server, attacker.key, `GET ${target}?${query}`);
    expect([cursor, [200, 400, 404].includes(answer.status)]).toEqual([cursor, true]);
    const shown = JSON.stringify(answer.body.data ?? null);
    for (const id of victim.ids.values()) expect(shown).not.toContain(id);
  }
});

test.each([
  "account_id",
  "created_by",
  "createdBy",
  "attempt_id",
  "permissions",
  "hash",
  "__proto__",
])("a key is not created with %s", async (name) => {
  const text = `{"name":"x",${JSON.stringify(name)}:${JSON.stringify(victim.id)}}`;
  const refused = await fetch(`${server.baseUrl}/management/keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${attacker.key}`, "content-type": "application/json" },
    body: text,
  });
  expect([name, refused.status]).toEqual([name, 400]);
  await refused.body?.cancel();
});
