// The router without HTTP, for tests: its own database, people with an account that has
// something of everything, and calls by the name of a procedure.

import { chooseAccount } from "@turnpike/accounts";
import { openAuth, scaleThrottles, throttleLimits } from "@turnpike/auth";
import {
  type AccountId,
  createSealer,
  type IdentityId,
  type InvitationId,
  newId,
  type PersonId,
  type TopUpId,
} from "@turnpike/base";
import { type BillingOptions, createBilling } from "@turnpike/billing";
import { readCatalog } from "@turnpike/catalog";
import {
  type Connection,
  connectDatabase,
  identities,
  invitations,
  memberships,
  persons,
} from "@turnpike/db";
import { mintApiKey } from "@turnpike/keys";
import { openFolderBlobs } from "@turnpike/objects";
import { createReceipts } from "@turnpike/receipts";
import { noFigures } from "@turnpike/reports";
import { createLog, createMetrics } from "@turnpike/telemetry";
import { type Role, toNanos } from "@turnpike/terms";
import { createTestDatabase, lowPasswordCost, patientLimits } from "@turnpike/testing";
import {
  addConversation,
  addDomainOf,
  addFactors,
  addProject,
  addReceivedInvitation,
  addWebhook,
} from "./add-secrets.fixture.ts";
import { addUsedKey } from "./add-used-key.fixture.ts";
import type { ApiContext, ApiServices } from "./context.ts";
import { deliverToConsole } from "./deliver-to-console.ts";
import { testCompany, testConfig } from "./test-config.fixture.ts";
import { claimerEmail } from "./walk-member-samples.fixture.ts";
import type { OwnedIds } from "./walk-sample.fixture.ts";

export { callProcedure, type Outcome, procedureNames } from "./call-procedure.fixture.ts";

export type Member = {
  readonly cookies: string;
  readonly accountId: AccountId;
  readonly ownedIds: OwnedIds;
};

export const memberPassword = "a member's own password";
const cheapHash = Bun.password.hash(memberPassword, {
  algorithm: "argon2id",
  memoryCost: lowPasswordCost.memoryKib,
  timeCost: lowPasswordCost.passes,
});

export type TestApi = Connection & {
  readonly services: ApiServices;
  /** For what the server's role may not do. */
  readonly owner: Connection;
  readonly url: string;
  readonly ownerUrl: string;
  /** A verified person who is signed in and owns a key, a request and a top-up. */
  readonly addMember: () => Promise<Member>;
  /** Another member of the same account. */
  readonly addColleague: (member: Member, role: Role) => Promise<Member>;
  /** In the account with this slug, else their personal one. */
  readonly contextOf: (member: Member | undefined, slug?: string) => Promise<ApiContext>;
};

const testWebhooks: ApiServices["webhooks"] = {
  sealer: createSealer(["the sealing key of the tests of the API"]),
  allowPrivate: true,
  publicUrl: "http://console.test",
  log: createLog({ level: "silent", name: "test" }),
};

/** Small objects are in their rows. */
const testObjects: ApiServices["objects"] = {
  sealer: createSealer(["the sealing key of the tests of files"]),
  blobs: openFolderBlobs("/nonexistent"),
  bytesMax: 1_048_576,
  countMax: 100,
};

const testSealed = {
  sealer: testWebhooks.sealer,
  webhooks: testWebhooks,
  objects: testObjects,
} satisfies Partial<ApiServices>;

function openTestFiles(): ApiServices["catalogFiles"] {
  const read = (text: string) => readCatalog(text, {}, { allowPrivate: true });
  const text = () => "providers: []\nmodels: []";
  return { path: "catalog.yaml", read, text, current: () => read(text()), own: () => read(text()) };
}

/** Without Stripe, top-ups are those of the sandbox. */
export async function openTestApi(stripe?: BillingOptions["stripe"]): Promise<TestApi> {
  const database = await createTestDatabase();
  const connection = connectDatabase({ url: database.url, ...patientLimits });
  const owner = connectDatabase({ url: database.ownerUrl, max: 1, ...patientLimits });
  const meters = createMetrics();
  const throttles = scaleThrottles(throttleLimits, 1_000);
  const bounds = { minNanos: toNanos(5_000_000_000n), maxNanos: toNanos(1_000_000_000_000n) };
  const services: ApiServices = {
    db: connection.db,
    report: (_, read) => read(connection.db),
    change: (_, run) => run(),
    read: (read) => read(connection.db),
    replicaLagMs: () => undefined,
    auth: openAuth(connection.db, {
      publicUrl: "http://console.test",
      productName: "Turnpike",
      passwordCharsMin: 12,
      sealer: createSealer(["a key of these tests, long enough"]),
      resolveTxt: async () => ["turnpike-domain=walker"],
      throttles,
      answerFloorMs: 0,
      passwordCost: lowPasswordCost,
    }),
    receipts: createReceipts({
      db: connection.db,
      sealer: createSealer(["a key that only tests seal with"]),
      publicUrl: "http://console.test",
    }),
    billing: createBilling({
      stripe,
      allowSandbox: true,
      publicUrl: "http://console.test",
      bounds,
      throttles,
      recallLeases: async () => undefined,
      log: createLog({ level: "silent", name: "test" }),
      meters,
    }),
    ...testSealed,
    catalog: { current: { version: "test", models: new Map() } },
    figures: { current: noFigures },
    catalogFiles: openTestFiles(),
    config: testConfig,
    company: testCompany,
    delivery: deliverToConsole(testCompany),
  };
  const contextOf = async (member: Member | undefined, slug?: string): Promise<ApiContext> => {
    const cookies = member?.cookies ?? null;
    const authenticated = await services.auth.sessions.authenticate(cookies);
    return {
      ...services,
      requestId: "req_test",
      address: "203.0.113.1",
      userAgent: "test",
      cookies,
      authenticated,
      account: authenticated && (await chooseAccount(connection.db, authenticated.person, slug)),
      setCookies: () => undefined,
    };
  };
  const close = async () => {
    await connection.close();
    await owner.close();
    meters.close();
    await database.drop();
  };
  const newColleague = (member: Member, role: Role) => addColleague(services, owner, member, role);
  return {
    ...connection,
    close,
    services,
    owner,
    url: database.url,
    ownerUrl: database.ownerUrl,
    contextOf,
    addMember: () => addMember(services, owner),
    addColleague: newColleague,
  };
}

