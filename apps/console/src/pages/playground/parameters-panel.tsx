// The system prompt and the parameters of the next request. Unsupported ones are shown disabled, with the
// reason.
import type { JSX } from "solid-js";
import { formatCount } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox } from "../../ui/choices.tsx";
import { TextArea, TextField } from "../../ui/text-field.tsx";
import type { ParameterErrors } from "./check-parameters.ts";
import { can, type Model, noParameters } from "./conversation.ts";
import type { Playground } from "./create-playground.ts";
import { t } from "./texts.ts";

/** One conversation, or several that share their settings. */
export type Adjustable = Pick<Playground, "conversation" | "setSystem" | "setParameters">;

type ParametersPanelProps = {
  playground: Adjustable;
  model: Model | undefined;
  errors: ParameterErrors;
};

export function ParametersPanel(props: ParametersPanelProps): JSX.Element {
  const { playground } = props;
  const values = () => playground.conversation.parameters;
  const unsupported = () => t("parameter.unsupported", { model: props.model?.name ?? "" });
  return (
    <div class="flex flex-col gap-5">
      <TextArea
        label={t("message.system")}
        hint={t("message.systemHint")}
        rows={4}
        value={playground.conversation.system}
        onInput={playground.setSystem}
      />
      <NumberFields {...props} />
      <TextArea
        label={t("parameter.stop")}
        hint={t("parameter.stopHint")}
        error={props.errors.stop}
        rows={2}
        mono
        value={values().stop}
        onInput={(stop) => playground.setParameters({ stop })}
      />
      <Checkbox
        label={t("parameter.json")}
        hint={can(props.model, "json_schema") ? t("parameter.jsonHint") : unsupported()}
        disabled={!can(props.model, "json_schema")}
        checked={values().json && can(props.model, "json_schema")}
        onChange={(json) => playground.setParameters({ json })}
      />
      <TextArea
        label={t("parameter.tools")}
        hint={can(props.model, "tools") ? t("parameter.toolsHint") : unsupported()}
        error={can(props.model, "tools") ? props.errors.tools : undefined}
        disabled={!can(props.model, "tools")}
        rows={4}
        mono
        spellcheck={false}
        value={values().tools}
        onInput={(tools) => playground.setParameters({ tools })}
      />
      <div>
        <Button size="small" onClick={() => playground.setParameters(noParameters)}>
          {t("parameter.reset")}
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
          label={t("parameter.temperature")}
          hint={t("parameter.temperatureHint")}
          error={props.errors.temperature}
          inputmode="decimal"
          autocomplete="off"
          value={values().temperature}
          onInput={(temperature) => playground.setParameters({ temperature: temperature.trim() })}
        />
        <TextField
          label={t("parameter.topP")}
          hint={t("parameter.topPHint")}
          error={props.errors.topP}
          inputmode="decimal"
          autocomplete="off"
          value={values().topP}
          onInput={(topP) => playground.setParameters({ topP: topP.trim() })}
        />
      </div>
      <TextField
        label={t("parameter.maxTokens")}
        hint={t("parameter.maxTokensHint", {
          most: formatCount(props.model?.maxOutputTokens),
        })}
        error={props.errors.maxTokens}
        inputmode="numeric"
        autocomplete="off"
        value={values().maxTokens}
        onInput={(maxTokens) => playground.setParameters({ maxTokens: maxTokens.trim() })}
      />
    </>
  );
}
