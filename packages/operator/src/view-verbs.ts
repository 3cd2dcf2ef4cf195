// Looking at an account as its viewers see it, read-only and for a short time; the account sees that it is looked at.
import { endView, listViews, startView, viewMinutes } from "@turnpike/accounts";
import { Fault } from "@turnpike/base";
import { queryAccount } from "./account/query-account.ts";
import { accountInput, idInput } from "./inputs.ts";
import { actorOf, command, everyone, query, support } from "./verb.ts";

export const viewVerbs = {
  list: query({
    roles: everyone,
    summary: "which accounts operators are viewing now",
    input: {},
    async run({ db }) {
      const views = await listViews(db);
      return {
        views: views.map(({ startedAt, expiresAt, ...view }) => ({
          ...view,
          startedAt: startedAt.toISOString(),
          expiresAt: expiresAt.toISOString(),
        })),
      };
    },
  }),
  start: command({
    roles: support,
    summary: `shows the pages of an account in your console, read-only, for ${viewMinutes} minutes`,
    input: { account: accountInput },
    async run({ db }, by, { account, reason }) {
      const { personId } = by;
      if (personId === undefined) {
        throw new Fault("conflict", "Start a view at the desk: it opens in the console.");
      }
      const { id: accountId } = await queryAccount(db, account);
      const view = await startView(db, { accountId, personId }, actorOf(by, reason));
      return { ...view, expiresAt: view.expiresAt.toISOString() };
    },
  }),
  end: command({
    roles: support,
    summary: "ends a view before its time",
    input: { id: idInput() },
    async run({ db }, by, { id, reason }) {
      await endView(db, id, actorOf(by, reason));
      return { id };
    },
  }),
};
