// The pages of the docs in order, with their titles, for the docs themselves and the command palette.
import { t } from "./texts.ts";

export const docIds = [
  "quickstart",
  "models",
  "streaming",
  "tools",
  "errors",
  "limits",
  "guardrails",
  "billing",
  "budgets",
  "organizations",
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
    ids: [
      "models",
      "streaming",
      "tools",
      "errors",
      "limits",
      "guardrails",
      "billing",
      "budgets",
      "organizations",
      "account",
      "migrate",
    ],
  },
  {
    group: "clients",
    ids: ["openai-sdk", "ai-sdk", "langchain", "cline", "continue", "aider", "opencode"],
  },
];

export const docGroups = groups.map(({ group, ids }) => ({
  group,
  title: t(`group.${group}`),
  docs: ids.map((id) => ({ id, title: docTitle(id), href: hrefOf(id) })),
}));

export function docTitle(id: DocId): string {
  return t(`doc.${id}`);
}

/** The page at `/docs/<path>`; the first if there is no path. */
export function findDoc(path: string | undefined): DocId | undefined {
  const name = (path ?? "").replace(/\/$/, "");
  return name === "" ? docIds[0] : docIds.find((id) => id === name);
}

function hrefOf(id: DocId): string {
  return id === docIds[0] ? "/docs" : `/docs/${id}`;
}
