// Markdown as elements, block by block and never through innerHTML: while a text is still arriving
// only its last block is drawn again, so that selections and buttons above it stay alive.
import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import type { JSX } from "solid-js";
import { createMemo, For, Index, Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import { slugOf } from "../../lib/markdown/slug-of.ts";
import { CodeSnippet } from "../code/code-snippet.tsx";
import type { CodeLanguage } from "../code/highlight.ts";
import { Inline, known } from "./inline.tsx";

export type MarkdownOptions = {
  /** The element of `#`; deeper headings follow. Pages have an `h1` already. */
  readonly topHeading?: 1 | 3 | undefined;
  /** For our own texts: allows links within this site, and gives headings anchors. */
  readonly trusted?: boolean | undefined;
  /** Draws a custom kind of code fence, such as a snippet with tabs. */
  readonly fence?: ((info: string) => JSX.Element | undefined) | undefined;
};

/** For our own texts, parsed synchronously; texts of others go through ModelMarkdown. */
export function Markdown(props: MarkdownOptions & { text: string }): JSX.Element {
  const tokens = createMemo(() => lexer(props.text));
  return <MarkdownTokens {...props} tokens={tokens()} />;
}

export function MarkdownTokens(props: MarkdownOptions & { tokens: readonly Token[] }): JSX.Element {
  const blocks = createMemo(() => visible(props.tokens));
  return (
    <div class="flex min-w-0 flex-col gap-3 leading-relaxed wrap-break-word">
      <Blocks tokens={blocks()} options={props} />
    </div>
  );
}

function visible(tokens: readonly Token[]): readonly MarkedToken[] {
  return tokens.map(known).filter((token) => token.type !== "space" && token.type !== "def");
}

type BlocksProps = { tokens: readonly MarkedToken[]; options: MarkdownOptions };

function Blocks(props: BlocksProps): JSX.Element {
  return (
    <Index each={props.tokens}>
      {(token) => {
        const stable = createMemo(token, undefined, { equals: isSame });
        return <>{drawBlock(stable(), props.options)}</>;
      }}
    </Index>
  );
}

function isSame(a: MarkedToken, b: MarkedToken): boolean {
  return a.type === b.type && a.raw === b.raw;
}

function drawBlock(token: MarkedToken, options: MarkdownOptions): JSX.Element {
  const { trusted } = options;
  switch (token.type) {
    case "paragraph":
      return (
        <p class="whitespace-pre-line">
          <Inline tokens={token.tokens} trusted={trusted} />
        </p>
      );
    case "heading":
      return <Heading token={token} options={options} />;
    case "code":
      return <Fence token={token} options={options} />;
    case "list":
      return <List token={token} options={options} />;
    case "table":
      return <MarkdownTable token={token} trusted={trusted} />;
    case "blockquote":
      return (
        <blockquote class="flex flex-col gap-3 border-s-2 border-border ps-4 text-muted">
          <Blocks tokens={visible(token.tokens)} options={options} />
        </blockquote>
      );
    case "hr":
      return <hr class="border-border" />;
    case "text":
      return <Inline tokens={token.tokens ?? [token]} trusted={trusted} />;
    case "checkbox":
      return <Inline tokens={[token]} />;
    default:
      // HTML included: shown as plain text.
      return <p class="whitespace-pre-wrap">{token.raw.trim()}</p>;
  }
}

const headingClasses = ["text-xl", "text-lg", "text-base", "text-base"] as const;

function Heading(props: { token: Tokens.Heading; options: MarkdownOptions }): JSX.Element {
  const depth = () => Math.min(props.token.depth, headingClasses.length) - 1;
  const level = () => Math.min(6, (props.options.topHeading ?? 3) + depth());
  return (
    <Dynamic
      component={`h${level()}`}
      id={props.options.trusted ? slugOf(props.token.text) : undefined}
      class={`mt-2 font-semibold first:mt-0 ${headingClasses[depth()]}`}
    >
      <Inline tokens={props.token.tokens} trusted={props.options.trusted} />
    </Dynamic>
  );
}

const languages: Readonly<Record<string, CodeLanguage>> = {
  bash: "bash",
  sh: "bash",
  shell: "bash",
  console: "bash",
  python: "python",
  py: "python",
  js: "javascript",
  javascript: "javascript",
  jsx: "javascript",
  ts: "javascript",
  tsx: "javascript",
  typescript: "javascript",
  json: "json",
  jsonc: "json",
  yaml: "yaml",
  yml: "yaml",
};

const titles: Readonly<Record<string, string>> = {
  bash: "Shell",
  python: "Python",
  javascript: "JavaScript",
  json: "JSON",
  yaml: "YAML",
};

function Fence(props: { token: Tokens.Code; options: MarkdownOptions }): JSX.Element {
  const info = () => (props.token.lang ?? "").trim().toLowerCase();
  const name = () => info().split(/\s/)[0] ?? "";
  const language = (): CodeLanguage =>
    (Object.hasOwn(languages, name()) ? languages[name()] : undefined) ?? "text";
  return (
    <Show
      when={props.options.fence?.(info())}
      fallback={
        <CodeSnippet
          snippets={[
            {
              id: "code",
              label: titles[language()] ?? (name() || "Code"),
              language: language(),
              code: props.token.text,
            },
          ]}
        />
      }
    >
      {(drawn) => drawn()}
    </Show>
  );
}

function List(props: { token: Tokens.List; options: MarkdownOptions }): JSX.Element {
  const items = (
    <For each={props.token.items}>
      {(item) => (
        <li class="ps-1 [&>p+*]:mt-2" classList={{ "list-none": item.task }}>
          <Blocks tokens={visible(item.tokens)} options={props.options} />
        </li>
      )}
    </For>
  );
  const start = Number(props.token.start);
  return props.token.ordered ? (
    <ol
      class="ms-6 flex list-decimal flex-col gap-1.5"
      start={Number.isSafeInteger(start) ? start : undefined}
    >
      {items}
    </ol>
  ) : (
    <ul class="ms-5 flex list-disc flex-col gap-1.5">{items}</ul>
  );
}

const alignments = { left: "text-start", center: "text-center", right: "text-end" } as const;

function MarkdownTable(props: { token: Tokens.Table; trusted: boolean | undefined }): JSX.Element {
  const cellClass = (cell: Tokens.TableCell) =>
    `border-b border-border px-3 py-2 align-top ${cell.align ? alignments[cell.align] : "text-start"}`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: it must be scrollable sideways by keyboard
    <div
      role="group"
      aria-label="Table, scrollable"
      tabindex={0}
      class="overflow-x-auto rounded-card border border-border [&_tr:last-child>td]:border-b-0"
    >
      <table
        class="w-full border-separate border-spacing-0 text-sm"
        classList={{ "min-w-xl": props.token.header.length > 3 }}
      >
        <thead>
          <tr>
            <For each={props.token.header}>
              {(cell) => (
                <th scope="col" class={`${cellClass(cell)} bg-surface font-medium text-muted`}>
                  <Inline tokens={cell.tokens} trusted={props.trusted} />
                </th>
              )}
            </For>
          </tr>
        </thead>
        <tbody>
          <For each={props.token.rows}>
            {(row) => (
              <tr>
                <For each={row}>
                  {(cell) => (
                    <td class={cellClass(cell)}>
                      <Inline tokens={cell.tokens} trusted={props.trusted} />
                    </td>
                  )}
                </For>
              </tr>
            )}
          </For>
        </tbody>
      </table>
    </div>
  );
}
