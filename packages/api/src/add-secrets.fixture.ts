// What people and accounts of these tests own besides keys: second factors, endpoints of webhooks, domains,
// projects, budgets, guardrails and stored prompts.
import {
  type AccountId,
  type ApiKeyId,
  type DomainId,
  type FactorId,
  type GenerationId,
  type InvitationId,
  newId,
  type PersonId,
  type WebhookEndpointId,
} from "@turnpike/base";
import { setBudget } from "@turnpike/budgets";
import {
  type Connection,
  type Db,
  domains,
  operator,
  sendToEndpoint,
  webhookEndpoints,
} from "@turnpike/db";
import { createProject, setGuardrail } from "@turnpike/keys";
import { shareConversation } from "@turnpike/prompts";
import { toNanos } from "@turnpike/terms";
import type { ApiServices } from "./context.ts";
import type { OwnedIds } from "./walk-sample.fixture.ts";

/** A passkey, and an authenticator app that was begun. */
export async function addFactors(
  { auth }: ApiServices,
  owner: Connection,
  personId: PersonId,
): Promise<Pick<OwnedIds, "factorId" | "begunFactorId">> {
  const factorId = newId<FactorId>();
  const begunFactorId = newId<FactorId>();
  const secret = auth.sealer?.seal(`factors ${begunFactorId}`, "A".repeat(32)) ?? null;
  await owner.sql`
    insert into factors (id, person_id, kind, name, confirmed_at, credential_id, public_key, secret)
    values (${factorId}, ${personId}, 'passkey', 'Laptop', now(), ${factorId}, 'key', null),
           (${begunFactorId}, ${personId}, 'totp', 'App', null, null, null, ${secret})`;
  return { factorId, begunFactorId };
}

/** An invitation that the person has not answered, to an organization that has nobody else in it. */
export async function addReceivedInvitation(
  owner: Connection,
  personId: PersonId,
  invitedBy: PersonId,
): Promise<Pick<OwnedIds, "receivedInvitationId">> {
  const accountId = newId<AccountId>();
  const receivedInvitationId = newId<InvitationId>();
  await owner.sql`insert into accounts (id, kind, name) values (${accountId}, 'organization', 'Host')`;
  await owner.sql`
    insert into invitations (account_id, id, email, role, hash, invited_by, expires_at)
    select ${accountId}, ${receivedInvitationId}, email, 'viewer', ${Buffer.from(receivedInvitationId)},
           ${invitedBy}, now() + interval '1 hour' from persons where id = ${personId}`;
  return { receivedInvitationId };
}

/** A project, and a budget of it. */
export async function addProject(
  db: Db,
  accountId: AccountId,
): Promise<Pick<OwnedIds, "projectId" | "budgetId">> {
  const by = { accountId, by: operator };
  const projectId = await createProject(db, by, { name: "Research" });
  const budget = { kind: "project", subjectId: projectId, period: "day", hard: true } as const;
  const budgetId = await setBudget(db, by, { ...budget, limitNanos: toNanos(1_000_000_000n) });
  return { projectId, budgetId };
}

/** A guardrail of a key. */
export async function addGuardrail(
  db: Db,
  accountId: AccountId,
  subjectId: ApiKeyId,
): Promise<Pick<OwnedIds, "guardrailId">> {
  const editor = { accountId, actor: operator, requireRecentProof: () => undefined };
  const rules = { allowedProviders: ["local", "other"] };
  const guardrailId = await setGuardrail(db, editor, { kind: "key", subjectId, rules });
  return { guardrailId };
}

/** An endpoint that wants every event, and a message to it. */
export async function addWebhook(
  { db, webhooks }: ApiServices,
  accountId: AccountId,
): Promise<Pick<OwnedIds, "endpointId" | "messageId">> {
  const endpointId = newId<WebhookEndpointId>();
  const url = "http://127.0.0.1:9/hooks";
  const secret = webhooks.sealer?.seal(`webhook_endpoints ${endpointId}`, "whsec_walker");
  if (secret === undefined) throw new Error("These tests need a sealer.");
  await db.insert(webhookEndpoints).values({ accountId, id: endpointId, url, secret });
  const event = { type: "webhook.test", data: {} };
  const message = { accountId, to: [endpointId], event, attemptsMax: 1 };
  const [messageId = ""] = await sendToEndpoint(db, message);
  return { endpointId, messageId };
}

/** A domain whose record is there, not proven yet. */
export async function addDomainOf(
  { db }: ApiServices,
  accountId: AccountId,
): Promise<Pick<OwnedIds, "domainId">> {
  const domainId = newId<DomainId>();
  const domain = `${domainId}.example`;
  await db.insert(domains).values({ accountId, id: domainId, domain, token: "walker" });
  return { domainId };
}

/** Shared by a person of the account. */
export async function addConversation(
  { db, sealer }: ApiServices,
  accountId: AccountId,
  personId: PersonId,
): Promise<Pick<OwnedIds, "conversationId">> {
  const sharer = { accountId, personId, managesAccount: false, by: operator, sealer };
  const conversation = { title: "Walk", content: "{}" };
  return { conversationId: await shareConversation(db, sharer, conversation) };
}

/** What was asked in a call of the default project, sealed as the server does. */
export async function storePrompt(
  { services, sql }: { readonly services: ApiServices; readonly sql: Connection["sql"] },
  accountId: AccountId,
  id: GenerationId,
  text: string,
): Promise<void> {
  const content = { request: { text }, answer: null, truncated: {}, redactions: null };
  const place = `stored_prompts ${accountId} ${id}`;
  const sealed = services.sealer?.seal(place, JSON.stringify(content)) ?? null;
  await sql`delete from stored_prompts where account_id = ${accountId} and generation_id = ${id}`;
  await sql`
    insert into stored_prompts (account_id, generation_id, project_id, created_at, sealed)
    values (${accountId}, ${id}, ${accountId}, now(), ${sealed})`;
}
