// The optional part of a key's form: spend, rates, models, addresses, expiry.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { Select } from "../../ui/choices.tsx";
import type { Form } from "../../ui/create-form.ts";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import type { LimitValues } from "./key-limits.ts";
import { t } from "./texts.ts";

type LimitFieldsProps = {
  form: Pick<Form<LimitValues & { name: string }>, "field" | "values" | "set">;
  /** The expiry of the edited key, as text. */
  keptExpiry?: string | undefined;
};

const periods = ["day", "week", "month", "total"] as const;

export function LimitFields(props: LimitFieldsProps): JSX.Element {
  const { form } = props;
  const expiries = () => [
    ...(props.keptExpiry === undefined
      ? []
      : [{ value: "keep", label: t("limits.keep", { date: props.keptExpiry }) }]),
    { value: "never", label: t("limits.never") },
    { value: "days30", label: t("limits.days30") },
    { value: "days90", label: t("limits.days90") },
    { value: "date", label: t("limits.date") },
  ];
  return (
    <div class="flex flex-col gap-4">
      <div class="grid gap-4 sm:grid-cols-[1fr_10rem]">
        <TextField
          {...form.field("amount")}
          label={t("limits.amount")}
          hint={t("limits.amountHint")}
          prefix="$"
          inputmode="decimal"
          autocomplete="off"
        />
        <Select
          label={t("limits.period")}
          value={form.values.period}
          onChange={(period) => form.set("period", period)}
          choices={periods.map((value) => ({ value: String(value), label: t(`limits.${value}`) }))}
        />
      </div>
      <div class="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          {...form.field("requestsPerMinute")}
          label={t("limits.rate")}
          inputmode="numeric"
        />
        <TextField
          {...form.field("tokensPerMinute")}
          label={t("limits.tokens")}
          inputmode="numeric"
        />
        <TextField {...form.field("concurrency")} label={t("limits.atOnce")} inputmode="numeric" />
      </div>
      <TextArea
        {...form.field("models")}
        label={t("limits.models")}
        hint={t("limits.modelsHint")}
        rows={2}
      />
      <TextArea
        {...form.field("addresses")}
        label={t("limits.addresses")}
        hint={t("limits.addressesHint")}
        rows={2}
      />
      <div class="grid gap-4 sm:grid-cols-2">
        <Select
          label={t("limits.expiry")}
          value={form.values.expiry}
          onChange={(expiry) => form.set("expiry", expiry)}
          choices={expiries()}
        />
        <Show when={form.values.expiry === "date"}>
          <TextField {...form.field("expiryDate")} label={t("limits.expiryDate")} type="date" />
        </Show>
      </div>
    </div>
  );
}
