// The actions of one budget, as a menu at the end of its row.
import type { JSX } from "solid-js";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import type { Budget } from "../shared/use-budgets.ts";
import type { BudgetChange } from "./budget-dialogs.tsx";
import { subjectOf } from "./subject-of.ts";

type BudgetMenuProps = { of: Budget; onChange: (change: BudgetChange) => void };

export default function BudgetMenu(props: BudgetMenuProps): JSX.Element {
  return (
    <Menu label={`Actions for the budget of ${subjectOf(props.of).name}`}>
      <MenuItem changes onSelect={() => props.onChange({ kind: "set", budget: props.of })}>
        Change
      </MenuItem>
      <MenuItem
        changes
        destructive
        onSelect={() => props.onChange({ kind: "remove", budget: props.of })}
      >
        Remove
      </MenuItem>
    </Menu>
  );
}
