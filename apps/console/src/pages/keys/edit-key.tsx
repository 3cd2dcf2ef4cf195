// The name of a key and its limits, which are edited together.
import type { JSX } from "solid-js";
import { createMemo } from "solid-js";
import { api } from "../../lib/api.ts";
import { formatDateTime } from "../../lib/format.ts";
import { useModels } from "../../lib/queries.ts";
import { useTimeZone } from "../../lib/session.ts";
import { checkName } from "../../lib/typed-text.ts";
import { guardrailsKey } from "../../product/guardrails/guardrails-key.ts";
import type { Key } from "../../product/keys/key-spend.tsx";
import ChangeDialog, { type Change } from "../../ui/dialogs/change-dialog.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";
import { checkLimits, limitsInput, limitValuesOf, nameMissing } from "./key-limits.ts";
import { keysQueryKey } from "./keys-query-key.ts";
import { LimitFields } from "./limit-fields.tsx";

type EditValues = ReturnType<typeof limitValuesOf> & { name: string };

export default function EditKey(props: { of: Key; onClose: () => void }): JSX.Element {
  const models = useModels();
  const timeZone = useTimeZone();
  const known = createMemo(() => new Set(models.data?.map((model) => model.id) ?? []));
  const keptExpiry = () => {
    const { expiresAt } = props.of;
    return expiresAt === null ? undefined : formatDateTime(new Date(expiresAt), timeZone());
  };
  const change: Change<EditValues, unknown> = {
    title: `Edit ${props.of.name}`,
    initial: { name: props.of.name, ...limitValuesOf(props.of) },
    validate: (values) => ({
      name: checkName(values.name, nameMissing),
      ...checkLimits(values, known(), timeZone()),
    }),
    fields: (form) => (
      <>
        <TextField {...form.field("name")} label="Name" autocomplete="off" />
        <LimitFields form={form} keptExpiry={keptExpiry()} />
      </>
    ),
    confirmLabel: "Save changes",
    pendingLabel: "Saving…",
    run(values) {
      const limits = limitsInput(values, timeZone(), props.of) ?? {};
      return api.keys.update.mutate({ id: props.of.id, name: values.name.trim(), limits });
    },
    // Its models and addresses are rules of its guardrail.
    refreshes: [keysQueryKey, guardrailsKey],
    toast: (_, { name }) => `Saved ${name.trim()}`,
  };
  return <ChangeDialog change={change} onClose={props.onClose} />;
}
