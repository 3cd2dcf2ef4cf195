// All accounts of the installation as a list.
import { accountKinds, type Nanos, parseUsd, toNanos } from "@turnpike/terms";
import { z } from "zod";
import {
  accountSorts,
  accountStates,
  accountsPageMax,
  listAccounts,
} from "./account/list-accounts.ts";
import { instantInput, line } from "./inputs.ts";
import { everyone, query } from "./verb.ts";

const pageRows = 50;

/** `"10"`, `"-2.5"`, `"0"`. */
const balanceInput = z
  .string()
  .regex(/^-?\d{1,9}(\.\d{1,9})?$/, 'Write an amount in USD like "10" or "-2.50".')
  .transform((text): Nanos => {
    const size = parseUsd(text.replace("-", "")) ?? 0n;
    return toNanos(text.startsWith("-") ? -size : size);
  });

export const accountListVerbs = {
  list: query({
    roles: everyone,
    summary:
      "accounts by age, balance or what they ever spent, highest first; by state, kind and range; in pages",
    input: {
      state: z.enum(accountStates).optional(),
      kind: z.enum(accountKinds).optional(),
      balanceFromUsd: balanceInput.optional(),
      balanceToUsd: balanceInput.optional(),
      spentFromUsd: balanceInput.optional(),
      createdFrom: instantInput.optional(),
      createdTo: instantInput.optional(),
      sort: z.enum(accountSorts).optional(),
      ascending: z.boolean().optional(),
      limit: z.number().int().min(1).max(accountsPageMax).optional(),
      cursor: line(200).optional(),
    },
    run: ({ db }, _, { balanceFromUsd, balanceToUsd, spentFromUsd, ...asked }) =>
      listAccounts(db, {
        ...asked,
        balanceFrom: balanceFromUsd,
        balanceTo: balanceToUsd,
        spentFrom: spentFromUsd,
        sort: asked.sort ?? "created",
        ascending: asked.ascending ?? false,
        limit: asked.limit ?? pageRows,
      }),
  }),
};
