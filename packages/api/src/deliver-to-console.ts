// Files that verbs of the desk make, in the console: a statement is in the answer; an archive is too large for one, and is
// downloaded.
import type { CompanyDetails } from "@turnpike/db";
import type { Delivery } from "@turnpike/operator";
import { statementNameOf, writeStatement } from "./write-statement.ts";

export function deliverToConsole(company: CompanyDetails): Delivery {
  return {
    async statement(of) {
      const pdf = await writeStatement(company, of);
      return { fileName: statementNameOf(of), base64: pdf.toString("base64") };
    },
    archive:
      async ({ id }) =>
      async () => ({ path: `/console/export?of=operated&account=${id}` }),
  };
}
