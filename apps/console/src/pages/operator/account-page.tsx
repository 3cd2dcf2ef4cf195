// One account at the operator's desk: its money, keys, members and notes, everything that happened, and what can be
// done to it.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { noData } from "../../lib/format.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Money, Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
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
import { KeysCard, LeasesCard, MembersCard, NotesCard } from "./account-cards.tsx";
import { useAsk } from "./ask.tsx";
import { Facts } from "./facts.tsx";
import { OperatorFrame } from "./operator-frame.tsx";
import type { AskedAction } from "./reason-dialog.tsx";
import { TimelineCard } from "./timeline-card.tsx";
import { TopUpsCard } from "./top-ups-card.tsx";
import { useOperatorMay } from "./use-operator.ts";

const accountStateNames = {
  suspended: "Suspended",
  frozen: "Frozen",
  closed: "Closed",
} as const;

export default function AccountPage(props: { id: string }): JSX.Element {
  const query = useAnswer(
    () => ["operator", "account", props.id],
    (call) => api.operator.account.show.query({ account: props.id }, call),
  );
  usePageTitle(() => query.data?.name);
  return (
    <OperatorFrame>
      <Loaded query={query} what="the account">
        {(account) => (
          <>
            <FactsCard of={account()} />
            <div class="grid items-start gap-5 lg:grid-cols-2">
              <MembersCard of={account()} />
              <NotesCard accountId={account().id} />
            </div>
            <TopUpsCard of={account()} />
            <KeysCard of={account()} />
            <LeasesCard accountId={account().id} />
            <TimelineCard accountId={account().id} />
          </>
        )}
      </Loaded>
    </OperatorFrame>
  );
}

function FactsCard(props: { of: ShownAccount }): JSX.Element {
  const ask = useAsk();
  const may = useOperatorMay();
  const limit = (name: keyof ShownAccount["limits"]) =>
    props.of.limits[name] === null ? "Unlimited" : String(props.of.limits[name]);
  const facts = () =>
    [
      ["State", <State of={props.of} />],
      ["Balance", <Money usd={props.of.balanceUsd} kind="sum" />],
      ["Held by running calls", <Money usd={props.of.heldUsd} kind="sum" />],
      ["Credit limit", <Money usd={props.of.creditLimitUsd} kind="sum" />],
      ["Prices", props.of.prices.length === 0 ? "List prices" : props.of.prices.join(", ")],
      ["Available", <Money usd={props.of.availableUsd} kind="sum" />],
      ["Paid in, less what was taken back", <Money usd={props.of.creditedUsd} kind="sum" />],
      ["Requests per minute", limit("requestsPerMinute")],
      ["Tokens per minute", limit("tokensPerMinute")],
      ["Concurrent requests", limit("concurrency")],
      ["Created", <Time at={props.of.createdAt} absolute />],
      ["Account id", <span class="font-mono text-xs">{props.of.id}</span>],
      ["Slug", <span class="font-mono text-xs">{props.of.slug}</span>],
      ["Stripe customer", props.of.stripeCustomerId ?? noData],
    ] as const;
  const button = (label: string, action: (of: ShownAccount) => AskedAction) => (
    <Button size="small" changes onClick={() => ask(action(props.of))}>
      {label}
    </Button>
  );
  return (
    <Card
      title={props.of.name || props.of.slug}
      description={props.of.email}
      actions={
        <div class="flex flex-wrap gap-2">
          {button("Add a note", noteAction)}
          <Show when={may("account.adjust")}>{button("Adjust", adjustAction)}</Show>
          <Show when={may("account.setCreditLimit")}>{button("Credit limit", creditAction)}</Show>
          <Show when={may("account.setPrices")}>{button("Prices", pricesAction)}</Show>
          <Show when={may("view.start")}>{button("View as a viewer", viewAction)}</Show>
          <Show when={may("account.setLimits")}>{button("Limits", limitsAction)}</Show>
          <Show when={may("account.suspend")}>
            {button(props.of.suspendedAt === null ? "Suspend" : "Resume", suspendAction)}
          </Show>
        </div>
      }
    >
      <Facts of={facts()} />
    </Card>
  );
}

function State(props: { of: ShownAccount }): JSX.Element {
  const states = () =>
    (["closed", "suspended", "frozen"] as const).filter((name) => props.of[`${name}At`] !== null);
  return (
    <Show when={states().length > 0} fallback={<StatusPill tone="success">Active</StatusPill>}>
      <span class="inline-flex flex-wrap gap-1">
        <For each={states()}>
          {(name) => <StatusPill tone="danger">{accountStateNames[name]}</StatusPill>}
        </For>
      </span>
    </Show>
  );
}
