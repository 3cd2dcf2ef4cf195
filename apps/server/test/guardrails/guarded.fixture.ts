// A catalog in which each route has something that a guardrail may exclude, and accounts with guardrails.
import type { AccountId } from "@turnpike/base";
import { operator } from "@turnpike/db";
import { createProject, type GuardrailRules, moveApiKey, setGuardrail } from "@turnpike/keys";
import {
  chatBody,
  type JsonObject,
  openAccount,
  postChat,
  type TestAccount,
  type TestServer,
} from "../harness/index.ts";

export const guarded = {
  /** Routes `keeps` at 1 and 4 USD, `deletes` at 2 and 8 USD, `retains-nothing` at 3 and 12 USD. */
  many: "vendor/many",
  /** Only `keeps`. */
  one: "vendor/one",
  /** Only `silent`, whose policy is not stated. */
  other: "other/model",
  embeddings: "vendor/embeddings",
} as const;

export function guardedCatalog(baseUrl: string): string {
  const facts = "contextTokens: 10000, maxOutputTokens: 1000, capabilities: [tools]";
  const prices = (input: number) => `prices: { input: "${input}", output: "${input * 4}" }`;
  return `
providers:
  - { id: keeps, baseUrl: "${baseUrl}", apiKey: k-keeps, dataCollection: allow }
  - { id: deletes, baseUrl: "${baseUrl}", apiKey: k-deletes, dataCollection: deny }
  - { id: retains-nothing, baseUrl: "${baseUrl}", apiKey: k-retains-nothing, dataCollection: deny, zdr: true }
  - { id: silent, baseUrl: "${baseUrl}", apiKey: k-silent }
models:
  - { id: ${guarded.many}, ${facts}, ${prices(1)}, routes: [
      { provider: keeps, model: m },
      { provider: deletes, model: m, ${prices(2)} },
      { provider: retains-nothing, model: m, ${prices(3)} }] }
  - { id: ${guarded.one}, ${facts}, ${prices(1)}, routes: [{ provider: keeps, model: m }] }
  - { id: ${guarded.other}, ${facts}, ${prices(1)}, routes: [{ provider: silent, model: m }] }
  - { id: ${guarded.embeddings}, operation: embeddings, contextTokens: 1000, dimensions: 4,
      prices: { input: "1" }, routes: [{ provider: keeps, model: e }] }
`;
}

export type GuardedKind = "account" | "project" | "key";
export const guardedKinds = ["account", "project", "key"] as const;

type Place = Pick<TestServer, "owner">;

/** Sets the rules of the account, of the key's project or of the key. */
export async function guard(
  { owner }: Place,
  account: TestAccount,
  kind: GuardedKind,
  rules: GuardrailRules,
): Promise<void> {
  const [key] = await owner.sql<{ project: string }[]>`
    select coalesce(project_id, account_id) as project from api_keys where id = ${account.keyId}`;
  const subjectId = { account: account.id, project: key?.project ?? "", key: account.keyId }[kind];
  await setGuardrail(owner.db, editorOf(account.id), { kind, subjectId, rules });
}

export function editorOf(accountId: AccountId) {
  return { accountId, actor: operator, requireRecentProof: () => undefined };
}

/** An account with a key in a project of its own, and these rules. */
export async function openGuarded(
  server: Place,
  rules: Readonly<Partial<Record<GuardedKind, GuardrailRules>>>,
): Promise<TestAccount> {
  const account = await openAccount(server);
  const by = { accountId: account.id, by: operator };
  const projectId = await createProject(server.owner.db, by, { name: "Search" });
  await moveApiKey(server.owner.db, { accountId: account.id, id: account.keyId }, projectId);
  for (const kind of guardedKinds) {
    const own = rules[kind];
    if (own !== undefined) await guard(server, account, kind, own);
  }
  return account;
}

/** Posts a short chat request, by default for the model with every route. */
export function askGuarded(
  server: Pick<TestServer, "baseUrl">,
  { key }: Pick<TestAccount, "key">,
  fields: JsonObject = {},
): Promise<Response> {
  return postChat(server, key, chatBody({ deltas: 1 }, { model: guarded.many, ...fields }));
}
