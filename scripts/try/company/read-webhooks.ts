// What the company was told by webhook: each message is signed as the Standard Webhooks specification says, and every
// event that must have happened is among them.
import { createHmac } from "node:crypto";
import { textAt } from "./ask.ts";
import { countWaiting } from "./close-books.ts";
import type { Company } from "./found-company.ts";
import type { Staff } from "./hire.ts";

const tries = 300;
const pauseMs = 100;

export type Told = { readonly messages: number; readonly wrong: readonly string[] };

/** `expected` is how many messages of a type there must be, each with an id of its own. */
export async function readWebhooks(
  company: Company,
  { webhook }: Staff,
  expected: Readonly<Record<string, number>>,
): Promise<Told> {
  const { receiver } = company.site;
  for (let trial = 0; trial < tries; trial += 1) {
    if ((await countWaiting(company, webhook.id)) === 0) break;
    await Bun.sleep(pauseMs);
  }
  const wrong: string[] = [];
  const idsOf = new Map<string, Set<string>>();
  for (const { headers, body } of receiver.received) {
    const id = headers["webhook-id"] ?? "";
    const signed = `${id}.${headers["webhook-timestamp"]}.${body}`;
    const secret = Buffer.from(webhook.secret.replace("whsec_", ""), "base64");
    const signature = createHmac("sha256", secret).update(signed).digest("base64");
    const given = (headers["webhook-signature"] ?? "").split(" ");
    if (!given.includes(`v1,${signature}`)) wrong.push(`the webhook ${id} is not signed`);
    const type = textAt(JSON.parse(body), "type");
    idsOf.set(type, (idsOf.get(type) ?? new Set()).add(id));
  }
  for (const [type, count] of Object.entries(expected)) {
    const found = idsOf.get(type)?.size ?? 0;
    if (found !== count) wrong.push(`${found} webhooks ${type} instead of ${count}`);
  }
  if (!idsOf.has("budget.reached")) wrong.push("no webhook told of a budget");
  return { messages: receiver.received.length, wrong };
}
