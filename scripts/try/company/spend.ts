// A day of the company: everyone with a key calls a model, one person until their budget is reached, and one receipt is
// verified. Refusals are expected where a limit says so, and nowhere else.
import { type Answer, ask, textAt, valueAt } from "./ask.ts";
import { companyModels } from "./company-catalog.ts";
import { type Company, verifyReceipt } from "./found-company.ts";
import type { Person } from "./hire.ts";

export type Spent = { calls: number; refused: number; receipts: number };

/** How many people call at the same time. */
const callers = 8;

/** More than the tight budget of a day pays for. */
const callsUntilBudget = 40;

export async function spendOneDay(
  company: Company,
  { people, day, spent }: { people: readonly Person[]; day: number; spent: Spent },
): Promise<void> {
  const waiting = [...people.entries()];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [place, person] = next;
      await spendOne(company, { person, place, day, spent });
    }
  };
  await Promise.all(Array.from({ length: callers }, work));
}

async function spendOne(
  company: Company,
  { person, place, day, spent }: { person: Person; place: number; day: number; spent: Spent },
): Promise<void> {
  if (person.key === undefined) return;
  if (person.isLimited) return reachBudget(company, person, spent);
  const model = companyModels[(place + day) % companyModels.length] ?? "company/small";
  const answer = await complete(company, person, model);
  if (answer.status !== 200) throw unexpected(person, answer);
  spent.calls += 1;
  if (spent.receipts >= day) return;
  spent.receipts += 1;
  const id = answer.headers.get("x-generation-id") ?? "";
  await checkReceipt(company, { key: person.key.secret, id, model });
}

export function complete({ site }: Company, person: Person, model: string): Promise<Answer> {
  return ask(`${site.server().baseUrl}/chat/completions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${person.key?.secret}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({
      model,
      max_tokens: 20,
      messages: [{ role: "user", content: 'hello #script {"deltas":5}' }],
    }),
  });
}

/** Some calls, then a 402 that names the budget; and a model outside the list of the key. */
async function reachBudget(company: Company, person: Person, spent: Spent): Promise<void> {
  const forbidden = await complete(company, person, "company/large");
  if (forbidden.status !== 403) throw unexpected(person, forbidden);
  spent.refused += 1;
  for (let call = 0; call < callsUntilBudget; call += 1) {
    const answer = await complete(company, person, "company/small");
    if (answer.status === 200) {
      spent.calls += 1;
      continue;
    }
    const isBudget = valueAt(answer.body, "error.metadata.reason") === "budget_reached" && call > 0;
    if (answer.status !== 402 || !isBudget) throw unexpected(person, answer);
    spent.refused += 1;
    return;
  }
  throw new Error(`${person.email} never reached the budget`);
}

async function checkReceipt(
  { site }: Company,
  { key, id, model }: { key: string; id: string; model: string },
): Promise<void> {
  const receipt = await ask(`${site.server().baseUrl}/generation/${id}/receipt`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const claims = await verifyReceipt(site.server().url, textAt(receipt.body, "text"));
  if (valueAt(claims, "jti") !== id || valueAt(claims, "model") !== model) {
    throw new Error(`the receipt of ${id} is about another call: ${JSON.stringify(claims)}`);
  }
}

function unexpected({ email }: Person, { status, body }: Answer): Error {
  return new Error(`${email} got ${status}: ${JSON.stringify(body)}`);
}
