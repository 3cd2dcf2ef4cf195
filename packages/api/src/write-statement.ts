// The PDF of a month's statement as an account and the operator get it: numbered, from the operator to the company that
// the account names.
import type { CompanyDetails } from "@turnpike/db";
import type { StatementOf } from "@turnpike/operator";

export async function writeStatement(
  from: CompanyDetails,
  { account, company, statement }: StatementOf,
): Promise<Buffer> {
  // Rarely used, and large.
  const { writeStatementPdf } = await import("./write-statement-pdf.ts");
  return writeStatementPdf(statement, {
    number: `${statement.month}-${account.id.slice(-8).toUpperCase()}`,
    from,
    to: {
      name: company?.name || account.name,
      addressLines: company?.addressLines ?? [],
      taxNumber: company?.taxNumber ?? "",
    },
  });
}

export function statementNameOf({ account, statement }: StatementOf): string {
  return `${account.slug}-${statement.month}.pdf`;
}
