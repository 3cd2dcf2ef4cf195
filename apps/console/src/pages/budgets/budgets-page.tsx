// What may be spent, and how much of it is left? The budgets of the account that the reader may see, with what is
// spent and held of each, and changing them.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createMemo, lazy, Suspense } from "solid-js";
import { loadOnce } from "../../lib/load-once.ts";
import { namesOf } from "../../lib/names-of.ts";
import { useAccount, useMay } from "../../lib/session.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { oneOf, text, useAddress } from "../../lib/use-address.ts";
import { useAsked } from "../../lib/use-asked.ts";
import { useRefresh } from "../../lib/use-refresh.ts";
import { CreateButton } from "../../product/account/create-button.tsx";
import { type Budget, useBudgets } from "../../product/limits/use-budgets.ts";
import { choicesOf } from "../../ui/forms/choices.tsx";
import { Gauge } from "../../ui/icons.ts";
import { Asked } from "../../ui/layout/asked.tsx";
import { PageHeader } from "../../ui/layout/page-header.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { MenuPlace } from "../../ui/states/skeleton.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { FilterBar, FilterSelect } from "../../ui/tables/filter-bar.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { AccountLimits } from "./account-limits.tsx";
import { budgetColumns, kindNames } from "./budget-columns.tsx";
import { setBudget } from "./change-budget.tsx";
import { FirstReached } from "./first-reached.tsx";
import { orderByUse } from "./order-by-use.ts";
import { subjectOf } from "./subject-of.ts";
import { TimeZoneCard } from "./time-zone-card.tsx";

const BudgetMenu = lazy(loadOnce(() => import("./budget-menu.tsx")));

const fields = { kind: oneOf("", namesOf(kindNames)), id: text };

export default function BudgetsPage(): JSX.Element {
  const refresh = useRefresh();
  const query = useBudgets();
  const account = useAccount();
  const mayChange = useMay("budgets.change");
  const open = (memberId?: string) => {
    if (mayChange()) setBudget({ memberId });
  };
  useAsked("set-budget", open);
  // A budget of a key is its limit.
  const refreshBoth = () => void refresh(["budgets"], ["keys"]);
  return (
    <>
      <PageHeader
        description={
          <>
            <p>
              What the account, its projects, members and API keys may spend. A hard budget refuses
              requests beyond it; a soft one only sends emails.
            </p>
            <p class="mt-1">
              {account()?.permissions["budgets.read"] === "own"
                ? "These are the budgets that apply to you and your API keys."
                : "At 50, 80 and 100% an email goes to those who manage budgets and to the member it applies to or the creator of the key."}
            </p>
          </>
        }
        actions={
          <CreateButton needs="budgets.change" onClick={open}>
            Set budget
          </CreateButton>
        }
      />
      <Loaded query={query} what="the budgets">
        {(read) => (
          <div class="flex flex-col gap-5">
            <FirstReached budgets={read().budgets} />
            <BudgetList budgets={read().budgets} onSet={() => open()} />
            <AccountLimits />
            <Asked as="budget-time-zone">
              <TimeZoneCard timeZone={read().timeZone} onChanged={refreshBoth} />
            </Asked>
          </div>
        )}
      </Loaded>
    </>
  );
}

type BudgetListProps = {
  budgets: readonly Budget[];
  onSet: () => void;
};

function BudgetList(props: BudgetListProps): JSX.Element {
  const mayChange = useMay("budgets.change");
  // Logs link to the budget that refused a call.
  const { get, set, narrowedBy } = useAddress(fields);
  const narrowed = narrowedBy(["kind"]);
  const rows = createStableRows(
    createMemo(() =>
      orderByUse(props.budgets).filter(({ kind }) => ["", kind].includes(get("kind"))),
    ),
  );
  return (
    <TableCard
      empty={<NoBudgets onSet={props.onSet} />}
      nothing={props.budgets.length === 0}
      filters={
        <FilterBar narrowed={narrowed} inCard>
          <FilterSelect
            label="Kind"
            value={get("kind")}
            onChange={(kind) => set({ kind })}
            any="All kinds"
            choices={choicesOf(kindNames)}
          />
        </FilterBar>
      }
      narrowed={narrowed}
      none="No budgets of this kind."
      caption="Budgets"
      columns={budgetColumns}
      rows={rows()}
      rowKey={(budget) => budget.id}
      highlighted={get("id")}
      rowHref={(budget) => subjectOf(budget).href}
      actions={
        mayChange()
          ? (budget) => (
              <Suspense fallback={<MenuPlace />}>
                <BudgetMenu of={budget} />
              </Suspense>
            )
          : undefined
      }
    />
  );
}

function NoBudgets(props: { onSet: () => void }): JSX.Element {
  return (
    <EmptyState
      title="No budgets yet. Spending is only limited by the balance."
      icon={<Gauge class="size-5" />}
      action={
        <CreateButton needs="budgets.change" plain onClick={props.onSet}>
          Set budget
        </CreateButton>
      }
      link={
        <A href="/docs/budgets" class="link">
          How budgets work
        </A>
      }
    />
  );
}
