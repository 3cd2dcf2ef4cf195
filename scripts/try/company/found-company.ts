// What needs a person before a program can take over: an account for the founder, the organization, its first money
// and its first management key.
import { grantablePermissions } from "@turnpike/accounts";
import {
  ask,
  createManage,
  createVisitor,
  type Manage,
  textAt,
  tokenOf,
  type Visitor,
  valueAt,
} from "./ask.ts";
import type { CompanySite } from "./company-site.ts";

const password = "correct horse battery staple";
export const founderEmail = "grace@company.example";

export type Company = {
  readonly site: CompanySite;
  readonly manage: Manage;
  readonly slug: string;
  readonly topUpUsd: string;
  /** What was done beyond the management API. */
  readonly byHand: readonly string[];
};

export async function foundCompany(site: CompanySite): Promise<Company> {
  let slug: string | undefined;
  const url = () => site.server().url;
  const founder = createVisitor(url, () => slug);
  await joinTurnpike(founder, url(), founderEmail);
  slug = textAt(await founder.mutate("accounts.create", { name: "Fifty Ltd" }), "slug");
  const topUpUsd = "1000";
  const attemptId = Bun.randomUUIDv7("hex", site.now());
  const topUp = await founder.mutate("wallet.createTopUp", { amountUsd: topUpUsd, attemptId });
  await ask(`${url()}${textAt(topUp, "checkoutUrl")}`, {
    method: "POST",
    headers: {
      "sec-fetch-site": "same-origin",
      "content-type": "application/x-www-form-urlencoded",
    },
    body: "action=pay",
  });
  const created = await founder.mutate("managementKeys.create", {
    name: "company.ts",
    permissions: grantablePermissions,
    attemptId: Bun.randomUUIDv7("hex", site.now()),
  });
  return {
    site,
    slug,
    topUpUsd,
    manage: createManage(() => site.server().baseUrl, textAt(created, "key")),
    byHand: [
      "the first person signed up",
      "the organization was created",
      `$${topUpUsd} were added`,
      "the first management key was created",
    ],
  };
}

/** Registers, verifies the address and signs in. */
export async function joinTurnpike(visitor: Visitor, url: string, email: string): Promise<void> {
  await visitor.mutate("auth.register", { email, password });
  const token = await tokenOf(url, email, "verify_email");
  await visitor.mutate("auth.verifyEmail", { token, password });
  await signIn(visitor, email);
}

/** Weeks later the session of a person who does not use the console is over. */
export async function signIn(visitor: Visitor, email: string): Promise<void> {
  await visitor.mutate("auth.login", { email, password });
}

/** The claims of a signed receipt, verified with the published keys by the runtime's own cryptography. */
export async function verifyReceipt(url: string, receipt: string): Promise<unknown> {
  const [head = "", payload = "", signature = ""] = receipt.split(".");
  const { kid } = JSON.parse(Buffer.from(head, "base64url").toString());
  const { body } = await ask(`${url}/.well-known/jwks.json`, {});
  const keys: unknown = valueAt(body, "keys");
  const jwk = Array.isArray(keys) ? keys.find((key) => key.kid === kid) : undefined;
  const key = await crypto.subtle.importKey("jwk", jwk, "Ed25519", false, ["verify"]);
  const signed = Buffer.from(`${head}.${payload}`);
  const bytes = Buffer.from(signature, "base64url");
  if (!(await crypto.subtle.verify("Ed25519", key, bytes, signed))) {
    throw new Error("the signature of a receipt is wrong");
  }
  return JSON.parse(Buffer.from(payload, "base64url").toString());
}
