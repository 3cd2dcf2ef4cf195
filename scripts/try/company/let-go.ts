// People leave: the keys of some are revoked, of others kept, of others handed over; each is proven by calls.
import { textAt } from "./ask.ts";
import { type Company, founderEmail, signIn } from "./found-company.ts";
import type { Person } from "./hire.ts";
import { complete } from "./spend.ts";

export const fates = ["revoke", "keep", "hand_over"] as const;
export type Fate = (typeof fates)[number];

/** Every instance hears of a revoked key within a second; a busy machine may take longer. */
const tries = 100;
const pauseMs = 100;

/** What was found wrong. */
export async function letGo(company: Company, person: Person, fate: Fate): Promise<string[]> {
  const { manage } = company;
  const { email, key } = person;
  if (key === undefined) throw new Error(`${email} has no key`);
  const wrong = [];
  await signIn(person.visitor, email);
  if ((await person.visitor.statusOf("keys.list", {})) !== 200) {
    wrong.push(`${email} could not see the keys before leaving`);
  }
  await manage.call(`DELETE /members/${person.id}?keys=${fate}`);
  if ((await person.visitor.statusOf("keys.list", {})) !== 404) {
    wrong.push(`${email} still sees the account`);
  }
  const expected = fate === "revoke" ? 401 : 200;
  const status = await statusOfCall(company, person, expected);
  if (status !== expected) wrong.push(`a call with the key of ${email} (${fate}) got ${status}`);
  const shown = await manage.call(`GET /keys/${key.id}`);
  const owner = fate === "hand_over" ? founderEmail : email;
  if (textAt(shown, "created_by") !== owner) {
    wrong.push(`the key of ${email} (${fate}) belongs to ${shown.created_by}`);
  }
  const state = fate === "revoke" ? "revoked" : "active";
  if (shown.status !== state) wrong.push(`the key of ${email} (${fate}) is ${shown.status}`);
  return wrong;
}

async function statusOfCall(company: Company, person: Person, expected: number): Promise<number> {
  let status = 0;
  for (let trial = 0; trial < tries; trial += 1) {
    ({ status } = await complete(company, person, "company/small"));
    if (status === expected) return status;
    await Bun.sleep(pauseMs);
  }
  return status;
}
