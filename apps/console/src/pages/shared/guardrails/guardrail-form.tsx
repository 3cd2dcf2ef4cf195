// The rules of a guardrail, all of which are replaced when it is saved.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import type { Inputs } from "../../../lib/api.ts";
import { t as shared } from "../../../lib/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/choices.tsx";
import { createForm, type Form } from "../../../ui/create-form.ts";
import { DialogActions } from "../../../ui/dialog.tsx";
import { FormFrame, SubmitButton } from "../../../ui/form.tsx";
import { TextArea, TextField } from "../../../ui/text-field.tsx";
import type { Guardrail } from "./describe-rules.ts";
import { checkRules, type RuleValues, rulesOf, valuesOf, weekdays } from "./guardrail-values.ts";
import { t } from "./texts.ts";

type GuardrailFormProps = {
  of: Guardrail | undefined;
  onClose: () => void;
  onSubmit: (rules: Inputs["guardrails"]["set"]["rules"]) => Promise<unknown>;
};

export function GuardrailForm(props: GuardrailFormProps): JSX.Element {
  const form = createForm<RuleValues>({
    initial: valuesOf(props.of?.rules),
    validate: checkRules,
    submit: (values) => props.onSubmit(rulesOf(values)),
  });
  return (
    <FormFrame form={form}>
      <TextArea
        {...form.field("models")}
        label={t("form.models")}
        hint={t("form.modelsHint")}
        rows={2}
        spellcheck={false}
      />
      <TextArea
        {...form.field("providers")}
        label={t("form.providers")}
        hint={t("form.providersHint")}
        rows={2}
        spellcheck={false}
      />
      <AmountFields form={form} />
      <div class="flex flex-col gap-2">
        <Checkbox
          label={t("form.training")}
          hint={t("form.unknownHint")}
          checked={form.values.training}
          onChange={(checked) => form.set("training", checked)}
        />
        <Checkbox
          label={t("form.retention")}
          hint={t("form.unknownHint")}
          checked={form.values.retention}
          onChange={(checked) => form.set("retention", checked)}
        />
      </div>
      <TextArea
        {...form.field("addresses")}
        label={t("form.addresses")}
        hint={t("form.addressesHint")}
        rows={2}
        spellcheck={false}
      />
      <HourFields form={form} />
      <DialogActions>
        <Button onClick={props.onClose}>{shared("action.cancel")}</Button>
        <SubmitButton form={form} pendingLabel={t("form.saving")}>
          {t("form.save")}
        </SubmitButton>
      </DialogActions>
    </FormFrame>
  );
}

function AmountFields(props: { form: Form<RuleValues> }): JSX.Element {
  return (
    <div class="grid items-start gap-4 sm:grid-cols-2">
      <For each={["input", "output", "call"] as const}>
        {(name) => (
          <TextField
            {...props.form.field(name)}
            label={t(`form.${name}`)}
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
      <legend class="mb-1.5 text-base font-medium">{t("form.days")}</legend>
      <div class="flex flex-wrap gap-x-5 gap-y-2">
        <For each={weekdays}>
          {(day) => (
            <Checkbox
              label={t(`day.${day}`)}
              checked={props.form.values[day]}
              onChange={(checked) => props.form.set(day, checked)}
            />
          )}
        </For>
      </div>
      <div class="grid items-start gap-4 sm:grid-cols-2">
        <TextField {...props.form.field("from")} label={t("form.from")} autocomplete="off" />
        <TextField {...props.form.field("until")} label={t("form.until")} autocomplete="off" />
      </div>
      <p class="text-sm text-muted">{t("form.hoursHint")}</p>
    </fieldset>
  );
}
