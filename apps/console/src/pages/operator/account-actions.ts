// The actions of the account page, as their dialogs ask for them.
import { type Answers, api } from "../../lib/api.ts";
import { formatAmount } from "../../lib/format.ts";
import { parseUsd } from "../../lib/typed-usd.ts";
import type { AskedAction } from "./ask-action.ts";
import type { VerbName } from "./use-operator.ts";

export type ShownAccount = Answers["operator"]["account"]["show"];
export type ShownKey = Answers["operator"]["key"]["list"]["keys"][number];
export type ShownTopUp = Answers["operator"]["topUp"]["list"]["topUps"][number];

const amountField = (hint: string) =>
  ({ kind: "text", name: "usd", label: "Amount in USD", hint }) as const;

export function suspendAction({ id: account, name, suspendedAt }: ShownAccount): AskedAction {
  if (suspendedAt !== null) {
    return {
      title: `Resume ${name}?`,
      body: "Its keys are accepted again.",
      confirmLabel: "Resume",
      run: ({ reason }) => api.operator.account.resume.mutate({ account, reason }),
    };
  }
  return {
    title: `Suspend ${name}?`,
    body: "All its keys are refused. Running calls finish; its money stays.",
    confirmLabel: "Suspend",
    run: ({ reason }) => api.operator.account.suspend.mutate({ account, reason }),
  };
}

export function adjustAction({ id: account, name }: ShownAccount): AskedAction {
  const idempotencyKey = crypto.randomUUID();
  return {
    title: `Adjust the balance of ${name}`,
    body: "Adds money that nobody paid, or takes it with a minus sign.",
    confirmLabel: "Adjust",
    fields: [amountField("Such as 10 or -2.50. A debit takes at most what is available.")],
    run: ({ reason, usd = "" }) =>
      api.operator.account.adjust.mutate({ account, usd: parseUsd(usd), idempotencyKey, reason }),
  };
}

export function creditAction({ id: account, name, creditLimitUsd }: ShownAccount): AskedAction {
  const hint = "0 ends the credit. It cannot be less than what the account owes.";
  return {
    title: `Credit limit of ${name}`,
    body: "Its requests continue when its balance is used up, and the balance goes below zero by at most this amount.",
    confirmLabel: "Set limit",
    initial: { usd: creditLimitUsd },
    fields: [amountField(hint)],
    run: ({ reason, usd = "" }) =>
      api.operator.account.setCreditLimit.mutate({ account, usd: parseUsd(usd), reason }),
  };
}

export const pricesAction = ({ id: account, name, prices }: ShownAccount): AskedAction => ({
  title: `Prices of ${name}`,
  body: "What it pays beside list prices, from its next request on. The most specific entry in force applies.",
  confirmLabel: "Set prices",
  initial: { prices: prices.map((price) => price.replace(": ", "=")).join(", ") },
  fields: [
    {
      kind: "text",
      name: "prices",
      label: "Prices",
      hint: "Such as anthropic/*=-10%, openai/gpt-4o=+5% until 2027-01-01. Empty is list prices.",
    },
    {
      kind: "select",
      name: "allowsBelowCost",
      label: "Prices below your cost, or none at all",
      choices: [
        { value: "", label: "Refuse" },
        { value: "yes", label: "Allow" },
      ],
    },
  ],
  run: ({ reason, prices: written = "", allowsBelowCost }) =>
    api.operator.account.setPrices.mutate({
      account,
      prices: written.trim() || "none",
      reason,
      allowsBelowCost: allowsBelowCost === "yes",
    }),
});

export function limitsAction({ id: account, name, limits }: ShownAccount): AskedAction {
  const field = (name: keyof typeof limits, label: string) =>
    ({ kind: "text", name, label }) as const;
  return {
    title: `Limits of ${name}`,
    body: "Of all its calls together. An empty field removes a limit.",
    initial: Object.fromEntries(
      Object.entries(limits).map(([name, limit]) => [name, String(limit ?? "")]),
    ),
    confirmLabel: "Set limits",
    fields: [
      field("requestsPerMinute", "Requests per minute"),
      field("tokensPerMinute", "Tokens per minute"),
      field("concurrency", "Concurrent requests"),
    ],
    run({ reason, ...given }) {
      const read = (key: keyof typeof limits) => given[key]?.trim() || "none";
      return api.operator.account.setLimits.mutate({
        account,
        requestsPerMinute: read("requestsPerMinute"),
        tokensPerMinute: read("tokensPerMinute"),
        concurrency: read("concurrency"),
        reason,
      });
    },
  };
}

