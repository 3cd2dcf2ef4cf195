// What an empty conversation offers: questions to start with.
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { Button } from "../../../ui/buttons/button.tsx";

export const firstExample = "Explain prepaid billing in two sentences.";

const examples = [
  firstExample,
  "Write a haiku about the sea.",
  "Show a small Python function with a test.",
];

type ExamplesProps = { many: boolean; onChoose: (text: string) => void };

export function Examples(props: ExamplesProps): JSX.Element {
  return (
    <div class="flex flex-1 flex-col items-center justify-center gap-5 py-10 text-center">
      <div>
        <p class="text-lg">
          {props.many ? "Ask once, read the answers side by side." : "Send a message to start."}
        </p>
        <p class="mt-1 text-sm text-muted">
          Uses your balance{props.many ? ", for each model" : ""}. No API key needed.
        </p>
      </div>
      <ul class="flex max-w-lg flex-col gap-2">
        <For each={examples}>
          {(example) => (
            <li>
              <Button wide onClick={() => props.onChoose(example)}>
                <span class="truncate">{example}</span>
              </Button>
            </li>
          )}
        </For>
      </ul>
    </div>
  );
}
