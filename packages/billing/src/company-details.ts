// The company that an account is used by, as its statements name it.
import { type AccountId, Fault, parseName } from "@turnpike/base";
import { type AuditActor, accounts, type CompanyDetails, type Db, recordAudit } from "@turnpike/db";
import { companyMax } from "@turnpike/terms";
import { eq } from "drizzle-orm";

/** Null until someone entered them. */
export async function queryCompany(db: Db, accountId: AccountId): Promise<CompanyDetails | null> {
  const [account] = await db
    .select({ company: accounts.company })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return account?.company ?? null;
}

/** What is absent stays; all empty removes them. Throws `invalid_value`, and `conflict` for a deleted account. */
export async function setCompany(
  db: Db,
  accountId: AccountId,
  given: { readonly [Name in keyof CompanyDetails]?: CompanyDetails[Name] | undefined },
  by: AuditActor,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx
      .select({ company: accounts.company, closedAt: accounts.closedAt })
      .from(accounts)
      .where(eq(accounts.id, accountId))
      .for("no key update");
    if (before?.closedAt != null) throw new Fault("conflict", "This account is deleted.");
    const company = {
      name: parseLine(given.name ?? before?.company?.name ?? "", "name"),
      addressLines: (given.addressLines ?? before?.company?.addressLines ?? [])
        .map((text) => parseLine(text, "addressLines"))
        .filter((text) => text !== ""),
      taxNumber: parseLine(given.taxNumber ?? before?.company?.taxNumber ?? "", "taxNumber"),
    };
    const isEmpty = Object.values(company).every((value) => value.length === 0);
    await tx
      .update(accounts)
      .set({ company: isEmpty ? null : company })
      .where(eq(accounts.id, accountId));
    const changes = {
      name: [before?.company?.name ?? null, company.name],
      address: [textOf(before?.company ?? null), textOf(company)],
      taxNumber: [before?.company?.taxNumber ?? null, company.taxNumber],
    } as const;
    await recordAudit(tx, { accountId, by, action: "account.set_company", changes });
  });
}

function parseLine(text: string, param: string): string {
  const message = `Use at most ${companyMax.lineChars} characters.`;
  return parseName(text, { charsMax: companyMax.lineChars, mayBeEmpty: true, message, param });
}

function textOf(company: CompanyDetails | null): string | null {
  return company?.addressLines.join(", ") ?? null;
}
