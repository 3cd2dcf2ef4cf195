// Every account of the installation: which owe, which were suspended, which pay most, and which are new.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { namesOf } from "../../lib/names-of.ts";
import { oneOf, useAddress } from "../../lib/use-address.ts";
import { StatusPill } from "../../ui/figures/status-pill.tsx";
import { choicesOf, SelectControl } from "../../ui/forms/choices.tsx";
import { moneyColumn, textColumn, timeColumn } from "../../ui/tables/columns.tsx";
import { PagedCard } from "../../ui/tables/paged-card.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { OperatorFrame } from "./operator-frame.tsx";
import { deskKey } from "./use-operator.ts";

type Account = Answers["operator"]["account"]["list"]["accounts"][number] & {
  readonly id: string;
};
type State = Account["states"][number];

const stateNames = {
  active: "Active",
  suspended: "Suspended",
  frozen: "Frozen",
  owing: "Owing",
  pending_deletion: "Pending deletion",
  closed: "Deleted",
} as const satisfies Record<State, string>;
const tones = {
  active: "success",
  suspended: "warning",
  frozen: "danger",
  owing: "warning",
  pending_deletion: "warning",
  closed: "neutral",
} as const satisfies Record<State, string>;

const kindNames = { personal: "Personal", organization: "Organization" } as const;
const orderNames = {
  created: "Newest",
  "created-up": "Oldest",
  balance: "Highest balance",
  "balance-up": "Lowest balance",
  spent: "Most spent",
  "spent-up": "Least spent",
} as const;

const sorts = ["created", "balance", "spent"] as const;

const fields = {
  state: oneOf("", namesOf(stateNames)),
  kind: oneOf("", namesOf(kindNames)),
  order: oneOf("created", namesOf(orderNames)),
};

const columns: readonly Column<Account>[] = [
  textColumn("account", "Account", ({ name, email, slug }) => name || email || slug),
  textColumn("email", "Email", ({ email }) => email),
  {
    id: "state",
    title: "State",
    cell: ({ states }) => (
      <span class="inline-flex flex-wrap gap-1">
        <For each={states}>
          {(state) => <StatusPill tone={tones[state]}>{stateNames[state]}</StatusPill>}
        </For>
      </span>
    ),
  },
  moneyColumn("balance", "Balance", ({ balanceUsd }) => balanceUsd, "balance"),
  moneyColumn("spent", "Spent in total", ({ spentUsd }) => spentUsd),
  timeColumn("created", "Created", ({ createdAt }) => createdAt),
];

export default function AccountsPage(): JSX.Element {
  const { get, set } = useAddress(fields);
  const chosen = () => {
    const [state, kind, order] = [get("state"), get("kind"), get("order")];
    const sort = sorts.find((one) => order.startsWith(one)) ?? "created";
    return {
      ...(state !== "" && { state }),
      ...(kind !== "" && { kind }),
      sort,
      ascending: order.endsWith("-up"),
    };
  };
  return (
    <OperatorFrame>
      <PagedCard
        title="Accounts"
        controls={
          <div class="flex flex-wrap gap-2">
            <SelectControl
              label="State"
              small
              value={get("state")}
              onChange={(state) => set({ state })}
              choices={[{ value: "", label: "All but deleted" }, ...choicesOf(stateNames)]}
            />
            <SelectControl
              label="Kind"
              small
              value={get("kind")}
              onChange={(kind) => set({ kind })}
              choices={[{ value: "", label: "All kinds" }, ...choicesOf(kindNames)]}
            />
            <SelectControl
              label="First"
              small
              value={get("order")}
              onChange={(order) => set({ order })}
              choices={choicesOf(orderNames)}
            />
          </div>
        }
        queryKey={[...deskKey, "accounts", chosen()]}
        load={async (page, call) => {
          const { accounts, nextCursor } = await api.operator.account.list.query(
            { ...chosen(), ...page },
            call,
          );
          return { rows: accounts.map((row) => ({ ...row, id: row.accountId })), nextCursor };
        }}
        what="the accounts"
        empty="No account matches."
        caption="Accounts"
        columns={columns}
        rowHref={({ accountId }) => `/operator/accounts/${accountId}`}
      />
    </OperatorFrame>
  );
}