export const viewAction = ({ id: account, name }: ShownAccount): AskedAction => ({
  title: `View the pages of ${name}?`,
  body: "For 15 minutes and read-only, as its viewers see them. Its members see that support is viewing the account. Until you end the view, you cannot change your own profile or sign-in.",
  confirmLabel: "View",
  async run({ reason }) {
    const { slug } = await api.operator.view.start.mutate({ account, reason });
    location.assign(`/a/${slug}`);
  },
});

export const noteAction = ({ id: account, name }: ShownAccount): AskedAction => ({
  title: `A note about ${name}`,
  body: "For your colleagues.",
  confirmLabel: "Add the note",
  reasonHint: "The account never sees notes.",
  run: ({ reason }) => api.operator.account.note.mutate({ account, reason }),
});

export const revokeAllAction = ({ id: account, name }: ShownAccount): AskedAction => ({
  title: `Revoke all keys of ${name}?`,
  body: "They are refused everywhere within a second, for good.",
  confirmLabel: "Revoke all",
  run: ({ reason }) => api.operator.account.revokeKeys.mutate({ account, reason }),
});

export const revokeAction = ({ id, masked }: ShownKey): AskedAction => ({
  title: `Revoke ${masked}?`,
  body: "It is refused everywhere within a second, for good.",
  confirmLabel: "Revoke",
  run: ({ reason }) => api.operator.key.revoke.mutate({ id, reason }),
});

export function refundAction({ id, amountUsd, creditedUsd, reversedUsd }: ShownTopUp): AskedAction {
  const idempotencyKey = crypto.randomUUID();
  return {
    title: `Refund the top-up of ${formatAmount(amountUsd)}?`,
    body: `Through Stripe, to the card. ${formatAmount(creditedUsd)} was credited, ${formatAmount(reversedUsd)} taken back so far.`,
    confirmLabel: "Refund",
    fields: [
      amountField("Empty refunds everything that is left. At most what the account still has."),
    ],
    run: ({ reason, usd = "" }) =>
      api.operator.topUp.refund.mutate({
        id,
        idempotencyKey,
        reason,
        ...(parseUsd(usd) !== "" && { usd: parseUsd(usd) }),
      }),
  };
}

export const recheckAction = ({ id, amountUsd }: ShownTopUp): AskedAction => ({
  title: `Check the top-up of ${formatAmount(amountUsd)} with Stripe?`,
  body: "A payment that Stripe has and that agrees with the order is credited, once.",
  confirmLabel: "Check with Stripe",
  run: ({ reason }) => api.operator.topUp.recheck.mutate({ id, reason }),
});

type Member = ShownAccount["members"][number];

/** Those of `personActions`. */
export const personVerbs: readonly VerbName[] = [
  "person.endSessions",
  "person.sendReset",
  "person.resendVerification",
];

/** By their names in the menu of a member. */
export function personActions({ email }: Member): readonly (readonly [string, AskedAction])[] {
  const { endSessions, sendReset, resendVerification } = api.operator.person;
  const actions: readonly AskedAction[] = [
    {
      title: `Sign ${email} out everywhere?`,
      body: "All their sessions end at once. They can sign in again.",
      confirmLabel: "End sessions",
      run: ({ reason }) => endSessions.mutate({ email, reason }),
    },
    {
      title: `Send ${email} a password reset?`,
      body: "The link works for 30 minutes; their password stays until they use it.",
      confirmLabel: "Send a password reset",
      run: ({ reason }) => sendReset.mutate({ email, reason }),
    },
    {
      title: `Send ${email} the verification again?`,
      body: "Earlier links stop working.",
      confirmLabel: "Send the verification again",
      run: ({ reason }) => resendVerification.mutate({ email, reason }),
    },
  ];
  return actions.map((action) => [action.confirmLabel, action]);
}
