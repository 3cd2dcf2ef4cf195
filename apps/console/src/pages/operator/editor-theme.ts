// How the editor looks: the tokens of the console, which a shadow root inherits.
import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

export const textColors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-name)" },
  { tag: [tags.string, tags.content, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.keyword, tags.meta, tags.labelName, tags.typeName], color: "var(--code-keyword)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
]);

export const editorTheme = EditorView.theme({
  "&": {
    height: "min(70vh, 48rem)",
    fontSize: "13px",
    color: "var(--text)",
    backgroundColor: "var(--bg)",
  },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "ui-monospace, monospace", lineHeight: "1.5", overflow: "auto" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-gutters": {
    color: "var(--muted)",
    backgroundColor: "var(--surface)",
    borderRight: "1px solid var(--border)",
  },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--hover) 60%, transparent)" },
  ".cm-activeLineGutter": { color: "var(--text)", backgroundColor: "var(--hover)" },
  ".cm-foldPlaceholder": {
    color: "var(--muted)",
    backgroundColor: "var(--neutral-tint)",
    borderColor: "var(--border)",
  },
  ".cm-panels": { color: "var(--text)", backgroundColor: "var(--surface)" },
  ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--border)" },
  ".cm-textfield": {
    color: "var(--text)",
    backgroundColor: "var(--bg)",
    border: "1px solid var(--control)",
  },
  ".cm-button": {
    color: "var(--text)",
    backgroundColor: "var(--raised)",
    backgroundImage: "none",
    border: "1px solid var(--control)",
  },
  ".cm-panel.cm-search": { padding: "8px", fontSize: "13px" },
  ".cm-panel.cm-search label": { color: "var(--text)", fontSize: "13px" },
  ".cm-panel.cm-search .cm-textfield, .cm-panel.cm-search .cm-button": { fontSize: "13px" },
  ".cm-panel.cm-search [name=close]": { color: "var(--text)" },
  ".cm-searchMatch": {
    backgroundColor: "var(--warning-tint)",
    outline: "1px solid var(--warning)",
  },
  ".cm-searchMatch-selected": { backgroundColor: "var(--info-tint)" },
  ".cm-selectionMatch": { backgroundColor: "var(--neutral-tint)" },
  ".cm-tooltip": {
    color: "var(--text)",
    backgroundColor: "var(--raised)",
    border: "1px solid var(--border)",
  },
  ".cm-diagnostic-error": { borderLeftColor: "var(--danger)" },
});
