// The system prompt and the parameters of the next request. Unsupported ones are shown disabled, with the
// reason.
import type { JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { formatCount } from "../../lib/format.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/choices.tsx";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import type { ParameterErrors } from "./check-parameters.ts";
import { can, type Model, noParameters } from "./conversation.ts";
import type { Playground } from "./create-playground.ts";

const SchemaField = lazy(loadOnce(() => import("./schema-field.tsx")));
const MockResults = lazy(loadOnce(() => import("./mock-results.tsx")));

type ParametersPanelProps = {
  playground: Playground;
  model: Model | undefined;
  errors: ParameterErrors;
};

export function ParametersPanel(props: ParametersPanelProps): JSX.Element {
  const { playground } = props;
  const values = () => playground.conversation.parameters;
  const unsupported = () => `${props.model?.name ?? ""} does not support this.`;
  return (
    <div class="flex flex-col gap-5">
      <TextArea
        label="System prompt"
        hint="Instructions sent with every request."
        rows={4}
        value={playground.conversation.system}
        onInput={playground.setSystem}
      />
      <NumberFields {...props} />
      <TextArea
        label="Stop sequences"
        hint="One per line, at most 4."
        error={props.errors.stop}
        rows={2}
        mono
        value={values().stop}
        onInput={(stop) => playground.setParameters({ stop })}
      />
      <Checkbox
        label="JSON mode"
        hint={
          can(props.model, "json_schema")
            ? "Also ask for JSON in the prompt, or give a schema."
            : unsupported()
        }
        disabled={!can(props.model, "json_schema")}
        checked={values().json && can(props.model, "json_schema")}
        onChange={(json) => playground.setParameters({ json })}
      />
      <Show when={values().json && can(props.model, "json_schema")}>
        <Suspense>
          <SchemaField
            value={values().schema}
            onInput={(schema) => playground.setParameters({ schema })}
          />
        </Suspense>
      </Show>
      <TextArea
        label="Tools"
        hint={can(props.model, "tools") ? "A JSON array of function tools." : unsupported()}
        error={can(props.model, "tools") ? props.errors.tools : undefined}
        disabled={!can(props.model, "tools")}
        rows={4}
        mono
        spellcheck={false}
        value={values().tools}
        onInput={(tools) => playground.setParameters({ tools })}
      />
      <Show when={can(props.model, "tools") && values().tools !== ""}>
        <Suspense>
          <MockResults
            parameters={values()}
            onChange={(mocks) => playground.setParameters({ mocks })}
          />
        </Suspense>
      </Show>
      <div>
        <Button size="small" onClick={() => playground.setParameters(noParameters)}>
          Reset
        </Button>
      </div>
    </div>
  );
}

function NumberFields(props: ParametersPanelProps): JSX.Element {
  const { playground } = props;
  const values = () => playground.conversation.parameters;
  return (
    <>
      <div class="grid grid-cols-2 items-start gap-3">
        <TextField
          label="Temperature"
          hint="0 to 2."
          error={props.errors.temperature}
          inputmode="decimal"
          autocomplete="off"
          value={values().temperature}
          onInput={(temperature) => playground.setParameters({ temperature: temperature.trim() })}
        />
        <TextField
          label="Top p"
          hint="0 to 1."
          error={props.errors.topP}
          inputmode="decimal"
          autocomplete="off"
          value={values().topP}
          onInput={(topP) => playground.setParameters({ topP: topP.trim() })}
        />
      </div>
      <TextField
        label="Max tokens"
        hint={`Maximum length of the answer, up to ${formatCount(props.model?.maxOutputTokens)}.`}
        error={props.errors.maxTokens}
        inputmode="numeric"
        autocomplete="off"
        value={values().maxTokens}
        onInput={(maxTokens) => playground.setParameters({ maxTokens: maxTokens.trim() })}
      />
    </>
  );
}
