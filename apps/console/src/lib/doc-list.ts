// The pages of the docs in their order; also what the command palette finds.
import { t } from "../pages/docs/texts.ts";

export const docIds = [
  "quickstart",
  "models",
  "streaming",
  "tools",
  "errors",
  "limits",
  "billing",
  "account",
  "migrate",
  "openai-sdk",
  "ai-sdk",
  "langchain",
  "cline",
  "continue",
  "aider",
  "opencode",
] as const;
export type DocId = (typeof docIds)[number];

export type DocGroup = "start" | "guides" | "clients";

const groups: readonly { readonly group: DocGroup; readonly ids: readonly DocId[] }[] = [
  { group: "start", ids: ["quickstart"] },
  {
    group: "guides",
    ids: ["models", "streaming", "tools", "errors", "limits", "billing", "account", "migrate"],
  },
  {
    group: "clients",
    ids: ["openai-sdk", "ai-sdk", "langchain", "cline", "continue", "aider", "opencode"],
  },
];

export const docGroups = groups.map(({ group, ids }) => ({
  group,
  title: t(`group.${group}`),
  docs: ids.map((id) => ({ id, title: t(`doc.${id}`), href: hrefOf(id) })),
}));

/** The page at `/docs/<path>`; the first where there is no path. */
export function findDoc(path: string | undefined): DocId | undefined {
  const name = (path ?? "").replace(/\/$/, "");
  return name === "" ? docIds[0] : docIds.find((id) => id === name);
}

function hrefOf(id: DocId): string {
  return id === docIds[0] ? "/docs" : `/docs/${id}`;
}
