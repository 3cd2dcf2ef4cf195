// The actions of the account page, as their dialogs ask for them.
import { type Answers, api } from "../../lib/api.ts";
import { formatAmount } from "../../lib/format.ts";
import type { AskedAction } from "./reason-dialog.tsx";
import { t } from "./texts.ts";

export type ShownAccount = Answers["operator"]["account"]["show"];
export type ShownKey = Answers["operator"]["key"]["list"]["keys"][number];
export type ShownTopUp = Answers["operator"]["topUp"]["list"]["topUps"][number];
type Member = ShownAccount["members"][number];

export function suspendAction({ id: account, name, suspendedAt }: ShownAccount): AskedAction {
  const kind = suspendedAt === null ? "suspend" : "resume";
  return {
    title: t(`account.${kind}Title`, { name }),
    body: t(`account.${kind}Body`),
    confirmLabel: t(`account.${kind}`),
    run: ({ reason }) => api.operator.account[kind].mutate({ account, reason }),
  };
}

export function adjustAction({ id: account, name }: ShownAccount): AskedAction {
  const idempotencyKey = crypto.randomUUID();
  return {
    title: t("adjust.title", { name }),
    body: t("adjust.body"),
    confirmLabel: t("adjust.confirm"),
    fields: [{ name: "usd", label: t("adjust.amount"), hint: t("adjust.hint") }],
    run: ({ reason, usd = "" }) =>
      api.operator.account.adjust.mutate({ account, usd: usd.trim(), idempotencyKey, reason }),
  };
}

export function creditAction({ id: account, name, creditLimitUsd }: ShownAccount): AskedAction {
  return {
    title: t("credit.title", { name }),
    body: t("credit.body"),
    confirmLabel: t("credit.confirm"),
    fields: [
      { name: "usd", label: t("credit.amount"), hint: t("credit.hint"), initial: creditLimitUsd },
    ],
    run: ({ reason, usd = "" }) =>
      api.operator.account.setCreditLimit.mutate({ account, usd: usd.trim(), reason }),
  };
}

export function limitsAction({ id: account, name, limits }: ShownAccount): AskedAction {
  const field = (key: keyof typeof limits) => ({
    name: key,
    label: t(`limits.${key}`),
    initial: String(limits[key] ?? ""),
  });
  return {
    title: t("limits.title", { name }),
    body: t("limits.body"),
    confirmLabel: t("limits.confirm"),
    fields: [field("requestsPerMinute"), field("tokensPerMinute"), field("concurrency")],
    run: ({ reason, ...given }) => {
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

export function viewAction({ id: account, name }: ShownAccount): AskedAction {
  return {
    title: t("view.title", { name }),
    body: t("view.body"),
    confirmLabel: t("view.confirm"),
    async run({ reason }) {
      const { slug } = await api.operator.view.start.mutate({ account, reason });
      location.assign(`/a/${slug}`);
    },
  };
}

export function noteAction({ id: account, name }: ShownAccount): AskedAction {
  return {
    title: t("notes.title", { name }),
    body: t("notes.body"),
    confirmLabel: t("notes.confirm"),
    reasonHint: t("notes.hint"),
    run: ({ reason }) => api.operator.account.note.mutate({ account, reason }),
  };
}

export function revokeAllAction({ id: account, name }: ShownAccount): AskedAction {
  return {
    title: t("keys.revokeAllTitle", { name }),
    body: t("keys.revokeAllBody"),
    confirmLabel: t("keys.revokeAll"),
    run: ({ reason }) => api.operator.account.revokeKeys.mutate({ account, reason }),
  };
}

export function revokeAction({ id, masked }: ShownKey): AskedAction {
  return {
    title: t("keys.revokeTitle", { masked }),
    body: t("keys.revokeBody"),
    confirmLabel: t("keys.revoke"),
    run: ({ reason }) => api.operator.key.revoke.mutate({ id, reason }),
  };
}

export function refundAction({ id, amountUsd, creditedUsd, reversedUsd }: ShownTopUp): AskedAction {
  const idempotencyKey = crypto.randomUUID();
  return {
    title: t("topUps.refundTitle", { amount: formatAmount(amountUsd) }),
    body: t("topUps.refundBody", {
      credited: formatAmount(creditedUsd),
      reversed: formatAmount(reversedUsd),
    }),
    confirmLabel: t("topUps.refund"),
    fields: [{ name: "usd", label: t("topUps.amount"), hint: t("topUps.amountHint") }],
    run: ({ reason, usd = "" }) =>
      api.operator.topUp.refund.mutate({
        ...{ id, idempotencyKey, reason },
        ...(usd.trim() !== "" && { usd: usd.trim() }),
      }),
  };
}

export function recheckAction({ id, amountUsd }: ShownTopUp): AskedAction {
  return {
    title: t("topUps.recheckTitle", { amount: formatAmount(amountUsd) }),
    body: t("topUps.recheckBody"),
    confirmLabel: t("topUps.recheck"),
    run: ({ reason }) => api.operator.topUp.recheck.mutate({ id, reason }),
  };
}

export const personActions = ["endSessions", "sendReset", "resendVerification"] as const;

export function personAction(kind: (typeof personActions)[number], { email }: Member): AskedAction {
  return {
    title: t(`person.${kind}Title`, { email }),
    body: t(`person.${kind}Body`),
    confirmLabel: t(`person.${kind}`),
    run: ({ reason }) => api.operator.person[kind].mutate({ email, reason }),
  };
}
