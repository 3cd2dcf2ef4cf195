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
  revokeAction,
  revokeAllAction,
  type ShownAccount,
  type ShownKey,
} from "./account-actions.ts";
import type { AskedAction } from "./reason-dialog.tsx";
import { t } from "./texts.ts";
import { useOperatorMay } from "./use-operator.ts";

type CardProps = { of: ShownAccount; onAsk: (action: AskedAction) => void };
type Member = ShownAccount["members"][number];

const memberColumns: readonly Column<Member>[] = [
  { id: "email", title: t("members.email"), cell: ({ email }) => email, class: "wrap-anywhere" },
  { id: "role", title: t("members.role"), cell: ({ role }) => role },
  {
    id: "joined",
    title: t("members.joined"),
    cell: ({ joinedAt }) => <Time at={joinedAt} inRow />,
  },
];

export function MembersCard(props: CardProps): JSX.Element {
  const may = useOperatorMay();
  return (
    <Card title={t("members.title")} flush>
      <Table
        caption={t("members.caption")}
        columns={memberColumns}
        rows={props.of.members}
        rowKey={({ personId }) => personId}
        actions={(member) => (
          <Show when={may("person.endSessions")}>
            <Menu
              label={t("members.menu", { email: member.email })}
              triggerClass={iconButtonClass()}
              trigger={<Ellipsis class="size-4" aria-hidden="true" />}
            >
              <For each={personActions}>
                {(kind) => (
                  <MenuItem changes onSelect={() => props.onAsk(personAction(kind, member))}>
                    {t(`person.${kind}`)}
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
  { id: "masked", title: t("keys.key"), cell: ({ masked }) => masked, class: "font-mono text-xs" },
  { id: "name", title: t("keys.name"), cell: ({ name }) => name, class: "wrap-anywhere" },
  { id: "state", title: t("keys.state"), cell: ({ state }) => state },
  {
    id: "spent",
    title: t("keys.spent"),
    cell: ({ spentUsd }) => <Money usd={spentUsd} kind="sum" inRow />,
    align: "end",
  },
  {
    id: "used",
    title: t("keys.used"),
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
      title={t("keys.title")}
      flush
      actions={
        <Show when={may("account.revokeKeys") && hasLive()}>
          <Button size="small" changes onClick={() => props.onAsk(revokeAllAction(props.of))}>
            {t("keys.revokeAll")}
          </Button>
        </Show>
      }
    >
      <Loaded query={query} what={t("keys.what")}>
        {(answer) => (
          <Show when={answer().keys.length > 0} fallback={<EmptyState title={t("keys.none")} />}>
            <Table
              caption={t("keys.caption")}
              columns={keyColumns}
              rows={answer().keys}
              rowKey={({ id }) => id}
              actions={(key) => (
                <Show when={may("key.revoke") && key.state !== "revoked"}>
                  <Button size="small" changes onClick={() => props.onAsk(revokeAction(key))}>
                    {t("keys.revoke")}
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
    <Card title={t("notes.card")} description={t("notes.hint")}>
      <Loaded query={query} what={t("notes.what")}>
        {(answer) => (
          <Show when={answer().notes.length > 0} fallback={t("notes.none")}>
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
  { id: "hour", title: t("leases.hour"), cell: ({ hour }) => <Time at={hour} absolute inRow /> },
  {
    id: "instance",
    title: t("leases.instance"),
    cell: ({ instanceId }) => instanceId,
    class: "font-mono text-xs",
  },
  {
    id: "calls",
    title: t("leases.calls"),
    cell: ({ calls }) => formatCount(calls),
    align: "end",
  },
  {
    id: "spent",
    title: t("leases.spent"),
    cell: ({ spentUsd }) => <Money usd={spentUsd} inRow />,
    align: "end",
  },
  {
    id: "held",
    title: t("leases.held"),
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
    <Card title={t("leases.title")} flush>
      <Loaded query={query} what={t("leases.what")}>
        {(answer) => (
          <Show
            when={answer().leases.length > 0}
            fallback={<EmptyState title={t("leases.none")} />}
          >
            <Table
              caption={t("leases.caption")}
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
