// The company that a customer's statements name.
import type { AccountId } from "@turnpike/base";
import { readCompany, setCompany } from "@turnpike/billing";
import type { Db } from "@turnpike/db";
import { companyMax } from "@turnpike/terms";
import { z } from "zod";
import { readAccount } from "./account/read-account.ts";
import { accountInput, line } from "./inputs.ts";
import { actorOf, command, everyone, finance, query } from "./verb.ts";

const { lineChars, addressLines, taxNumberChars } = companyMax;

/** Lines are separated by semicolons or line breaks. */
const addressInput = z
  .string()
  .max((lineChars + 1) * addressLines)
  .transform((text) => text.split(/[;\n]/).map((part) => part.trim()))
  .pipe(z.array(line(lineChars)).max(addressLines, `Use at most ${addressLines} lines.`));

export const companyVerbs = {
  show: query({
    roles: everyone,
    summary: "the company that the statements of an account name",
    input: { account: accountInput },
    run: async ({ db }, _, { account }) => showCompany(db, (await readAccount(db, account)).id),
  }),
  change: command({
    roles: finance,
    label: "Correct company details",
    summary: "corrects it, address lines separated by semicolons; what is not given stays",
    input: {
      account: accountInput,
      name: line(lineChars).optional(),
      address: addressInput.optional(),
      taxNumber: line(taxNumberChars).optional(),
    },
    async run({ db }, by, { account, name, address, taxNumber, reason }) {
      const { id } = await readAccount(db, account);
      const given = { name, addressLines: address, taxNumber };
      await setCompany(db, id, given, actorOf(by, reason));
      return showCompany(db, id);
    },
  }),
};

/** Empty where the account entered nothing. */
async function showCompany(db: Db, accountId: AccountId) {
  const company = await readCompany(db, accountId);
  return {
    accountId,
    name: company?.name ?? "",
    addressLines: company?.addressLines ?? [],
    taxNumber: company?.taxNumber ?? "",
  };
}
