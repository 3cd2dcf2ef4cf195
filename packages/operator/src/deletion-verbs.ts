// Deletes what an operator was asked to delete, as its owner would: an organization at once, a person with their
// personal account after days in which it can be undone.
import { closeAccount } from "@turnpike/accounts";
import { cancelDeletionAs, requestDeletionAs } from "@turnpike/auth";
import { notifyKeyChange, revokeAccountKeys } from "@turnpike/keys";
import { queryAccount } from "./account/query-account.ts";
import { accountInput, emailInput, line } from "./inputs.ts";
import { actorOf, command, support } from "./verb.ts";

export const accountDeletionVerbs = {
  close: command({
    roles: support,
    label: "Delete organization",
    destroys: true,
    summary:
      "deletes an organization at once and for good, unless it has or owes money; type its name",
    input: { account: accountInput, name: line(200).meta({ title: "Name of the organization" }) },
    async run({ db }, by, { account: named, name, reason }) {
      const account = await queryAccount(db, named);
      const operator = actorOf(by, reason);
      await closeAccount(db, { account, operator }, { name }, revokeAccountKeys);
      await notifyKeyChange(db, account.id);
      return { accountId: account.id, closed: true };
    },
  }),
};

export const personDeletionVerbs = {
  requestDeletion: command({
    roles: support,
    label: "Request deletion",
    destroys: true,
    summary: "deletes them and their personal account in a week, unless it has or owes money",
    input: { email: emailInput },
    async run({ db, auth }, by, { email, reason }) {
      const { dueAt } = await requestDeletionAs(db, auth, actorOf(by, reason), email);
      return { email, dueAt: dueAt.toISOString() };
    },
  }),
  cancelDeletion: command({
    roles: support,
    label: "Cancel deletion",
    summary: "stops a deletion that is under way, whether they or an operator asked for it",
    input: { email: emailInput },
    async run({ db }, by, { email, reason }) {
      await cancelDeletionAs(db, actorOf(by, reason), email);
      return { email };
    },
  }),
};
