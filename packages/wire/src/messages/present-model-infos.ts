// The catalog as clients of Anthropic's API list it, newest models first and in pages. It contains only
// models that answer `/v1/messages`.

import { badValue, brokenRule } from "../checks/body-fault.ts";
import { integer, oneOf } from "../checks/check-value.ts";
import type { ModelView } from "../present/present-models.ts";

const defaultLimit = 20;
const maxLimit = 1_000;
/** A model of the catalog is `active`; the others never match. */
const lifecycles = ["active", "deprecated", "retired"];

/** Source: `ModelInfo` of @anthropic-ai/sdk 1.10.0. */
export function modelInfo(model: ModelView): Record<string, unknown> {
  return {
    type: "model",
    id: model.id,
    display_name: model.name,
    created_at: model.created.toISOString(),
    max_input_tokens: model.contextTokens,
    max_tokens: model.maxOutputTokens ?? null,
    // Anthropic's list has details that the catalog does not have; null says so.
    capabilities: null,
    lifecycle: "active",
    deprecated_at: null,
    retires_at: null,
    line: null,
  };
}

/**
 * One page of the list. `query` may have `limit` (1 to 1000), `lifecycle` and one of `after_id` and
 * `before_id`, the ids at the edge of another page. Throws Fault.
 */
export function modelInfoPage(
  models: Iterable<ModelView>,
  query: URLSearchParams,
): Record<string, unknown> {
  const limit = parseLimit(query);
  const listed = readsActive(query) ? newestFirst(models) : [];
  const afterId = query.get("after_id");
  const beforeId = query.get("before_id");
  if (afterId !== null && beforeId !== null) {
    throw brokenRule("before_id", "Send either 'after_id' or 'before_id', not both.");
  }
  const start = afterId === null ? 0 : positionOf(listed, "after_id", afterId) + 1;
  const end = beforeId === null ? listed.length : positionOf(listed, "before_id", beforeId);
  const candidates = listed.slice(start, end);
  const page = beforeId === null ? candidates.slice(0, limit) : candidates.slice(-limit);
  return {
    data: page.map(modelInfo),
    has_more: candidates.length > page.length,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
}

function newestFirst(models: Iterable<ModelView>): readonly ModelView[] {
  return Array.from(models)
    .filter(({ operation }) => operation === "chat")
    .sort((a, b) => b.created.getTime() - a.created.getTime());
}

function parseLimit(query: URLSearchParams): number {
  const text = query.get("limit");
  if (text === null) return defaultLimit;
  const limit = /^-?\d{1,9}$/.test(text) ? Number(text) : text;
  integer(1, maxLimit)(limit, "limit");
  return Number(limit);
}

/** SDKs write lists as `lifecycle[]=…`. */
function readsActive(query: URLSearchParams): boolean {
  const asked = [...query.getAll("lifecycle[]"), ...query.getAll("lifecycle")];
  for (const lifecycle of asked) oneOf(lifecycles)(lifecycle, "lifecycle");
  return asked.length === 0 || asked.includes("active");
}

function positionOf(models: readonly ModelView[], param: string, id: string): number {
  const position = models.findIndex((model) => model.id === id);
  if (position !== -1) return position;
  throw badValue(
    param,
    "no model of this list has this id. Use `first_id` or `last_id` of a page.",
  );
}
