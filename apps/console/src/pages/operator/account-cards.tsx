// The keys, members, notes and open leases of an account.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatCount } from "../../lib/format.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Button, iconButtonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Money, Time } from "../../ui/figures.tsx";
import { Ellipsis } from "../../ui/icons.ts";
import { Loaded } from "../../ui/loaded.tsx";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import { EmptyState } from "../../ui/states.tsx";
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
import type { AskedAction } from "./reason-dialog.tsx";
import { useOperatorMay } from "./use-operator.ts";

type CardProps = { of: ShownAccount; onAsk: (action: AskedAction) => void };
type Member = ShownAccount["members"][number];

const memberColumns: readonly Column<Member>[] = [
  { id: "email", title: "Email", cell: ({ email }) => email, class: "wrap-anywhere" },
  { id: "role", title: "Role", cell: ({ role }) => role },
  {
    id: "joined",
    title: "Joined",
    cell: ({ joinedAt }) => <Time at={joinedAt} inRow />,
  },
];

export function MembersCard(props: CardProps): JSX.Element {
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
            <Menu
              label={`Actions for ${member.email}`}
              triggerClass={iconButtonClass()}
              trigger={<Ellipsis class="size-4" aria-hidden="true" />}
            >
              <For each={personActions}>
                {(kind) => (
                  <MenuItem changes onSelect={() => props.onAsk(personAction(kind, member))}>
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
  {
    id: "used",
    title: "Last used",
    cell: ({ lastUsedAt }) => <Time at={lastUsedAt} inRow />,
  },
];

export function KeysCard(props: CardProps): JSX.Element {
  const may = useOperatorMay();
  const query = useQuery(() => ({
    queryKey: ["operator", "keys", props.of.id],
    queryFn: ({ signal }) => api.operator.key.list.query({ account: props.of.id }, { signal }),
  }));
  const hasLive = () => query.data?.keys.some(({ state }) => state !== "revoked") === true;
  return (
    <Card
      title="API keys"
      flush
      actions={
        <Show when={may("account.revokeKeys") && hasLive()}>
          <Button size="small" changes onClick={() => props.onAsk(revokeAllAction(props.of))}>
            Revoke all
          </Button>
        </Show>
      }
    >
      <Loaded query={query} what="the keys">
        {(answer) => (
          <Show when={answer().keys.length > 0} fallback={<EmptyState title="No keys yet." />}>
            <Table
              caption="API keys of the account"
              columns={keyColumns}
              rows={answer().keys}
              rowKey={({ id }) => id}
              actions={(key) => (
                <Show when={may("key.revoke") && key.state !== "revoked"}>
                  <Button size="small" changes onClick={() => props.onAsk(revokeAction(key))}>
                    Revoke
                  </Button>
                </Show>
              )}
            />
          </Show>
        )}
      </Loaded>
    </Card>
  );
}

export function NotesCard(props: { accountId: string }): JSX.Element {
  const query = useQuery(() => ({
    queryKey: ["operator", "notes", props.accountId],
    queryFn: ({ signal }) =>
      api.operator.account.notes.query({ account: props.accountId }, { signal }),
  }));
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
  {
    id: "calls",
    title: "Calls",
    cell: ({ calls }) => formatCount(calls),
    align: "end",
  },
  {
    id: "spent",
    title: "Spent",
    cell: ({ spentUsd }) => <Money usd={spentUsd} inRow />,
    align: "end",
  },
  {
    id: "held",
    title: "Held",
    cell: ({ heldUsd }) => <Money usd={heldUsd} inRow />,
    align: "end",
  },
];

export function LeasesCard(props: { accountId: string }): JSX.Element {
  const query = useQuery(() => ({
    queryKey: ["operator", "leases", props.accountId],
    queryFn: ({ signal }) =>
      api.operator.account.leases.query({ account: props.accountId }, { signal }),
  }));
  return (
    <Card title="Open leases" flush>
      <Loaded query={query} what="the leases">
        {(answer) => (
          <Show
            when={answer().leases.length > 0}
            fallback={<EmptyState title="Nothing is reserved now." />}
          >
            <Table
              caption="Money that instances have reserved for calls of the account"
              columns={leaseColumns}
              rows={answer().leases}
              rowKey={({ id }) => id}
            />
          </Show>
        )}
      </Loaded>
    </Card>
  );
}
