// The actions of one budget, as a menu at the end of its row.
import type { JSX } from "solid-js";
import type { Budget } from "../../product/limits/use-budgets.ts";
import { Menu, MenuItem } from "../../ui/menus/menu.tsx";
import { removeBudget, setBudget } from "./change-budget.tsx";
import { subjectOf } from "./subject-of.ts";

export default function BudgetMenu(props: { of: Budget }): JSX.Element {
  return (
    <Menu label={`Actions for the budget of ${subjectOf(props.of).name}`}>
      <MenuItem changes onSelect={() => setBudget({ budget: props.of })}>
        Change
      </MenuItem>
      <MenuItem changes destructive onSelect={() => removeBudget(props.of)}>
        Remove
      </MenuItem>
    </Menu>
  );
}
