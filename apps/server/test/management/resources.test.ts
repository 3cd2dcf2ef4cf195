// Usage, requests, the ledger, projects and budgets over the management API: each answer is what
// `/openapi.json` says, and lists are read to their end page by page.
import { expect, test } from "bun:test";
import { usageDimensions } from "@turnpike/reports";
import { formatUsd, parseUsd, toNanos, zeroNanos } from "@turnpike/terms";
import { openOpenRouter } from "../clients/open-openrouter.ts";
import {
  at,
  chatBody,
  postChat,
  startTestServer,
  useServer,
  waitForSettled,
} from "../harness/index.ts";
import { readDescription } from "./expect-described.fixture.ts";
import { ask, openManaged, openOrganization } from "./open-management.fixture.ts";

const { server } = await useServer(startTestServer());
const expectDescribed = await readDescription(server);

test("usage, requests and the ledger add up to what was spent", async () => {
  const account = await openManaged(server);
  const manage = async (call: string) => {
    const asked = await ask(server, account.managementKey, call);
    expectDescribed(call.replace(/\?.*/, "").replace(/gen-\w+/, "{id}"), asked);
    return asked.body;
  };
  for (let n = 0; n < 3; n += 1) {
    const answer = await postChat(server, account.key, chatBody({ deltas: 2 }));
    expect(answer.status).toBe(200);
    await answer.text();
  }
  await waitForSettled(server);
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const to = new Date(Date.now() + 3_600_000).toISOString();
  const range = `from=${from}&to=${to}`;
  for (const group of usageDimensions) {
    const usage = await manage(`GET /management/usage?${range}&group_by=${group}`);
    expect([group, at(usage, "total.requests")]).toEqual([group, 3]);
    expect([group, sumOf(usage)]).toEqual([group, String(at(usage, "total.cost_usd"))]);
    const named = at(usage, "data.0.group.0");
    expect(named).toMatchObject({ dimension: group });
    if (group === "member") expect(named).toMatchObject({ id: account.email });
    if (group === "key") expect(named).toMatchObject({ id: account.keyId, label: "Test" });
    if (group === "project") expect(named).toMatchObject({ id: account.id });
  }
  const first = await manage(`GET /management/requests?limit=2&key_ids=${account.keyId}`);
  const second = await manage(`GET /management/requests?limit=2&cursor=${first.next_cursor}`);
  expect([at(first, "data.length"), at(second, "data.length")]).toEqual([2, 1]);
  expect(second.next_cursor).toBeNull();
  const detail = await manage(`GET /management/requests/${at(first, "data.0.id")}`);
  expect(detail).toMatchObject({ outcome: "completed", key_id: account.keyId });
  expect(detail.attempts).toMatchObject([{ provider: "scripted", status: 200, error: null }]);
  const ledger = await manage("GET /management/ledger?type=usage");
  expect(at(ledger, "data.0.usage")).toMatchObject({ key_id: account.keyId, calls: 3 });
  const balance = await manage("GET /management/balance");
  expect(Number(balance.balance_usd)).toBeLessThan(10);
});

/** Of all groups of a page, in USD. */
function sumOf(usage: unknown): string {
  const groups = at(usage, "data");
  if (!Array.isArray(groups)) throw new Error("the answer has no groups");
  const nanos = groups.map((group) => parseUsd(String(at(group, "cost_usd"))) ?? zeroNanos);
  return formatUsd(nanos.reduce((sum, cost) => toNanos(sum + cost), zeroNanos));
}

test("usage by several dimensions comes in pages, which add up to the total", async () => {
  const account = await openManaged(server);
  const manage = (call: string, body?: unknown) => ask(server, account.managementKey, call, body);
  const created = await manage("POST /management/keys", { name: "second" });
  for (const key of [account.key, account.key, String(created.body.key)]) {
    const answer = await postChat(server, key, chatBody({ deltas: 2 }));
    expect(answer.status).toBe(200);
    await answer.text();
  }
  await waitForSettled(server);
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const to = new Date(Date.now() + 3_600_000).toISOString();
  const path = `GET /management/usage?from=${from}&to=${to}&group_by=day,key&group_by=model`;
  const found = [];
  let cursor: unknown;
  while (cursor !== null) {
    const page = await manage(`${path}&limit=1${cursor ? `&cursor=${cursor}` : ""}`);
    expectDescribed("GET /management/usage", page);
    expect(at(page.body, "total.requests")).toBe(3);
    expect(at(page.body, "data.0.group.2.dimension")).toBe("model");
    found.push({
      id: at(page.body, "data.0.group.1.id"),
      requests: at(page.body, "data.0.requests"),
    });
    cursor = at(page.body, "next_cursor");
  }
  const byKey = new Map(found.map(({ id, requests }) => [id, requests]));
  expect(byKey).toEqual(
    new Map<unknown, unknown>([
      [account.keyId, 2],
      [created.body.id, 1],
    ]),
  );
  for (const wrong of ["group_by=day,day", "group_by=color", "group_by=day&cursor=WyJhIiwiYiJd"]) {
    const refused = await manage(`GET /management/usage?from=${from}&to=${to}&${wrong}`);
    expect([wrong, refused.status]).toEqual([wrong, 400]);
  }
});

