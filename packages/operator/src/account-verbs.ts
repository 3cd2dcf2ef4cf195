// What an operator asks about one account, and does to it.
import { resumeAccount, suspendAccount } from "@turnpike/keys";
import { readAccount } from "./account/read-account.ts";
import { showAccount } from "./account/show-account.ts";
import { accountInput } from "./inputs.ts";
import { action, actorOf, everyone, question, support } from "./verb.ts";

export const accountVerbs = {
  show: question({
    roles: everyone,
    summary: "balance, state and members",
    input: { account: accountInput },
    run: async ({ db }, _, { account }) => showAccount(db, (await readAccount(db, account)).id),
  }),
  suspend: action({
    roles: support,
    summary: "refuses all its keys; its money stays",
    input: { account: accountInput },
    async run({ db }, by, { account, reason }) {
      const { id } = await readAccount(db, account);
      await suspendAccount(db, id, actorOf(by, reason));
      return showAccount(db, id);
    },
  }),
  resume: action({
    roles: support,
    summary: "accepts its keys again",
    input: { account: accountInput },
    async run({ db }, by, { account, reason }) {
      const { id } = await readAccount(db, account);
      await resumeAccount(db, id, actorOf(by, reason));
      return showAccount(db, id);
    },
  }),
};
