// The router without HTTP, for tests: its own database, people with an account that has
// something of everything, and calls by the name of a procedure.

import { TRPCError } from "@trpc/server";
import { openAuth, scaleThrottles, throttleLimits } from "@turnpike/auth";
import {
  type AccountId,
  type FaultCode,
  formatGenerationId,
  type GenerationId,
  newId,
  type PersonId,
  type TopUpId,
  toNanos,
} from "@turnpike/base";
import { openBilling } from "@turnpike/billing";
import { type Connection, connectDatabase, memberships, persons } from "@turnpike/db";
import { mintApiKey } from "@turnpike/keys";
import { openLog, openMetrics } from "@turnpike/telemetry";
import { createTestDatabase } from "@turnpike/testing";
import { appRouter, createCaller } from "./app-router.ts";
import type { ApiContext, ApiServices } from "./context.ts";
import { faultOf } from "./fault-to-trpc.ts";
import type { OwnedIds } from "./walk-samples.fixture.ts";

export type Member = {
  readonly cookies: string;
  readonly accountId: AccountId;
  readonly ownedIds: OwnedIds;
};

export const memberPassword = "a member's own password";
const cheapHash = Bun.password.hash(memberPassword, {
  algorithm: "argon2id",
  memoryCost: 1_024,
  timeCost: 1,
});

export type TestApi = Connection & {
  readonly services: ApiServices;
  /** For what the server's role may not do. */
  readonly ownerUrl: string;
  /** A verified person who is signed in and owns a key, a request and a top-up. */
  readonly addMember: () => Promise<Member>;
  readonly contextOf: (member: Member | undefined) => Promise<ApiContext>;
};

export async function openTestApi(): Promise<TestApi> {
  const database = await createTestDatabase();
  const connection = connectDatabase({ url: database.url });
  const owner = connectDatabase({ url: database.ownerUrl, max: 1 });
  const meters = openMetrics();
  const throttles = scaleThrottles(throttleLimits, 1_000);
  const bounds = { minNanos: toNanos(5_000_000_000n), maxNanos: toNanos(1_000_000_000_000n) };
  const services: ApiServices = {
    db: connection.db,
    report: (_, read) => read(connection.db),
    auth: openAuth(connection.db, {
      publicUrl: "http://console.test",
      productName: "Turnpike",
      passwordCharsMin: 12,
      throttles,
      answerFloorMs: 0,
    }),
    billing: openBilling({
      stripe: undefined,
      allowSandbox: true,
      publicUrl: "http://console.test",
      bounds,
      throttles,
      recallLeases: async () => undefined,
      log: openLog({ level: "silent", name: "test" }),
      meters,
    }),
    catalog: { current: { version: "test", models: new Map() } },
    config: {
      productName: "Turnpike",
      supportEmail: "",
      minTopUpUsd: "5",
      maxTopUpUsd: "1000",
      topUpPresetsUsd: ["10"],
      topUpMode: "sandbox",
      passwordMinLength: 12,
      development: false,
      apiBaseUrl: "http://console.test/v1",
    },
  };
  const contextOf = async (member: Member | undefined): Promise<ApiContext> => {
    const cookies = member?.cookies ?? null;
    return {
      ...services,
      requestId: "req_test",
      address: "203.0.113.1",
      userAgent: "test",
      cookies,
      authenticated: await services.auth.sessions.authenticate(cookies),
      setCookies: () => undefined,
    };
  };
  const close = async () => {
    await connection.close();
    await owner.close();
    meters.close();
    await database.drop();
  };
  const { ownerUrl } = database;
  const newMember = () => addMember(services, owner);
  return { ...connection, close, services, ownerUrl, contextOf, addMember: newMember };
}

async function addMember(services: ApiServices, owner: Connection): Promise<Member> {
  const personId = newId<PersonId>();
  const accountId = newId<AccountId>();
  const email = `${personId}@example.com`;
  const { db } = owner;
  await db.insert(persons).values({
    id: personId,
    email,
    emailVerifiedAt: new Date(),
    passwordHash: await cheapHash,
  });
  await owner.sql`insert into accounts (id, name) values (${accountId}, ${email})`;
  await db.insert(memberships).values({ accountId, personId });
  const from = { address: "", userAgent: "" };
  const { setCookie } = await services.auth.sessions.open(services.db, personId, from);
  const [cookies = ""] = setCookie.split(";");
  const authenticated = await services.auth.sessions.authenticate(cookies);
  const { id: keyId } = await mintApiKey(services.db, {
    accountId,
    createdBy: personId,
    name: "own",
  });
  const { id: foreignKeyId } = await mintApiKey(services.db, {
    accountId,
    createdBy: undefined,
    name: "made by an operator",
    limits: { spendLimitNanos: { day: toNanos(1_000_000_000n) } },
  });
  const rowId = newId<GenerationId>();
  await owner.sql`
    insert into requests (account_id, id, key_id, state, status, model, outcome)
    values (${accountId}, ${rowId}, ${keyId}, 'refused', 402, 'a/model', 'refused')`;
  const topUpId = newId<TopUpId>();
  await owner.sql`
    insert into top_ups (id, account_id, person_id, amount_nanos, processor)
    values (${topUpId}, ${accountId}, ${personId}, ${toNanos(1_000_000_000n).toString()}, 'sandbox')`;
  const sessionId = authenticated?.session.publicId ?? "";
  const generationId = formatGenerationId(rowId);
  const ownedIds = { sessionId, keyId, foreignKeyId, generationId, topUpId };
  return { cookies, accountId, ownedIds };
}

export const procedureNames = Object.keys(appRouter._def.procedures).sort();

export type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: FaultCode; readonly param: string | undefined };

/** Calls a procedure by its dotted name, as the HTTP handler does. */
export async function callProcedure(
  name: string,
  context: ApiContext,
  input: unknown,
): Promise<Outcome> {
  const caller: unknown = createCaller(context);
  const procedure = name.split(".").reduce(memberOf, caller);
  if (typeof procedure !== "function") throw new Error(`There is no procedure ${name}.`);
  try {
    return { ok: true, value: await procedure(input) };
  } catch (error) {
    if (!(error instanceof TRPCError)) throw error;
    const { code, details } = faultOf(error);
    return { ok: false, fault: code, param: details.param };
  }
}

function memberOf(value: unknown, name: string): unknown {
  const isParent = (typeof value === "object" && value !== null) || typeof value === "function";
  return isParent ? Reflect.get(value, name) : undefined;
}
