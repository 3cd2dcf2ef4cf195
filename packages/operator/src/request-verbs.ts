// One call at the desk.
import { explainCall } from "./explain-call.ts";
import { line } from "./inputs.ts";
import { everyone, query } from "./verb.ts";

export const requestVerbs = {
  explain: query({
    roles: everyone,
    summary: "why it was charged: tokens, price, route, attempts, hold, and what ended it",
    input: { id: line(128) },
    run: ({ db }, _, { id }) => explainCall(db, id),
  }),
};
