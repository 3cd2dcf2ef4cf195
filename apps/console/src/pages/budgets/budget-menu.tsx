// The actions of one budget, as a menu at the end of its row.
import type { JSX } from "solid-js";
import { iconButtonClass } from "../../ui/button.tsx";
import { Ellipsis } from "../../ui/icons.ts";
import { Menu, MenuItem } from "../../ui/menu.tsx";
import type { Budget } from "../shared/use-budgets.ts";
import type { BudgetChange } from "./budget-dialogs.tsx";
import { subjectOf } from "./subject-of.ts";
import { t } from "./texts.ts";

type BudgetMenuProps = { of: Budget; onChange: (change: BudgetChange) => void };

export function BudgetMenu(props: BudgetMenuProps): JSX.Element {
  return (
    <Menu
      label={t("list.actions", { name: subjectOf(props.of).name })}
      triggerClass={iconButtonClass()}
      trigger={<Ellipsis class="size-4" aria-hidden="true" />}
    >
      <MenuItem changes onSelect={() => props.onChange({ kind: "change", budget: props.of })}>
        {t("list.change")}
      </MenuItem>
      <MenuItem
        changes
        destructive
        onSelect={() => props.onChange({ kind: "remove", budget: props.of })}
      >
        {t("list.remove")}
      </MenuItem>
    </Menu>
  );
}
