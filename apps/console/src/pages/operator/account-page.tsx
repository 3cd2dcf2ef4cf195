// One account at the operator's desk: its money, keys, members and notes, everything that happened, and what can be
// done to it.
import { compareDecimals } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { formatAmount, noData } from "../../lib/format.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Figure, Money, Time } from "../../ui/figures/figures.tsx";
import { StatusPill } from "../../ui/figures/status-pill.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Banner } from "../../ui/notices/banner.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import {
  adjustAction,
  creditAction,
  limitsAction,
  noteAction,
  pricesAction,
  type ShownAccount,
  suspendAction,
  viewAction,
} from "./account-actions.ts";
import { KeysCard, LeasesCard, MembersCard, NotesCard, TopUpsCard } from "./account-cards.tsx";
import { AskButton, AskMenu } from "./ask.tsx";
import type { AskedAction } from "./ask-action.ts";
import { Facts } from "./facts.tsx";
import { OperatorFrame } from "./operator-frame.tsx";
import { TimelineCard } from "./timeline-card.tsx";
import { useDesk, type VerbName } from "./use-operator.ts";
import { useVerbActions } from "./verb-actions.ts";

export default function AccountPage(props: { id: string }): JSX.Element {
  const query = useDesk("account", api.operator.account.show, () => ({ account: props.id }));
  usePageTitle(() => query.data?.name);
  return (
    <OperatorFrame>
      <Loaded query={query} what="the account">
        {(account) => (
          <>
            <DisputeBanner of={account()} />
            <FactsCard of={account()} />
            <div class="grid items-start gap-5 lg:grid-cols-2">
              <MembersCard of={account()} />
              <NotesCard of={account()} />
            </div>
            <TopUpsCard of={account()} />
            <KeysCard of={account()} />
            <LeasesCard of={account()} />
            <TimelineCard accountId={account().id} />
          </>
        )}
      </Loaded>
    </OperatorFrame>
  );
}

/** While money is withheld, or evidence can be sent. */
function DisputeBanner(props: { of: ShownAccount }): JSX.Element {
  const isDisputed = () =>
    props.of.evidenceDueAt !== null || compareDecimals(props.of.disputedUsd, "0") > 0;
  return (
    <Show when={isDisputed()}>
      <Banner tone="danger">
        <Show
          when={compareDecimals(props.of.disputedUsd, "0") > 0}
          fallback="A payment of this account is disputed."
        >
          Payments of <Figure>{formatAmount(props.of.disputedUsd)}</Figure> of this account are
          disputed.
        </Show>
        <Show when={props.of.evidenceDueAt}>
          {(at) => (
            <>
              {" "}
              Evidence can be sent in Stripe's dashboard until <Time at={at()} absolute />.
            </>
          )}
        </Show>
      </Banner>
    </Show>
  );
}

const actions: readonly (readonly [VerbName, string, (of: ShownAccount) => AskedAction])[] = [
  ["account.note", "Add a note", noteAction],
  ["account.adjust", "Adjust", adjustAction],
  ["account.setCreditLimit", "Credit limit", creditAction],
  ["account.setPrices", "Prices", pricesAction],
  ["view.start", "View as a viewer", viewAction],
  ["account.setLimits", "Limits", limitsAction],
];

/** Those whose forms are not drawn from their definitions; "Adjust" is for credits too. */
const worded = [
  ...actions.map(([verb]) => verb),
  "account.credit",
  "account.suspend",
  "account.resume",
  "account.revokeKeys",
];

function FactsCard(props: { of: ShownAccount }): JSX.Element {
  const actionsOf = useVerbActions(worded);
  const name = () => props.of.name || props.of.slug;
  const limit = (name: keyof ShownAccount["limits"]) =>
    props.of.limits[name] === null ? "Unlimited" : String(props.of.limits[name]);
  const facts = () =>
    [
      ["State", <State of={props.of} />],
      ["Balance", <Money usd={props.of.balanceUsd} kind="balance" />],
      ["Held by running calls", <Money usd={props.of.heldUsd} kind="sum" />],
      ["Credit limit", <Money usd={props.of.creditLimitUsd} kind="amount" />],
      ["Prices", props.of.prices.length === 0 ? "List prices" : props.of.prices.join(", ")],
      ["Available", <Money usd={props.of.availableUsd} kind="balance" />],
      ["Paid in, less what was taken back", <Money usd={props.of.paidUsd} kind="amount" />],
      ["Adjusted by operators", <Money usd={props.of.adjustedUsd} kind="signed" />],
      ["Requests per minute", limit("requestsPerMinute")],
      ["Tokens per minute", limit("tokensPerMinute")],
      ["Concurrent requests", limit("concurrency")],
      ["Created", <Time at={props.of.createdAt} absolute />],
      [
        "Account id",
        <span translate="no" class="font-mono text-xs">
          {props.of.id}
        </span>,
      ],
      [
        "Slug",
        <span translate="no" class="font-mono text-xs">
          {props.of.slug}
        </span>,
      ],
      ["Stripe customer", props.of.stripeCustomerId ?? noData],
    ] as const;
  return (
    <Card
      title={name()}
      description={props.of.email}
      actions={
        <div class="flex flex-wrap gap-2">
          <For each={actions}>
            {([verb, label, action]) => (
              <AskButton verb={verb} action={() => action(props.of)}>
                {label}
              </AskButton>
            )}
          </For>
          <AskButton verb="account.suspend" action={() => suspendAction(props.of)}>
            {props.of.suspendedAt === null ? "Suspend" : "Resume"}
          </AskButton>
          <AskMenu
            label={`More actions for ${name()}`}
            actions={actionsOf({
              name: name(),
              by: "account",
              known: { account: props.of.id },
            })}
          />
        </div>
      }
    >
      <Facts of={facts()} />
    </Card>
  );
}

function State(props: { of: ShownAccount }): JSX.Element {
  const states = () => {
    const { closedAt, suspendedAt, frozenAt } = props.of;
    const names = [closedAt && "Deleted", suspendedAt && "Suspended", frozenAt && "Frozen"];
    return names.filter((name) => name !== null);
  };
  return (
    <Show when={states().length > 0} fallback={<StatusPill tone="success">Active</StatusPill>}>
      <span class="inline-flex flex-wrap gap-1">
        <For each={states()}>{(name) => <StatusPill tone="danger">{name}</StatusPill>}</For>
      </span>
    </Show>
  );
}
