// The fields of a form that are declared as data: what kind each is, and what it says.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { Checkbox, type Choice, RadioCards, Select } from "./choices.tsx";
import type { Form, Values } from "./create-form.ts";
import { TextArea, TextField } from "./text-field.tsx";

type Said<V extends Values> = {
  readonly name: keyof V & string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly optional?: boolean | undefined;
  readonly charsMax?: number | undefined;
};
type Choices = readonly (Choice<string> & { readonly hint?: string })[];

export type DeclaredField<V extends Values> = Said<V> &
  (
    | { readonly kind: "text" | "amount" | "count" | "checkbox" }
    | { readonly kind: "area"; readonly rows?: number }
    | { readonly kind: "select"; readonly choices: Choices }
    | { readonly kind: "cards"; readonly choices: Choices; readonly hideLabel?: boolean }
  );

type FieldsProps<V extends Values> = {
  form: Form<V>;
  fields: readonly DeclaredField<V>[];
};

export function DeclaredFields<V extends Values>(props: FieldsProps<V>): JSX.Element {
  return <For each={props.fields}>{(field) => <FieldOf form={props.form} of={field} />}</For>;
}

function FieldOf<V extends Values>(props: { form: Form<V>; of: DeclaredField<V> }): JSX.Element {
  const { form, of } = props;
  const { name, label, hint, optional, charsMax: maxlength } = of;
  const field = form.field(name);
  const said = { label, hint, optional, maxlength };
  switch (of.kind) {
    case "text":
      return <TextField {...field} {...said} autocomplete="off" />;
    case "amount":
      return <TextField {...field} {...said} prefix="$" inputmode="decimal" autocomplete="off" />;
    case "count":
      return <TextField {...field} {...said} inputmode="numeric" autocomplete="off" />;
    case "area":
      return <TextArea {...field} {...said} rows={of.rows} />;
    case "select":
      return (
        <Select
          {...field}
          label={label}
          hint={hint}
          optional={optional}
          choices={of.choices}
          onChange={field.onInput}
        />
      );
    case "cards":
      return (
        <RadioCards
          {...field}
          legend={label}
          hideLegend={of.hideLabel}
          choices={of.choices}
          onChange={field.onInput}
        />
      );
    case "checkbox":
      return (
        <Checkbox
          name={name}
          label={label}
          hint={hint}
          checked={form.values[name] === true}
          error={field.error}
          onChange={(checked) => form.set(name, checked)}
        />
      );
  }
}
