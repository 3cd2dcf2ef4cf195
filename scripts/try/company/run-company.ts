// The month of the company from its foundation to its closed books, and the report of it.
import { mailBudgets } from "@turnpike/budgets";
import { closeBooks, countActions } from "./close-books.ts";
import type { CompanyOptions } from "./company-options.ts";
import { type CompanySite, openCompanySite } from "./company-site.ts";
import { type Company, foundCompany } from "./found-company.ts";
import { hire, type Person, type Staff } from "./hire.ts";
import { fates, letGo } from "./let-go.ts";
import { readWebhooks } from "./read-webhooks.ts";
import { type Spent, spendOneDay } from "./spend.ts";

export async function runCompany(options: CompanyOptions): Promise<number> {
  const site = await openCompanySite();
  try {
    const wrong = await liveThroughMonth(site, options);
    for (const line of wrong) console.log(`WRONG: ${line}`);
    console.log(wrong.length === 0 ? "Everything adds up." : `${wrong.length} things are wrong.`);
    return wrong.length === 0 ? 0 : 1;
  } catch (error) {
    console.log(`WRONG: ${error instanceof Error ? error.stack : error}`);
    return 1;
  } finally {
    await site.close();
  }
}

async function liveThroughMonth(site: CompanySite, options: CompanyOptions): Promise<string[]> {
  const begun = site.now();
  const company = await foundCompany(site);
  console.log(`By hand: ${company.byHand.join(", ")}.`);
  const staff = await hire(company, options.people);
  const keys = staff.people.filter(({ key }) => key !== undefined).length;
  console.log(
    `Hired ${staff.people.length} people for ${staff.projects.length} projects, with ${keys} keys.`,
  );
  const { leavers, spent, wrong } = await spendMonth(company, staff, options);
  const books = await closeBooks(company, begun);
  const made = `${spent.calls} calls, ${spent.refused} refused by limits`;
  console.log(
    `In ${options.days} days: ${made}, ${spent.receipts} receipts verified, $${books.usageUsd} spent in ${books.requests} requests.`,
  );
  const fired = await readWebhooks(company, staff, {
    "key.created": keys,
    "key.revoked": leavers.filter((_, place) => fates[place % fates.length] === "revoke").length,
    "member.invited": staff.people.length,
    "member.joined": staff.people.length,
    "member.removed": leavers.length,
  });
  console.log(`${fired.messages} webhooks came, each with a valid signature.`);
  const missing = await missingActions(company, {
    "invitation.create": staff.people.length,
    "key.create": keys,
    "member.remove": leavers.length,
    "project.create": staff.projects.length,
    "webhook.create": 1,
  });
  console.log(`${company.manage.changes()} changes were made through the management API.`);
  return [...wrong, ...books.wrong, ...fired.wrong, ...missing];
}

async function spendMonth(company: Company, staff: Staff, { people: count, days }: CompanyOptions) {
  const leavers = staff.people
    .filter(({ role }) => role === "developer")
    .slice(0, Math.max(fates.length, Math.floor(count / 5)));
  const spent: Spent = { calls: 0, refused: 0, receipts: 0 };
  const wrong: string[] = [];
  const gone = new Set<Person>();
  const leaveOn = Math.ceil((days * 2) / 3);
  for (let day = 1; day <= days; day += 1) {
    await company.site.nextDay();
    if (day === leaveOn) {
      for (const [place, person] of leavers.entries()) {
        wrong.push(...(await letGo(company, person, fates[place % fates.length] ?? "revoke")));
        gone.add(person);
      }
      console.log(`Let ${leavers.length} go; their keys were revoked, kept or handed over.`);
    }
    const people = staff.people.filter((person) => !gone.has(person));
    await spendOneDay(company, { people, day, spent });
    // What the server does every minute: a simulated day is over before the first one.
    await mailBudgets(company.site.owner.db, company.site.server().url);
  }
  // Their last hours are posted.
  await company.site.nextDay();
  return { leavers, spent, wrong };
}

async function missingActions(
  company: Company,
  expected: Readonly<Record<string, number>>,
): Promise<string[]> {
  const counts = await countActions(company);
  return Object.entries(expected).flatMap(([action, count]) => {
    const found = counts.get(action) ?? 0;
    return found === count ? [] : [`${found} entries ${action} in the audit log, not ${count}`];
  });
}
