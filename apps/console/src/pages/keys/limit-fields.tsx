// The optional part of a key's form: spend, rates, models, addresses, expiry.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { chatModelsOf, realModelsOf, useModels } from "../../lib/queries.ts";
import { splitList } from "../../lib/typed-text.ts";
import { LimitField } from "../../product/limits/limit-field.tsx";
import { RateFields } from "../../product/limits/rate-limits.tsx";
import { Select } from "../../ui/forms/choices.tsx";
import type { Form } from "../../ui/forms/create-form.ts";
import { ListField, withPatterns } from "../../ui/forms/list-field.tsx";
import { TextArea, TextField } from "../../ui/forms/text-field.tsx";
import type { LimitValues } from "./key-limits.ts";

type LimitFieldsProps = {
  form: Pick<Form<LimitValues>, "field" | "values" | "set">;
  /** The expiry of the edited key, as text. */
  keptExpiry?: string | undefined;
};

export function LimitFields(props: LimitFieldsProps): JSX.Element {
  const { form } = props;
  const models = useModels();
  const expiries = () => [
    ...(props.keptExpiry === undefined
      ? []
      : [{ value: "keep", label: `Keep ${props.keptExpiry}` }]),
    { value: "never", label: "Never" },
    { value: "days30", label: "In 30 days" },
    { value: "days90", label: "In 90 days" },
    { value: "date", label: "On a date" },
  ];
  /** The first that the key may use. */
  const model = () => {
    const chat = chatModelsOf(realModelsOf(models.data));
    const allowed = splitList(form.values.models);
    const isAllowed = (id: string) =>
      allowed.some((one) => one === id || (one.endsWith("*") && id.startsWith(one.slice(0, -1))));
    return allowed.length === 0 ? chat[0] : chat.find(({ id }) => isAllowed(id));
  };
  return (
    <div class="flex flex-col gap-4">
      <LimitField
        form={form}
        label="Spend limit"
        hint="Leave empty for no limit. Periods are in the time zone of your budgets."
        model={model()}
      />
      <RateFields form={form} />
      <ListField
        {...form.field("models")}
        label="Allowed models"
        hint="anthropic/* stands for all that begin with anthropic/. Empty allows all."
        known={withPatterns(models.data?.map(({ id }) => id) ?? [])}
      />
      <TextArea
        {...form.field("addresses")}
        label="Allowed addresses"
        hint="One IP address or CIDR range per line. Empty allows all."
        rows={2}
      />
      <div class="grid gap-4 sm:grid-cols-2">
        <Select
          label="Expires"
          value={form.values.expiry}
          onChange={(expiry) => form.set("expiry", expiry)}
          choices={expiries()}
        />
        <Show when={form.values.expiry === "date"}>
          <TextField {...form.field("expiryDate")} label="Last day" type="date" />
        </Show>
      </div>
    </div>
  );
}
