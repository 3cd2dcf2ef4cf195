// An amount of money per period, with what it means in requests.
import type { BudgetPeriod } from "@turnpike/terms";
import type { JSX } from "solid-js";
import type { Answers } from "../../lib/api.ts";
import { choicesOf, Select } from "../../ui/forms/choices.tsx";
import type { Form } from "../../ui/forms/create-form.ts";
import { TextField } from "../../ui/forms/text-field.tsx";
import { limitInRequests } from "./limit-in-requests.ts";

const periodNames = {
  day: "day",
  week: "week, from Monday",
  month: "month",
  total: "in total",
} as const satisfies Record<BudgetPeriod, string>;

type LimitFieldProps = {
  form: Pick<Form<{ amount: string; period: BudgetPeriod }>, "field" | "values" | "set">;
  label: string;
  /** Without an amount. */
  hint?: string;
  /** Its price is that of the requests. */
  model: Answers["models"]["list"][number] | undefined;
  keepsPeriod?: boolean;
};

export function LimitField(props: LimitFieldProps): JSX.Element {
  const { form } = props;
  return (
    <div class="grid gap-4 sm:grid-cols-[1fr_12rem]">
      <TextField
        {...form.field("amount")}
        label={props.label}
        hint={limitInRequests(form.values.amount, form.values.period, props.model) ?? props.hint}
        prefix="$"
        inputmode="decimal"
        autocomplete="off"
      />
      <Select
        label="Per"
        value={form.values.period}
        disabled={props.keepsPeriod}
        onChange={(period) => form.set("period", period)}
        choices={choicesOf(periodNames)}
      />
    </div>
  );
}
