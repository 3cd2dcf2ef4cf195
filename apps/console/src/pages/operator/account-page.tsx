// One account at the operator's desk: its money, its state, its members, and what can be done to it.
import { useParams } from "@solidjs/router";
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { useQuery } from "../../lib/use-query.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Money, Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { OperatorFrame } from "./operator-frame.tsx";
import { ReasonDialog } from "./reason-dialog.tsx";
import { t } from "./texts.ts";

type Shown = Answers["operator"]["account"]["show"];
type Member = Shown["members"][number];

const accountKey = (id: string) => ["operator", "account", id] as const;

export default function AccountPage(): JSX.Element {
  const params = useParams<{ id: string }>();
  const client = useQueryClient();
  const query = useQuery(() => ({
    queryKey: accountKey(params.id),
    queryFn: ({ signal }) => api.operator.account.show.query({ account: params.id }, { signal }),
  }));
  usePageTitle(() => query.data?.name);
  const refresh = () => void client.invalidateQueries({ queryKey: accountKey(params.id) });
  return (
    <OperatorFrame>
      <Loaded query={query} what={t("account.what")}>
        {(account) => (
          <>
            <FactsCard of={account()} onDone={refresh} />
            <MembersCard members={account().members} />
          </>
        )}
      </Loaded>
    </OperatorFrame>
  );
}

type Fact = readonly [label: string, value: JSX.Element];

function FactsCard(props: { of: Shown; onDone: () => void }): JSX.Element {
  const [asking, setAsking] = createSignal(false);
  const isSuspended = () => props.of.suspendedAt !== null;
  const facts = (): readonly Fact[] => [
    [t("account.state"), <State of={props.of} />],
    [t("account.balance"), <Money usd={props.of.balanceUsd} kind="sum" />],
    [t("account.held"), <Money usd={props.of.heldUsd} kind="sum" />],
    [t("account.available"), <Money usd={props.of.availableUsd} kind="sum" />],
    [t("account.credited"), <Money usd={props.of.creditedUsd} kind="sum" />],
    [t("account.created"), <Time at={props.of.createdAt} absolute />],
    [t("account.id"), <span class="font-mono text-xs">{props.of.id}</span>],
    [t("account.slug"), <span class="font-mono text-xs">{props.of.slug}</span>],
    [t("account.customer"), props.of.stripeCustomerId ?? "—"],
  ];
  return (
    <Card
      title={props.of.name}
      description={props.of.email}
      actions={
        <Button size="small" changes onClick={() => setAsking(true)}>
          {isSuspended() ? t("account.resume") : t("account.suspend")}
        </Button>
      }
    >
      <dl class="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">
        <For each={facts()}>
          {([label, value]) => (
            <>
              <dt class="text-muted">{label}</dt>
              <dd class="wrap-anywhere">{value}</dd>
            </>
          )}
        </For>
      </dl>
      <Show when={asking()}>
        <SuspendDialog
          of={props.of}
          resumes={isSuspended()}
          onClose={() => setAsking(false)}
          onDone={props.onDone}
        />
      </Show>
    </Card>
  );
}

type SuspendDialogProps = { of: Shown; resumes: boolean; onClose: () => void; onDone: () => void };

function SuspendDialog(props: SuspendDialogProps): JSX.Element {
  const { id: account, name } = props.of;
  const kind = props.resumes ? "resume" : "suspend";
  return (
    <ReasonDialog
      title={t(`account.${kind}Title`, { name })}
      body={t(`account.${kind}Body`)}
      confirmLabel={t(`account.${kind}`)}
      run={(reason) => api.operator.account[kind].mutate({ account, reason })}
      onClose={props.onClose}
      onDone={props.onDone}
    />
  );
}

function State(props: { of: Shown }): JSX.Element {
  const states = () =>
    (["closed", "suspended", "frozen"] as const).filter((name) => props.of[`${name}At`] !== null);
  return (
    <Show
      when={states().length > 0}
      fallback={<StatusPill tone="success">{t("account.active")}</StatusPill>}
    >
      <span class="inline-flex flex-wrap gap-1">
        <For each={states()}>
          {(name) => <StatusPill tone="danger">{t(`account.${name}`)}</StatusPill>}
        </For>
      </span>
    </Show>
  );
}

const memberColumns: readonly Column<Member>[] = [
  {
    id: "email",
    title: t("account.email"),
    cell: ({ email }) => email,
    class: "wrap-anywhere",
  },
  { id: "role", title: t("account.role"), cell: ({ role }) => role },
  {
    id: "joined",
    title: t("account.joined"),
    cell: ({ joinedAt }) => <Time at={joinedAt} inRow />,
  },
];

function MembersCard(props: { members: readonly Member[] }): JSX.Element {
  return (
    <Card title={t("account.members")} flush>
      <Table
        caption={t("account.membersCaption")}
        columns={memberColumns}
        rows={props.members}
        rowKey={({ personId }) => personId}
      />
    </Card>
  );
}
