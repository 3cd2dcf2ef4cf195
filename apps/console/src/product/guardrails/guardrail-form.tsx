// The rules of a guardrail, all of which are replaced when it is saved.
import type { QueryKey } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { api } from "../../lib/api.ts";
import { namesOf } from "../../lib/names-of.ts";
import { useModels } from "../../lib/queries.ts";
import ChangeDialog, { type Change } from "../../ui/dialogs/change-dialog.tsx";
import { Checkbox } from "../../ui/forms/choices.tsx";
import type { Form } from "../../ui/forms/create-form.ts";
import { ListField, withPatterns } from "../../ui/forms/list-field.tsx";
import { TextArea, TextField } from "../../ui/forms/text-field.tsx";
import type { Guardrail } from "./describe-rules.ts";
import { dayNames } from "./describe-rules.ts";
import { checkRules, type RuleValues, rulesOf, valuesOf } from "./guardrail-values.ts";

const formNames = {
  input: "Maximum input price per 1M tokens",
  output: "Maximum output price per 1M tokens",
  call: "Maximum cost of one request",
} as const;

type GuardrailFormProps = Pick<Guardrail, "kind" | "subjectId"> & {
  /** Undefined without rules. */
  of: Guardrail | undefined;
  /** After it was saved: what shows it. */
  refreshes: readonly QueryKey[];
  onClose: () => void;
};

export default function GuardrailForm(props: GuardrailFormProps): JSX.Element {
  const models = useModels();
  const { kind, subjectId, refreshes } = props;
  const change: Change<RuleValues, unknown> = {
    title: "Rules",
    initial: valuesOf(props.of?.rules),
    validate: checkRules,
    fields: (form) => (
      <>
        <ListField
          {...form.field("models")}
          label="Allowed models"
          hint="anthropic/* stands for all that begin with anthropic/. Empty allows all."
          known={withPatterns(models.data?.map(({ id }) => id) ?? [])}
        />
        <ListField
          {...form.field("providers")}
          label="Allowed providers"
          hint="Enter adds one. Empty allows all."
          known={[]}
        />
        <AmountFields form={form} />
        <div class="flex flex-col gap-2">
          <Checkbox
            label="Only providers that do not train on prompts"
            hint="Providers whose policy is not known are excluded."
            checked={form.values.training}
            onChange={(checked) => form.set("training", checked)}
          />
          <Checkbox
            label="Only providers that do not keep prompts"
            hint="Providers whose policy is not known are excluded."
            checked={form.values.retention}
            onChange={(checked) => form.set("retention", checked)}
          />
        </div>
        <TextArea
          {...form.field("addresses")}
          label="Allowed addresses"
          hint="One address or network per line, such as 203.0.113.0/24. Empty allows all."
          rows={2}
          spellcheck={false}
        />
        <HourFields form={form} />
      </>
    ),
    confirmLabel: "Save rules",
    pendingLabel: "Saving…",
    run: (values) => api.guardrails.set.mutate({ kind, subjectId, rules: rulesOf(values) }),
    refreshes,
    toast: "Rules saved",
  };
  return <ChangeDialog change={change} onClose={props.onClose} />;
}

function AmountFields(props: { form: Form<RuleValues> }): JSX.Element {
  return (
    <div class="grid items-start gap-4 sm:grid-cols-2">
      <For each={["input", "output", "call"] as const}>
        {(name) => (
          <TextField
            {...props.form.field(name)}
            label={formNames[name]}
            prefix="$"
            inputmode="decimal"
            autocomplete="off"
          />
        )}
      </For>
    </div>
  );
}

function HourFields(props: { form: Form<RuleValues> }): JSX.Element {
  return (
    <fieldset class="flex flex-col gap-3">
      <legend class="mb-1.5 text-base font-medium">Days</legend>
      <div class="flex flex-wrap gap-x-5 gap-y-2">
        <For each={namesOf(dayNames)}>
          {(day) => (
            <Checkbox
              label={dayNames[day]}
              checked={props.form.values[day]}
              onChange={(checked) => props.form.set(day, checked)}
            />
          )}
        </For>
      </div>
      <div class="grid items-start gap-4 sm:grid-cols-2">
        <TextField {...props.form.field("from")} label="From" autocomplete="off" />
        <TextField {...props.form.field("until")} label="Until" autocomplete="off" />
      </div>
      <p class="text-sm text-muted">
        In the time zone of the account. Without a day, requests are allowed at any time.
      </p>
    </fieldset>
  );
}
