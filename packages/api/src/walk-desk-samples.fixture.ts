// A valid input of every verb of the desk, for the test that walks them.
import type { Member } from "./open-test-api.fixture.ts";

const reason = "ticket 7";

export const deskSamples: Readonly<
  Record<string, (customer: Member) => Readonly<Record<string, unknown>>>
> = {
  "account.show": ({ accountId: account }) => ({ account }),
  "account.suspend": ({ accountId: account }) => ({ account, reason }),
  "account.resume": ({ accountId: account }) => ({ account, reason }),

  "desk.find": () => ({ text: "ada@" }),

  "operator.list": () => ({}),
  "operator.log": () => ({}),
  "operator.grant": () => ({ email: "nobody@example.com", role: "support", reason }),
  "operator.revoke": () => ({ email: "nobody@example.com", reason }),
};
