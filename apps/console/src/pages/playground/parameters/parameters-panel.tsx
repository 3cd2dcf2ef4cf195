// The system prompt and the parameters of the next request. Unsupported ones are shown disabled, with the
// reason.
import type { JSX } from "solid-js";
import { For, lazy, Show, Suspense } from "solid-js";
import { formatCount } from "../../../lib/format.ts";
import { loadOnce } from "../../../lib/load-once.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Checkbox, choicesOf, Select } from "../../../ui/forms/choices.tsx";
import { TextArea, TextField } from "../../../ui/forms/text-field.tsx";
import {
  type Capability,
  can,
  noParameters,
  type Parameters,
  toolNames,
} from "../conversation/conversation.ts";
import type { Playground } from "../create-playground.ts";

const SchemaField = lazy(loadOnce(() => import("./schema-field.tsx")));

/** To begin with: a model asked about the weather in a city calls it. */
const exampleTools = JSON.stringify(
  [
    {
      type: "function",
      function: {
        name: "get_weather",
        description: "The weather in a city now.",
        parameters: {
          type: "object",
          properties: { city: { type: "string" } },
          required: ["city"],
        },
      },
    },
  ],
  null,
  2,
);

const effortNames = {
  "": "Model's default",
  minimal: "Minimal",
  low: "Low",
  medium: "Medium",
  high: "High",
} as const satisfies Record<Parameters["effort"], string>;

type ParametersPanelProps = { playground: Playground };

export function ParametersPanel(props: ParametersPanelProps): JSX.Element {
  const { playground } = props;
  const { errors, setParameters } = playground;
  const values = () => playground.conversation.parameters;
  const model = () => playground.chosen()[0];
  const supports = (capability: Capability) => can(model(), capability);
  const hintOf = (capability: Capability, hint: string) =>
    supports(capability) ? hint : `${model()?.name ?? ""} does not support this.`;
  return (
    <div class="flex flex-col gap-5">
      <TextArea
        label="System prompt"
        hint="Instructions sent with every request."
        rows={4}
        placeholder="None"
        value={playground.conversation.system}
        onInput={playground.setSystem}
      />
      <ProviderField {...props} />
      <div class="grid grid-cols-2 items-start gap-3">
        <NumberField {...props} name="temperature" label="Temperature" hint="0 to 2." />
        <NumberField {...props} name="topP" label="Top p" hint="0 to 1." />
      </div>
      <NumberField
        {...props}
        name="maxTokens"
        label="Max tokens"
        hint={`Maximum length of the answer, up to ${formatCount(model()?.maxOutputTokens)}.`}
      />
      <Select
        label="Reasoning effort"
        hint={hintOf("reasoning", "How much the model may think before it answers.")}
        disabled={!supports("reasoning")}
        value={values().effort}
        onChange={(effort) => setParameters({ effort })}
        choices={choicesOf(effortNames)}
      />
      <TextArea
        label="Stop sequences"
        hint="One per line, at most 4."
        error={errors().stop}
        rows={2}
        mono
        placeholder="None"
        value={values().stop}
        onInput={(stop) => setParameters({ stop })}
      />
      <Checkbox
        label="JSON mode"
        hint={hintOf("json_schema", "Also ask for JSON in the prompt, or give a schema.")}
        disabled={!supports("json_schema")}
        checked={values().json && supports("json_schema")}
        onChange={(json) => setParameters({ json })}
      />
      <Show when={values().json && supports("json_schema")}>
        <Suspense>
          <SchemaField value={values().schema} onInput={(schema) => setParameters({ schema })} />
        </Suspense>
      </Show>
      <TextArea
        label="Tools"
        hint={hintOf("tools", "A JSON array of function tools.")}
        error={supports("tools") ? errors().tools : undefined}
        disabled={!supports("tools")}
        rows={4}
        mono
        spellcheck={false}
        placeholder={supports("tools") ? "None" : undefined}
        value={values().tools}
        onInput={(tools) => setParameters({ tools })}
      />
      <Show when={supports("tools") && values().tools.trim() === ""}>
        <div class="-mt-3">
          <Button size="small" onClick={() => setParameters({ tools: exampleTools })}>
            Use an example tool
          </Button>
        </div>
      </Show>
      <For each={supports("tools") ? toolNames(values().tools) : []}>
        {(name) => (
          <TextArea
            label={`Mock result of ${name}`}
            hint="Filled in when the model calls it. You can edit it before you send it."
            rows={2}
            mono
            spellcheck={false}
            value={values().mocks[name] ?? ""}
            onInput={(result) => setParameters({ mocks: { ...values().mocks, [name]: result } })}
          />
        )}
      </For>
      <div>
        <Button size="small" onClick={() => setParameters(noParameters)}>
          Reset
        </Button>
      </div>
    </div>
  );
}

/** Where a model has several providers, or one was chosen that it does not have. */
function ProviderField(props: ParametersPanelProps): JSX.Element {
  const { conversation, chosen, setParameters } = props.playground;
  const value = () => conversation.parameters.provider;
  /** Those of all columns. */
  const providers = () => {
    const ofModels = chosen().map((each) => each?.providers ?? []);
    const several = ofModels.filter((each) => each.length > 1).flat();
    return [...new Set(value() === "" ? several : [...several, value()])];
  };
  const hint = () => {
    const without = chosen().filter((each) => each && !each.providers.includes(value()));
    if (value() === "" || without.length === 0) {
      return "With Any, another provider answers if one fails.";
    }
    const names = without.map((each) => each?.name).join(", ");
    return `Not served by ${value()}, so that any provider may answer: ${names}.`;
  };
  return (
    <Show when={providers().length > 0}>
      <Select
        label="Provider"
        hint={hint()}
        value={value()}
        onChange={(provider) => setParameters({ provider })}
        choices={[
          { value: "", label: "Any" },
          ...providers().map((each) => ({ value: each, label: each })),
        ]}
      />
    </Show>
  );
}

type NumberFieldProps = ParametersPanelProps & {
  name: "temperature" | "topP" | "maxTokens";
  label: string;
  hint: string;
};

function NumberField(props: NumberFieldProps): JSX.Element {
  const { conversation, errors, setParameters } = props.playground;
  return (
    <TextField
      label={props.label}
      hint={props.hint}
      error={errors()[props.name]}
      inputmode={props.name === "maxTokens" ? "numeric" : "decimal"}
      autocomplete="off"
      placeholder="Model's default"
      value={conversation.parameters[props.name]}
      onInput={(typed) => setParameters({ [props.name]: typed.trim() })}
    />
  );
}
