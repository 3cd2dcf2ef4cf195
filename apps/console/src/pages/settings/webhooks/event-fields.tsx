// Which kinds of events an endpoint gets: every kind, or those that are ticked.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import type { Inputs } from "../../../lib/api.ts";
import { Checkbox, RadioCards } from "../../../ui/forms/choices.tsx";
import type { Form } from "../../../ui/forms/create-form.ts";
import { FieldError } from "../../../ui/forms/field.tsx";

export type EventType = NonNullable<Inputs["webhooks"]["create"]["eventTypes"]>[number];

export type EndpointValues = {
  url: string;
  description: string;
  which: "every" | "chosen";
  /** Only for its error. */
  eventTypes: string;
} & Record<EventType, boolean>;

export function chosenIn(types: readonly EventType[], values: EndpointValues): EventType[] {
  return types.filter((type) => values[type]);
}

type EventFieldsProps = { form: Form<EndpointValues>; types: readonly EventType[] };

export function EventFields(props: EventFieldsProps): JSX.Element {
  const { form } = props;
  return (
    <>
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
            <For each={props.types}>
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
    </>
  );
}
