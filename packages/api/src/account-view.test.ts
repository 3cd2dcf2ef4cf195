// An operator looks at an account: they read what a viewer of it reads and change nothing, until the view ends, and the
// account sees it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { scopeOf } from "@turnpike/accounts";
import type { OperatorRole } from "@turnpike/db";
import { untilWaiting } from "@turnpike/testing";
import { addOperator } from "./add-operator.fixture.ts";
import { createCaller } from "./app-router.ts";
import {
  callProcedure,
  type Member,
  openTestApi,
  procedureNames,
  type TestApi,
} from "./open-test-api.fixture.ts";
import { isMutation, metaOf } from "./read-procedure.fixture.ts";
import { samples } from "./walk-samples.fixture.ts";

let api: TestApi;
let customer: Member;
let support: Member;

const reason = "ticket 9: cannot see the invoice";

beforeAll(async () => {
  api = await openTestApi();
  customer = await api.addMember();
  support = await addOperator(api, "support");
});
afterAll(() => api.close());

async function changeRole({ accountId }: Member, role: OperatorRole): Promise<void> {
  await api.owner.sql`
    update operators set role = ${role} where person_id in
      (select person_id from memberships where account_id = ${accountId})`;
}

async function ask(who: Member, name: string, input: unknown, slug?: string) {
  const outcome = await callProcedure(name, await api.contextOf(who, slug), input);
  return outcome.ok ? Object(outcome.value) : outcome.fault;
}

const start = (who: Member) =>
  ask(who, "operator.view.start", { account: customer.accountId, reason });
const read = (who: Member, slug: string) => ask(who, "accounts.read", undefined, slug);

describe("while a view is open", () => {
  let slug: string;
  beforeAll(async () => {
    ({ slug } = await start(support));
  });

  test.each(procedureNames.filter((name) => metaOf(name).permission !== undefined))(
    "%s is served as to a viewer if it only reads",
    async (name) => {
      const { permission } = metaOf(name);
      const input = samples[name]?.input?.(customer.ownedIds);
      const outcome = await callProcedure(name, await api.contextOf(support, slug), input);
      const isRead =
        !isMutation(name) && permission !== undefined && scopeOf("viewer", permission) === "all";
      expect(outcome.ok || outcome.fault !== "permission_denied").toBe(isRead);
      if (isRead) expect(outcome).toMatchObject({ ok: true });
    },
  );

  test("an operator who tries to change something is told that this is a view", async () => {
    const context = await api.contextOf(support, slug);
    const change = { id: customer.ownedIds.keyId, disabled: true };
    const calling = createCaller(context).keys.setDisabled(change);
    expect(await calling.catch((error: unknown) => String(error))).toContain("read-only");
  });

  test("an operator changes nothing of their own either, and can step up to end the view", async () => {
    const served: string[] = [];
    for (const name of procedureNames.filter(isMutation)) {
      // Signing out everywhere has a test of its own.
      if (metaOf(name).permission !== undefined || name === "sessions.endAll") continue;
      const visitor = await callProcedure(name, await api.contextOf(undefined), undefined);
      if (visitor.ok || visitor.fault !== "unauthenticated") continue;
      const outcome = await callProcedure(name, await api.contextOf(support), undefined);
      if (outcome.ok || outcome.fault !== "permission_denied") served.push(name);
    }
    expect(served).toEqual(["auth.stepUp", "factors.ask"]);
    const change = createCaller(await api.contextOf(support)).profile.update({ name: "Ada" });
    expect(await change.catch((error: unknown) => String(error))).toContain("read-only");
  });

  test("the members are told until when, and read why", async () => {
    const { viewedUntil } = await ask(customer, "auth.me", undefined);
    expect(Date.parse(viewedUntil)).toBeGreaterThan(Date.now());
    const { rows } = await ask(customer, "audit.list", {});
    expect(rows[0]).toMatchObject({
      action: "view.start",
      actorKind: "operator",
      changes: { reason: [null, reason], until: [null, viewedUntil] },
    });
  });

  test("the operator's own accounts do not include it, and it is not the default", async () => {
    const me = await ask(support, "auth.me", undefined);
    expect(me.account.id).toBe(support.accountId);
    expect(me.accounts.map((one: { slug: string }) => one.slug)).not.toContain(slug);
    const viewed = await ask(support, "auth.me", undefined, slug);
    expect(viewed.account).toMatchObject({ id: customer.accountId, role: "viewer" });
    expect(Date.parse(viewed.account.view.until)).toBeLessThanOrEqual(Date.now() + 900_000);
  });

  test("colleagues see the view, and nobody else may use it", async () => {
    const { views } = await ask(support, "operator.view.list", {});
    expect(views).toMatchObject([{ accountId: customer.accountId }]);
    expect(await read(await addOperator(api, "owner"), slug)).toBe("not_found");
  });
});

