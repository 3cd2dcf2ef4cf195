// A finished answer to a request with a JSON Schema: the parsed answer, and whether it fits.
import type { JSX } from "solid-js";
import { createMemo, For, Show } from "solid-js";
import { CodeBlock } from "../../../ui/code/code-snippet.tsx";
import { CircleAlert, CircleCheck } from "../../../ui/icons.ts";
import { checkAnswer } from "./check-answer.ts";

type AnswerCheckProps = { text: string; schema: string };

export default function AnswerCheck(props: AnswerCheckProps): JSX.Element {
  const parsed = createMemo(() => {
    try {
      const value: unknown = JSON.parse(props.text);
      return { value, mistakes: checkAnswer(props.schema, value) };
    } catch {
      return { value: undefined, mistakes: ["The answer is not JSON."] };
    }
  });
  return (
    <div class="flex flex-col gap-2" data-checked="">
      <Show when={parsed().value !== undefined}>
        <div class="overflow-hidden rounded-card border border-border">
          <CodeBlock
            code={JSON.stringify(parsed().value, null, 2)}
            language="json"
            label="Parsed answer"
          />
        </div>
      </Show>
      <Show
        when={parsed().mistakes.length > 0}
        fallback={
          <p class="flex items-center gap-2 text-sm text-muted">
            <CircleCheck class="size-4 text-success" aria-hidden="true" />
            Matches the schema
          </p>
        }
      >
        <div class="flex gap-2 text-sm text-danger">
          <CircleAlert class="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          <div>
            <p>Does not match the schema</p>
            <ul>
              <For each={parsed().mistakes}>{(mistake) => <li>{mistake}</li>}</For>
            </ul>
          </div>
        </div>
      </Show>
    </div>
  );
}
