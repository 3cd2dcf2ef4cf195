// Adds or changes an endpoint: where, and which events.
import { webhookDescriptionCharsMax } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import type { Inputs } from "../../../lib/api.ts";
import { Checkbox, RadioCards } from "../../../ui/choices.tsx";
import { createForm } from "../../../ui/create-form.ts";
import { FieldError } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { TextField } from "../../../ui/text-field.tsx";
import type { Endpoint } from "./endpoints.ts";

type EndpointInput = Inputs["webhooks"]["create"];
export type EventType = NonNullable<EndpointInput["eventTypes"]>[number];

type EndpointDialogProps = {
  /** Undefined for a new one. */
  of?: Endpoint;
  eventTypes: readonly EventType[];
  onClose: () => void;
  onSubmit: (input: EndpointInput) => Promise<unknown>;
};

export function EndpointDialog(props: EndpointDialogProps): JSX.Element {
  const ticked = props.of?.eventTypes ?? [];
  const form = createForm({
    initial: {
      url: props.of?.url ?? "",
      description: props.of?.description ?? "",
      which: (props.of?.eventTypes ?? null) === null ? "every" : "chosen",
      ...Object.fromEntries(props.eventTypes.map((type) => [type, ticked.includes(type)])),
      eventTypes: "",
    } as Fields,
    validate: (values) => ({
      url: values.url.trim() === "" ? "Enter a URL." : undefined,
      eventTypes:
        values.which === "chosen" && chosenIn(props.eventTypes, values).length === 0
          ? "Tick at least one kind of event."
          : undefined,
    }),
    submit: (values) =>
      props.onSubmit({
        url: values.url.trim(),
        description: values.description,
        eventTypes: values.which === "every" ? null : chosenIn(props.eventTypes, values),
      }),
  });
  const isNew = () => props.of === undefined;
  return (
    <FormDialog
      form={form}
      title={isNew() ? "Add endpoint" : "Change endpoint"}
      label={isNew() ? "Add endpoint" : "Save changes"}
      pendingLabel={isNew() ? "Adding…" : "Saving…"}
      onClose={props.onClose}
    >
      <TextField
        {...form.field("url")}
        label="URL"
        hint="Begins with https:// and is on the public internet."
        type="url"
        inputmode="url"
        autocomplete="off"
        spellcheck={false}
        mono
      />
      <TextField
        {...form.field("description")}
        label="Description"
        optional
        maxlength={webhookDescriptionCharsMax}
      />
      <RadioCards
        legend="Events"
        name="which"
        value={form.values.which}
        onChange={(which) => form.set("which", which)}
        choices={[
          { value: "every", label: "Every event", hint: "Also kinds that are added later" },
          { value: "chosen", label: "Only these", hint: "The kinds you tick" },
        ]}
      />
      <Show when={form.values.which === "chosen"}>
        <fieldset class="flex flex-col gap-2">
          <legend class="sr-only">Kinds of events</legend>
          <div class="grid gap-2 sm:grid-cols-2">
            <For each={props.eventTypes}>
              {(type) => (
                <Checkbox
                  label={
                    <code translate="no" class="text-sm">
                      {type}
                    </code>
                  }
                  name={type}
                  checked={form.values[type]}
                  onChange={(checked) => form.set(type, checked)}
                />
              )}
            </For>
          </div>
          <FieldError id="event-types-error" error={form.errors.eventTypes} />
        </fieldset>
      </Show>
    </FormDialog>
  );
}

type Fields = {
  url: string;
  description: string;
  which: "every" | "chosen";
  /** Only for its error. */
  eventTypes: string;
} & Record<EventType, boolean>;

function chosenIn(types: readonly EventType[], values: Fields): EventType[] {
  return types.filter((type) => values[type]);
}
