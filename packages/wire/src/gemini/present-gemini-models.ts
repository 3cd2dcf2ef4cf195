// The catalog as clients of Gemini's API list it, in pages. It contains only models that have one of its methods.
import type { Operation } from "@turnpike/terms";
import { badValue } from "../checks/body-fault.ts";
import { integer } from "../checks/check-value.ts";
import type { ModelView } from "../present/present-models.ts";

const defaultSize = 50;
const maxSize = 1_000;

const methods: Readonly<Partial<Record<Operation, readonly string[]>>> = {
  chat: ["generateContent", "streamGenerateContent", "countTokens"],
  embeddings: ["embedContent", "batchEmbedContents"],
};

/** Source: `Model` of https://ai.google.dev/api/models. */
export function geminiModel(model: ModelView): Record<string, unknown> {
  return {
    name: `models/${model.id}`,
    version: "001",
    displayName: model.name,
    description: model.description,
    inputTokenLimit: model.contextTokens,
    ...(model.maxOutputTokens !== undefined && { outputTokenLimit: model.maxOutputTokens }),
    supportedGenerationMethods: methods[model.operation] ?? [],
    ...(model.capabilities.includes("reasoning") && { thinking: true }),
  };
}

/** One page. `query` may have `pageSize` and `pageToken`, the id of the first model of the page. Throws Fault. */
export function geminiModelPage(
  models: readonly ModelView[],
  query: URLSearchParams,
): Record<string, unknown> {
  const listed = models.filter(({ operation }) => methods[operation] !== undefined);
  const size = parseSize(query.get("pageSize"));
  const token = query.get("pageToken") || undefined;
  const start = token === undefined ? 0 : listed.findIndex(({ id }) => id === token);
  if (start === -1) throw badValue("pageToken", "use the `nextPageToken` of a page.");
  const next = listed[start + size];
  return {
    models: listed.slice(start, start + size).map(geminiModel),
    ...(next !== undefined && { nextPageToken: next.id }),
  };
}

/** As at Google, more than can be had are as many as can be had. */
function parseSize(text: string | null): number {
  if (text === null || text === "" || text === "0") return defaultSize;
  const size = /^-?\d{1,9}$/.test(text) ? Number(text) : text;
  integer(1, 2 ** 31 - 1)(size, "pageSize");
  return Math.min(Number(size), maxSize);
}
