// The one field of the desk, where whatever a customer quotes leads to their account, and the forms of its verbs.
import type { OperatorRole } from "@turnpike/db";
import type { VerbForm } from "./describe-verb.ts";
import { find } from "./find/find.ts";
import { line } from "./inputs.ts";
import { everyone, query } from "./verb.ts";

export const deskVerbs = {
  find: query({
    roles: everyone,
    summary: "accounts, keys, calls and payments by anything a customer may quote",
    input: { text: line(254) },
    run: async ({ db }, _, { text }) => ({ found: await find(db, text) }),
  }),
};

/** Of the table of verbs, which this is part of. */
export function formVerbs(formsOf: (role: OperatorRole) => readonly VerbForm[]) {
  return {
    forms: query({
      roles: everyone,
      summary: "what your role may query and do, with what each takes",
      input: {},
      run: async (_, { role }) => ({ verbs: formsOf(role) }),
    }),
  };
}