test("a program written for OpenRouter's keys works unchanged", async () => {
  const { managementKey } = await openManaged(server);
  const { apiKeys } = openOpenRouter(server, managementKey);
  const created = await apiKeys.create({
    requestBody: { name: "team", limit: 5, limitReset: "daily" },
  });
  expect(at(created, "key")).toMatch(/^sk-tp-/);
  const data = { name: "team", limit: 5, limitReset: "daily", usage: 0 };
  expect(created).toMatchObject({ data });
  const hash = String(at(created, "data.hash"));
  const namesOf = (listed: unknown) => [at(listed, "data.0.name"), at(listed, "data.1.name")];
  expect(namesOf(await apiKeys.list({}))).toEqual(["team", "Test"]);
  expect(at(created, "data.updatedAt")).toBeNull();
  const changed = await apiKeys.update({ hash, requestBody: { limit: 7.5, disabled: true } });
  expect(at(changed, "data.updatedAt")).not.toBeNull();
  expect(changed).toMatchObject({ data: { limit: 7.5, limitReset: "daily", disabled: true } });
  expect(namesOf(await apiKeys.list({}))).toEqual(["Test", undefined]);
  expect(await apiKeys.get({ hash })).toMatchObject({ data: { limitRemaining: 7.5 } });
  expect(await apiKeys.delete({ hash })).toMatchObject({ deleted: true });
});

test("a limit of OpenRouter's shape replaces the shown one and leaves the others", async () => {
  const { managementKey } = await openManaged(server);
  const manage = (call: string, body?: unknown) => ask(server, managementKey, call, body);
  const { body } = await manage("POST /management/keys", {
    name: "limited",
    limits: { spend_limits_usd: { day: "1", month: "20" }, requests_per_minute: 5 },
  });
  const path = `/keys/${body.id}`;
  expect((await manage(`PATCH ${path}`, { limit: 2, limit_reset: "weekly" })).status).toBe(200);
  expect(at((await manage(`GET /management${path}`)).body, "limits")).toMatchObject({
    spend_limits_usd: { day: null, week: "2", month: "20", total: null },
    requests_per_minute: 5,
  });
  expect(at((await manage(`PATCH ${path}`, { limit: null })).body, "data.limit")).toBe(20);
  const refused = await manage(`PATCH ${path}`, { limit: 0.001 });
  expect([refused.status, at(refused.body, "error.param")]).toEqual([400, "limit"]);
  const unknown = await manage("POST /keys", { name: "x", provisioning: true });
  expect([unknown.status, at(unknown.body, "error.param")]).toEqual([400, "provisioning"]);
});

test("projects and budgets are set, listed and removed", async () => {
  const { id, key } = await openOrganization(server);
  const manage = async (call: string, body?: unknown) => {
    const asked = await ask(server, key, call, body);
    expectDescribed(call.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, "{id}"), asked);
    return asked.body;
  };
  const project = await manage("POST /management/projects", { name: "Search" });
  await manage(`PATCH /management/projects/${project.id}`, { name: "Search 2" });
  const projects = await manage("GET /management/projects");
  expect(JSON.stringify(projects.data)).toContain("Search 2");
  const budget = await manage("POST /management/budgets", {
    kind: "account",
    subject_id: id,
    period: "month",
    limit_usd: "50",
    hard: true,
  });
  expect(at(await manage("GET /management/budgets"), "data.0")).toMatchObject({
    id: budget.id,
    kind: "account",
    limit_usd: "50",
    hard: true,
  });
  await manage(`DELETE /management/budgets/${budget.id}`);
  expect((await manage("GET /management/budgets")).data).toEqual([]);
});
