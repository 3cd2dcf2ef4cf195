// The company that a customer's statements name.
import { type AccountId, cleanName, normalizeName } from "@turnpike/base";
import { queryCompany, setCompany } from "@turnpike/billing";
import type { Db } from "@turnpike/db";
import { companyMax } from "@turnpike/terms";
import { z } from "zod";
import { queryAccount } from "./account/query-account.ts";
import { accountInput, line } from "./inputs.ts";
import { actorOf, command, everyone, finance, query } from "./verb.ts";

const { lineChars, addressLines, taxNumberChars } = companyMax;

const emptied = { description: '"none" empties it.' };

/** `none` empties it. */
const textInput = (charsMax: number) =>
  line(charsMax)
    .meta(emptied)
    .transform((text) => (text.trim() === "none" ? "" : text));

/** Lines are separated by semicolons or line breaks; `none` empties it. */
const addressInput = z
  .string()
  .max((lineChars + 1) * addressLines)
  .meta(emptied)
  .transform((text) => (text.trim() === "none" ? [] : text.split(/[;\n]/)))
  .refine((lines) => lines.length <= addressLines, `Use at most ${addressLines} lines.`)
  .refine(
    (lines) => lines.every(isLine),
    `Use at most ${lineChars} characters a line, all of which can be seen.`,
  );

function isLine(text: string): boolean {
  return cleanName(text, lineChars) === normalizeName(text);
}

export const companyVerbs = {
  show: query({
    roles: everyone,
    summary: "the company that the statements of an account name",
    input: { account: accountInput },
    run: async ({ db }, _, { account }) => showCompany(db, (await queryAccount(db, account)).id),
  }),
  change: command({
    roles: finance,
    label: "Correct company details",
    summary:
      "corrects it, address lines separated by semicolons; what is not given stays, none empties a field",
    input: {
      account: accountInput,
      name: textInput(lineChars).optional(),
      address: addressInput.optional(),
      taxNumber: textInput(taxNumberChars).optional(),
    },
    async run({ db }, by, { account, name, address, taxNumber, reason }) {
      const { id } = await queryAccount(db, account);
      const given = { name, addressLines: address, taxNumber };
      await setCompany(db, id, given, actorOf(by, reason));
      return showCompany(db, id);
    },
  }),
};

/** Empty where the account entered nothing. */
async function showCompany(db: Db, accountId: AccountId) {
  const company = await queryCompany(db, accountId);
  return {
    accountId,
    name: company?.name ?? "",
    addressLines: company?.addressLines ?? [],
    taxNumber: company?.taxNumber ?? "",
  };
}
