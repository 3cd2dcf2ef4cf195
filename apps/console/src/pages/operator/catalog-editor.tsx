// The editor of the catalog's text: line numbers, find, folding, colors, and mistakes at their lines. It lives in a
// shadow root, where its styles are adopted sheets: the content security policy refuses style elements.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  foldAll,
  foldGutter,
  foldKeymap,
  indentOnInput,
  syntaxHighlighting,
  unfoldAll,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import {
  highlightSelectionMatches,
  openSearchPanel,
  search,
  searchKeymap,
} from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import type { JSX } from "solid-js";
import { createEffect, createUniqueId, onCleanup, onMount } from "solid-js";
import { Button } from "../../ui/buttons/button.tsx";
import { editorTheme, textColors } from "./editor-theme.ts";

export type Mistake = {
  /** Null where it is about no line of its own. */
  readonly line: number | null;
  readonly message: string;
};

type CatalogEditorProps = {
  label: string;
  hint: string;
  value: string;
  onInput: (text: string) => void;
  mistakes: readonly Mistake[];
};

export default function CatalogEditor(props: CatalogEditorProps): JSX.Element {
  const hintId = createUniqueId();
  let host: HTMLDivElement | undefined;
  let view: EditorView | undefined;
  onMount(() => {
    if (host === undefined) return;
    view = createView(host, props);
    onCleanup(() => view?.destroy());
  });
  // What was applied here or by somebody else replaces the text.
  createEffect(() => {
    const text = props.value;
    if (view === undefined || text === view.state.doc.toString()) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  });
  createEffect(() => {
    const { mistakes } = props;
    if (view !== undefined) view.dispatch(setDiagnostics(view.state, placeAll(view, mistakes)));
  });
  const run = (command: (of: EditorView) => boolean) => () => {
    if (view === undefined) return;
    view.focus();
    command(view);
  };
  return (
    <div class="flex flex-col gap-2">
      <div class="flex flex-wrap items-end justify-between gap-2">
        <span class="text-sm font-medium">{props.label}</span>
        <span class="flex flex-wrap gap-2">
          <Button size="small" onClick={run(openSearchPanel)}>
            Find
          </Button>
          <Button size="small" onClick={run(foldAll)}>
            Fold all
          </Button>
          <Button size="small" onClick={run(unfoldAll)}>
            Unfold all
          </Button>
        </span>
      </div>
      <div ref={host} class="overflow-hidden rounded-control border border-control" />
      <p id={hintId} class="text-sm text-muted">
        {props.hint}
      </p>
    </div>
  );
}

function createView(host: HTMLElement, props: CatalogEditorProps): EditorView {
  const root = host.attachShadow({ mode: "open" });
  const parent = document.createElement("div");
  root.append(parent);
  return new EditorView({
    root,
    parent,
    state: EditorState.create({
      doc: props.value,
      extensions: [
        lineNumbers(),
        foldGutter(),
        lintGutter(),
        history(),
        indentOnInput(),
        bracketMatching(),
        highlightActiveLine(),
        highlightActiveLineGutter(),
        highlightSelectionMatches(),
        search({ top: true }),
        yaml(),
        syntaxHighlighting(textColors),
        editorTheme,
        // Tab is not bound: it leaves the editor.
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...foldKeymap]),
        EditorView.contentAttributes.of({
          "aria-label": props.label,
          "aria-description": props.hint,
          spellcheck: "false",
          autocapitalize: "off",
          // What scrolls must be reachable by the keyboard, for tools that do not count editable content.
          tabindex: "0",
        }),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) props.onInput(state.doc.toString());
        }),
      ],
    }),
  });
}

/** Each at the whole of its line; one without a line at the first. */
function placeAll({ state: { doc } }: EditorView, mistakes: readonly Mistake[]): Diagnostic[] {
  return mistakes
    .map(({ line, message }): Diagnostic => {
      const { from, to } = doc.line(Math.min(Math.max(line ?? 1, 1), doc.lines));
      return { from, to, severity: "error", message };
    })
    .sort((one, other) => one.from - other.from);
}