/** In an organization of their own, which has a second member and an invitation. */
async function addMember(services: ApiServices, owner: Connection): Promise<Member> {
  const accountId = newId<AccountId>();
  await owner.sql`
    insert into accounts (id, kind, name) values (${accountId}, 'organization', ${accountId})`;
  const person = await addPerson(services, owner);
  await owner.db.insert(memberships).values({ accountId, personId: person.id });
  const colleague = await addPerson(services, owner);
  await owner.db.insert(memberships).values({
    accountId,
    personId: colleague.id,
    role: "admin",
    ownershipOfferedBy: person.id,
  });
  const ownedIds = await addBelongings(services, owner, { accountId, person, colleague });
  return { cookies: person.cookies, accountId, ownedIds };
}

/** A member of that account in a role, with a key and a request of their own in it. */
async function addColleague(
  services: ApiServices,
  owner: Connection,
  { accountId, ownedIds }: Member,
  role: Role,
): Promise<Member> {
  const person = await addPerson(services, owner);
  await owner.db.insert(memberships).values({ accountId, personId: person.id, role });
  const own = await addUsedKey(services, owner, accountId, person.id);
  return {
    cookies: person.cookies,
    accountId,
    ownedIds: {
      ...ownedIds,
      ...own,
      sessionId: person.sessionId,
      identityId: person.identityId,
    },
  };
}

type Person = Pick<OwnedIds, "sessionId" | "identityId"> & {
  readonly id: PersonId;
  readonly cookies: string;
};

async function addPerson(
  services: ApiServices,
  { db }: Connection,
  id = newId<PersonId>(),
  email = `${id}@example.com`,
): Promise<Person> {
  const passwordHash = await cheapHash;
  await db.insert(persons).values({ id, email, emailVerifiedAt: new Date(), passwordHash });
  const identityId = newId<IdentityId>();
  const identity = { provider: "acme", issuer: "https://acme.example", subject: id, email };
  await db.insert(identities).values({ ...identity, id: identityId, personId: id });
  const from = { address: "", userAgent: "" };
  const { setCookie } = await services.auth.sessions.open(services.db, id, from);
  const [cookies = ""] = setCookie.split(";");
  const authenticated = await services.auth.sessions.authenticate(cookies);
  return { id, cookies, identityId, sessionId: authenticated?.session.publicId ?? "" };
}

async function addBelongings(
  services: ApiServices,
  owner: Connection,
  by: { readonly accountId: AccountId; readonly person: Person; readonly colleague: Person },
): Promise<OwnedIds> {
  const { accountId, person, colleague } = by;
  const own = await addUsedKey(services, owner, accountId, person.id);
  const { id: foreignKeyId } = await mintApiKey(services.db, {
    accountId,
    createdBy: undefined,
    name: "made by an operator",
    limits: { spendLimitNanos: { day: toNanos(1_000_000_000n) } },
  });
  const topUpId = newId<TopUpId>();
  await owner.sql`
    insert into top_ups (id, account_id, person_id, amount_nanos, processor)
    values (${topUpId}, ${accountId}, ${person.id}, ${toNanos(1_000_000_000n).toString()}, 'sandbox')`;
  const invitationId = newId<InvitationId>();
  const claimer = await addPerson(services, owner, newId<PersonId>(), claimerEmail(invitationId));
  await owner.db.insert(invitations).values({
    accountId,
    id: invitationId,
    email: `invited-${invitationId}@example.com`,
    role: "viewer",
    hash: Buffer.from(invitationId),
    invitedBy: person.id,
    expiresAt: new Date(Date.now() + 60_000),
    claimedBy: claimer.id,
  });
  const factors = await addFactors(services, owner, person.id);
  const { sessionId, identityId } = person;
  return {
    ...own,
    ...factors,
    ...(await addWebhook(services, accountId)),
    ...(await addDomainOf(services, accountId)),
    ...(await addConversation(services, accountId, person.id)),
    ...(await addProject(services.db, accountId)),
    ...(await addReceivedInvitation(owner, person.id, colleague.id)),
    sessionId,
    identityId,
    foreignKeyId,
    topUpId,
    personId: colleague.id,
    invitationId,
  };
}
