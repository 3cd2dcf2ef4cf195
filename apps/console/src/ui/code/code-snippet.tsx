// Code to copy: tabs per language (the choice is remembered), colored as elements, no prompt signs.
import type { JSX } from "solid-js";
import { createMemo, createSignal, For, Show } from "solid-js";
import { readStored, writeStored } from "../../lib/stored-text.ts";
import { CopyButton } from "../buttons/copy-button.tsx";
import { Tabs } from "../menus/tabs.tsx";
import { type CodeKind, type CodeLanguage, highlight } from "./highlight.ts";

export type Snippet = {
  /** Remembered across snippets: "curl", "python", "node". */
  readonly id: string;
  readonly label: string;
  readonly language: CodeLanguage;
  readonly code: string;
};

const classes = {
  plain: "",
  keyword: "text-code-keyword",
  string: "text-code-string",
  number: "text-code-number",
  comment: "text-code-comment",
  name: "text-code-name",
} as const satisfies Record<CodeKind, string>;

const storageKey = "snippet-language";

const [choice, setChoice] = createSignal(readStored(storageKey));

/** One snippet in several languages, or a single one without tabs. */
export function CodeSnippet(props: { snippets: readonly Snippet[]; label?: string }): JSX.Element {
  const chosen = () =>
    props.snippets.find((snippet) => snippet.id === choice()) ?? props.snippets[0];
  const select = (id: string) => {
    setChoice(id);
    writeStored(storageKey, id);
  };
  return (
    <Show when={chosen()}>
      {(snippet) => (
        <div class="min-w-0 overflow-hidden rounded-card border border-border bg-surface">
          <Show
            when={props.snippets.length > 1}
            fallback={
              <div class="flex items-center justify-between border-b border-border py-1 ps-4 pe-1.5">
                <span class="text-sm text-muted">{snippet().label}</span>
                <CopyCode code={snippet().code} />
              </div>
            }
          >
            <Tabs
              label={props.label ?? "Language"}
              tabs={props.snippets}
              value={snippet().id}
              onChange={select}
              end={
                <div class="pe-1.5">
                  <CopyCode code={snippet().code} />
                </div>
              }
            >
              <CodeBlock
                code={snippet().code}
                language={snippet().language}
                label={snippet().label}
              />
            </Tabs>
          </Show>
          <Show when={props.snippets.length === 1}>
            <CodeBlock
              code={snippet().code}
              language={snippet().language}
              label={snippet().label}
            />
          </Show>
        </div>
      )}
    </Show>
  );
}

function CopyCode(props: { code: string }): JSX.Element {
  return <CopyButton text={props.code} variant="ghost" />;
}

type CodeBlockProps = { code: string; language: CodeLanguage; label: string };

/** Just the code; scrollable sideways by keyboard too. Not a landmark: a page may have many of them. */
export function CodeBlock(props: CodeBlockProps): JSX.Element {
  const pieces = createMemo(() => highlight(props.code, props.language));
  return (
    // biome-ignore lint/a11y/useSemanticElements: code belongs into a pre, which must scroll by keyboard
    <pre
      translate="no"
      role="group"
      aria-label={props.label}
      tabindex={0}
      class="overflow-x-auto px-4 py-3.5 font-mono text-sm leading-relaxed -outline-offset-2!"
    >
      <code>
        <For each={pieces()}>
          {(piece) =>
            piece.kind === "plain" ? (
              piece.text
            ) : (
              <span class={classes[piece.kind]}>{piece.text}</span>
            )
          }
        </For>
      </code>
    </pre>
  );
}
