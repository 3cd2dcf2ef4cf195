// The JSON Schema of the answers, checked while it is typed, and a sample of an answer that fits it.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { Button } from "../../../ui/buttons/button.tsx";
import { CodeBlock } from "../../../ui/code/code-snippet.tsx";
import { TextArea } from "../../../ui/forms/text-field.tsx";
import { sampleOf } from "../answers/check-answer.ts";
import { schemaProblem } from "./schema-problem.ts";

const example = {
  title: "city",
  type: "object",
  properties: {
    name: { type: "string" },
    inhabitants: { type: "integer", minimum: 0 },
    sights: { type: "array", items: { type: "string" } },
  },
  required: ["name", "inhabitants", "sights"],
  additionalProperties: false,
};

type SchemaFieldProps = { value: string; onInput: (schema: string) => void };

export default function SchemaField(props: SchemaFieldProps): JSX.Element {
  const problem = () => (props.value.trim() === "" ? undefined : schemaProblem(props.value));
  const sample = () =>
    props.value.trim() === "" || problem() !== undefined
      ? undefined
      : JSON.stringify(sampleOf(JSON.parse(props.value)), null, 2);
  return (
    <div class="flex flex-col gap-3">
      <TextArea
        label="JSON Schema"
        hint="Answers are checked against it. Without one, any JSON is accepted."
        error={problem()}
        rows={8}
        mono
        spellcheck={false}
        value={props.value}
        onInput={props.onInput}
      />
      <Show
        when={sample()}
        fallback={
          <Show when={props.value.trim() === ""}>
            <div>
              <Button size="small" onClick={() => props.onInput(JSON.stringify(example, null, 2))}>
                Use an example
              </Button>
            </div>
          </Show>
        }
      >
        {(code) => (
          <details class="overflow-hidden rounded-card border border-border">
            <summary class="px-3 py-2 text-sm text-muted">Sample answer</summary>
            <CodeBlock code={code()} language="json" label="Sample answer" />
          </details>
        )}
      </Show>
    </div>
  );
}
