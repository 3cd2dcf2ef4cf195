// The members, payments, keys, notes and open leases of an account.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatAmount, noData } from "../../lib/format.ts";
import { Time } from "../../ui/figures/figures.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import {
  codeColumn,
  countColumn,
  moneyColumn,
  textColumn,
  timeColumn,
} from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import {
  personActions,
  personVerbs,
  recheckAction,
  refundAction,
  revokeAction,
  revokeAllAction,
  type ShownAccount,
  type ShownKey,
  type ShownTopUp,
} from "./account-actions.ts";
import { AskButton, AskMenu } from "./ask.tsx";
import { useDesk, useOperatorMay } from "./use-operator.ts";
import { useVerbActions } from "./verb-actions.ts";

type CardProps = { of: ShownAccount };
type Member = ShownAccount["members"][number];

const memberColumns: readonly Column<Member>[] = [
  textColumn("email", "Email", ({ email }) => email),
  { id: "role", title: "Role", cell: ({ role }) => role },
  timeColumn("joined", "Joined", ({ joinedAt }) => joinedAt),
];

export function MembersCard(props: CardProps): JSX.Element {
  const may = useOperatorMay();
  const actionsOf = useVerbActions(personVerbs);
  return (
    <TableCard
      title="Members"
      caption="Members of the account"
      columns={memberColumns}
      cards="compact"
      rows={props.of.members}
      rowKey={({ personId }) => personId}
      actions={(member) => (
        <AskMenu
          label={`Actions for ${member.email}`}
          actions={[
            ...(may("person.endSessions") ? personActions(member) : []),
            ...actionsOf({
              name: member.email,
              nouns: ["member", "operator", "person"],
              by: "email",
              known: { account: props.of.id, email: member.email, member: member.email },
            }),
          ]}
        />
      )}
    />
  );
}

const topUpColumns: readonly Column<ShownTopUp>[] = [
  timeColumn("at", "When", ({ createdAt }) => createdAt, { absolute: true }),
  textColumn("state", "State", ({ state, failureReason }) =>
    failureReason ? `${state}: ${failureReason}` : state,
  ),
  {
    id: "receipt",
    title: "Receipt",
    cell: ({ receiptUrl }) => (
      <Show when={receiptUrl} fallback={noData}>
        {(url) => (
          <a href={url()} target="_blank" rel="noreferrer">
            Open
          </a>
        )}
      </Show>
    ),
  },
  codeColumn("payment", "Payment", ({ paymentIntentId }) => paymentIntentId),
  moneyColumn("amount", "Amount", ({ amountUsd }) => amountUsd, "amount"),
  moneyColumn("reversed", "Taken back", ({ reversedUsd }) => reversedUsd, "amount"),
];

export function TopUpsCard(props: CardProps): JSX.Element {
  const actionsOf = useVerbActions(["topUp.recheck", "topUp.refund"]);
  const query = useDesk("topUps", api.operator.topUp.list, () => ({ account: props.of.id }));
  return (
    <TableCard
      title="Top-ups"
      query={query}
      what="the top-ups"
      empty="Nothing was paid yet."
      caption="Payments of the account"
      columns={topUpColumns}
      rows={({ topUps }) => topUps}
      rowKey={({ id }) => id}
      actions={(topUp) => (
        <span class="inline-flex flex-wrap justify-end gap-2">
          <Show when={topUp.processor === "stripe"}>
            <AskButton verb="topUp.recheck" action={() => recheckAction(topUp)}>
              Check with Stripe
            </AskButton>
            <Show when={topUp.paymentIntentId !== null && topUp.creditedUsd !== topUp.reversedUsd}>
              <AskButton verb="topUp.refund" action={() => refundAction(topUp)}>
                Refund
              </AskButton>
            </Show>
          </Show>
          <AskMenu
            label={`More actions for the top-up of ${formatAmount(topUp.amountUsd)}`}
            actions={actionsOf({
              name: formatAmount(topUp.amountUsd),
              nouns: ["topUp"],
              by: "id",
              known: { id: topUp.id },
            })}
          />
        </span>
      )}
    />
  );
}

const keyColumns: readonly Column<ShownKey>[] = [
  codeColumn("masked", "Key", ({ masked }) => masked),
  textColumn("name", "Name", ({ name }) => name),
  { id: "state", title: "State", cell: ({ state }) => state },
  moneyColumn("spent", "Spent", ({ spentUsd }) => spentUsd),
  timeColumn("used", "Last used", ({ lastUsedAt }) => lastUsedAt),
];

export function KeysCard(props: CardProps): JSX.Element {
  const actionsOf = useVerbActions(["key.revoke"]);
  const query = useDesk("keys", api.operator.key.list, () => ({ account: props.of.id }));
  return (
    <TableCard
      title="API keys"
      controls={
        <Show when={query.data?.keys.some(({ state }) => state !== "revoked")}>
          <AskButton verb="account.revokeKeys" action={() => revokeAllAction(props.of)}>
            Revoke all
          </AskButton>
        </Show>
      }
      query={query}
      what="the keys"
      empty="No keys yet."
      caption="API keys of the account"
      columns={keyColumns}
      cards="compact"
      rows={({ keys }) => keys}
      rowKey={({ id }) => id}
      actions={(key) => (
        <Show when={key.state !== "revoked"}>
          <span class="inline-flex flex-wrap justify-end gap-2">
            <AskButton verb="key.revoke" action={() => revokeAction(key)}>
              Revoke
            </AskButton>
            <AskMenu
              label={`More actions for ${key.masked}`}
              actions={actionsOf({
                name: key.masked,
                nouns: ["key"],
                by: "id",
                known: { id: key.id },
              })}
            />
          </span>
        </Show>
      )}
    />
  );
}

export function NotesCard(props: CardProps): JSX.Element {
  const query = useDesk("notes", api.operator.account.notes, () => ({ account: props.of.id }));
  return (
    <Card title="Notes" description="The account never sees notes.">
      <Loaded query={query} what="the notes">
        {(answer) => (
          <ul class="flex flex-col gap-3 text-sm">
            <For each={answer().notes} fallback={<li class="text-base">No notes yet.</li>}>
              {({ at, author, text }) => (
                <li>
                  <p class="wrap-anywhere">{text}</p>
                  <p class="text-xs text-muted">
                    {author}, <Time at={at} />
                  </p>
                </li>
              )}
            </For>
          </ul>
        )}
      </Loaded>
    </Card>
  );
}

type Lease = Answers["operator"]["account"]["leases"]["leases"][number];

const leaseColumns: readonly Column<Lease>[] = [
  timeColumn("hour", "Hour", ({ hour }) => hour, { absolute: true }),
  codeColumn("instance", "Instance", ({ instanceId }) => instanceId),
  countColumn("calls", "Calls", ({ calls }) => calls),
  moneyColumn("spent", "Spent", ({ spentUsd }) => spentUsd, "cost"),
  moneyColumn("held", "Held", ({ heldUsd }) => heldUsd, "cost"),
];

export function LeasesCard(props: CardProps): JSX.Element {
  const query = useDesk("leases", api.operator.account.leases, () => ({ account: props.of.id }));
  return (
    <TableCard
      title="Open leases"
      query={query}
      what="the leases"
      empty="Nothing is reserved now."
      caption="Money that instances have reserved for calls of the account"
      columns={leaseColumns}
      rows={({ leases }) => leases}
      rowKey={({ id }) => id}
    />
  );
}
