// The one field of the desk: whatever a customer quotes leads to their account.
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
