// "Add a verb of the operator's desk" with one that counts the keys of an account.
import type { Recipe } from "./recipe.ts";

/** What makes a verb that changes nothing is named by the verbs beside it. */
function writeVerb(text: string): string {
  const [, maker = ""] = /\blist: (\w+)\(\{/.exec(text) ?? [];
  return `  count: ${maker}({
    roles: everyone,
    summary: "how many keys an account has",
    input: { account: accountInput },
    async run({ db }, _, { account }) {
      return { keys: (await listKeys(db, (await queryAccount(db, account)).id)).keys.length };
    },
  }),`;
}

export const addVerb: Recipe = {
  title: "Add a verb of the operator's desk",
  edits: [
    { file: "key-verbs.ts", after: "export const keyVerbs = {", insert: writeVerb },
    {
      file: "walk-desk-samples.fixture.ts",
      before: '"key.list": ',
      insert: '  "key.count": ({ accountId: account }) => ({ account }),',
    },
  ],
  generate: ["verbs-doc.fixture.ts"],
};
