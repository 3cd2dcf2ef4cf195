// The keys, members, notes and open leases of an account.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatCount } from "../../lib/format.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Money, Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { LoadedTable } from "../../ui/loaded-table.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import {
  personAction,
  personActions,
  personNames,
  revokeAction,
  revokeAllAction,
  type ShownAccount,
  type ShownKey,
} from "./account-actions.ts";
import { useAsk } from "./ask.tsx";
import { useOperatorMay } from "./use-operator.ts";

type CardProps = { of: ShownAccount };
type Member = ShownAccount["members"][number];

const memberColumns: readonly Column<Member>[] = [
  { id: "email", title: "Email", cell: ({ email }) => email, class: "wrap-anywhere" },
  { id: "role", title: "Role", cell: ({ role }) => role },
  { id: "joined", title: "Joined", cell: ({ joinedAt }) => <Time at={joinedAt} inRow /> },
];

export function MembersCard(props: CardProps): JSX.Element {
  const ask = useAsk();
  const may = useOperatorMay();
  return (
    <Card title="Members" flush>
      <Table
        caption="Members of the account"
        columns={memberColumns}
        rows={props.of.members}
        rowKey={({ personId }) => personId}
        actions={(member) => (
          <Show when={may("person.endSessions")}>
            <Menu label={`Actions for ${member.email}`}>
              <For each={personActions}>
                {(kind) => (
                  <MenuItem changes onSelect={() => ask(personAction(kind, member))}>
                    {personNames[kind]}
                  </MenuItem>
                )}
              </For>
            </Menu>
          </Show>
        )}
      />
    </Card>
  );
}

const keyColumns: readonly Column<ShownKey>[] = [
  { id: "masked", title: "Key", cell: ({ masked }) => masked, class: "font-mono text-xs" },
  { id: "name", title: "Name", cell: ({ name }) => name, class: "wrap-anywhere" },
  { id: "state", title: "State", cell: ({ state }) => state },
  {
    id: "spent",
    title: "Spent",
    cell: ({ spentUsd }) => <Money usd={spentUsd} kind="sum" inRow />,
    align: "end",
  },
  { id: "used", title: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} inRow /> },
];

export function KeysCard(props: CardProps): JSX.Element {
  const ask = useAsk();
  const may = useOperatorMay();
  const query = useAnswer(
    () => ["operator", "keys", props.of.id],
    (call) => api.operator.key.list.query({ account: props.of.id }, call),
  );
  const hasLive = () => query.data?.keys.some(({ state }) => state !== "revoked") === true;
  return (
    <Card
      title="API keys"
      flush
      actions={
        <Show when={may("account.revokeKeys") && hasLive()}>
          <Button size="small" changes onClick={() => ask(revokeAllAction(props.of))}>
            Revoke all
          </Button>
        </Show>
      }
    >
      <LoadedTable
        query={query}
        what="the keys"
        empty="No keys yet."
        caption="API keys of the account"
        columns={keyColumns}
        rows={({ keys }) => keys}
        rowKey={({ id }) => id}
        actions={(key) => (
          <Show when={may("key.revoke") && key.state !== "revoked"}>
            <Button size="small" changes onClick={() => ask(revokeAction(key))}>
              Revoke
            </Button>
          </Show>
        )}
      />
    </Card>
  );
}

export function NotesCard(props: { accountId: string }): JSX.Element {
  const query = useAnswer(
    () => ["operator", "notes", props.accountId],
    (call) => api.operator.account.notes.query({ account: props.accountId }, call),
  );
  return (
    <Card title="Notes" description="The account never sees notes.">
      <Loaded query={query} what="the notes">
        {(answer) => (
          <Show when={answer().notes.length > 0} fallback="No notes yet.">
            <ul class="flex flex-col gap-3 text-sm">
              <For each={answer().notes}>
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
          </Show>
        )}
      </Loaded>
    </Card>
  );
}

type Lease = Answers["operator"]["account"]["leases"]["leases"][number];

const leaseColumns: readonly Column<Lease>[] = [
  { id: "hour", title: "Hour", cell: ({ hour }) => <Time at={hour} absolute inRow /> },
  {
    id: "instance",
    title: "Instance",
    cell: ({ instanceId }) => instanceId,
    class: "font-mono text-xs",
  },
  { id: "calls", title: "Calls", cell: ({ calls }) => formatCount(calls), align: "end" },
  {
    id: "spent",
    title: "Spent",
    cell: ({ spentUsd }) => <Money usd={spentUsd} inRow />,
    align: "end",
  },
  { id: "held", title: "Held", cell: ({ heldUsd }) => <Money usd={heldUsd} inRow />, align: "end" },
];

export function LeasesCard(props: { accountId: string }): JSX.Element {
  const query = useAnswer(
    () => ["operator", "leases", props.accountId],
    (call) => api.operator.account.leases.query({ account: props.accountId }, call),
  );
  return (
    <Card title="Open leases" flush>
      <LoadedTable
        query={query}
        what="the leases"
        empty="Nothing is reserved now."
        caption="Money that instances have reserved for calls of the account"
        columns={leaseColumns}
        rows={({ leases }) => leases}
        rowKey={({ id }) => id}
      />
    </Card>
  );
}