test("a member does not view the own account, and finance and read-only operators view none", async () => {
  const { accountId: account } = support;
  expect(await ask(support, "operator.view.start", { account, reason })).toBe("conflict");
  for (const role of ["finance", "read_only"] as const) {
    expect(await start(await addOperator(api, role))).toBe("permission_denied");
  }
});

test("of two starts at once, the second ends the view that the first began", async () => {
  const operator = await addOperator(api, "support");
  let starting: Promise<{ id: string }[]> | undefined;
  await api.owner.db.transaction(async (tx) => {
    await tx.execute("lock table audit_log in exclusive mode");
    starting = Promise.all([start(operator), start(operator)]);
    await untilWaiting(api.sql, { count: 2 });
  });
  const started = (await starting)?.map(({ id }) => id);
  const { views } = await ask(operator, "operator.view.list", {});
  const open = views.map(({ id }: { id: string }) => id);
  expect(started?.filter((id) => open.includes(id))).toHaveLength(1);
});

describe("neither the account nor colleagues are told of a view", () => {
  const told = async () => ({
    customer: (await ask(customer, "auth.me", undefined)).viewedUntil,
    ...(await ask(await addOperator(api, "owner"), "operator.view.list", {})),
  });
  const noView = { customer: null, views: [] };
  beforeEach(async () => {
    await api.owner.sql`update account_views set ended_at = now()`;
  });

  test("whose operator lost the role", async () => {
    const operator = await addOperator(api, "support");
    await start(operator);
    expect(await told()).not.toEqual(noView);
    await changeRole(operator, "finance");
    expect(await told()).toEqual(noView);
  });

  test("whose operator is signed in nowhere", async () => {
    const operator = await addOperator(api, "support");
    await start(operator);
    expect(await told()).not.toEqual(noView);
    expect(await ask(operator, "sessions.endAll", undefined)).toEqual({ ended: 1 });
    expect(await told()).toEqual(noView);
  });
});

describe("the next request is refused", () => {
  test("when the operator ends the view, which the account reads", async () => {
    const { id, slug } = await start(support);
    expect(await read(support, slug)).toMatchObject({ slug });
    await ask(support, "operator.view.end", { id, reason: "done" });
    expect(await read(support, slug)).toBe("not_found");
    expect(await ask(support, "profile.update", { name: "Ada" })).toEqual({});
    expect(await ask(support, "operator.view.end", { id, reason: "done" })).toBe("not_found");
    const { rows } = await ask(customer, "audit.list", {});
    expect(rows[0]).toMatchObject({ action: "view.end" });
    expect(await ask(customer, "auth.me", undefined)).toMatchObject({ viewedUntil: null });
  });

  test("when its time is over", async () => {
    const { slug } = await start(support);
    await api.owner.sql`update account_views set expires_at = now()`;
    expect(await read(support, slug)).toBe("not_found");
  });

  test("when the role of the operator is taken away or changed", async () => {
    const operator = await addOperator(api, "support");
    const { slug } = await start(operator);
    await changeRole(operator, "finance");
    expect(await read(operator, slug)).toBe("not_found");
  });
});
