// Batches as OpenRouter's API takes and shows them: their calls are in the request, and their results in the answer.
import { isObject, type JsonObject, parseObject } from "@turnpike/base";
import { toUsdNumber } from "@turnpike/terms";
import { badValue, notSupported, wrongType } from "../checks/body-fault.ts";
import { type BatchEndpoint, parseText } from "./parse-batch-fields.ts";
import { type InlineCall, parseInlineCalls } from "./parse-inline-calls.ts";
import { type BatchView, toSeconds } from "./present-batch.ts";

const endpoints = [
  "/v1/chat/completions",
  "/v1/responses",
  "/v1/messages",
  "/v1/embeddings",
] as const satisfies readonly BatchEndpoint[];

export type InlineBatchFields = {
  readonly endpoint: BatchEndpoint;
  readonly model: string;
  readonly calls: readonly InlineCall[];
};

/** Throws a Fault that names the field. */
export function parseInlineBatch(fields: JsonObject): InlineBatchFields {
  const { endpoint, model, requests, completion_window = "24h", provider, ...others } = fields;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw badValue(unknown, "it is no field of a batch. See POST /v1/batches in /openapi.json");
  }
  const path = parseText("endpoint", endpoint);
  const known = endpoints.find((one) => one === path || one === `/v1${path}`);
  if (known === undefined) throw notSupported("endpoint", path, endpoints);
  if (completion_window !== "24h") {
    const shown = parseText("completion_window", completion_window);
    throw notSupported("completion_window", shown, ["24h"]);
  }
  const named = parseText("model", model);
  if (provider !== undefined && provider !== null && !isObject(provider)) {
    throw wrongType("provider", "an object", provider);
  }
  const routing = isObject(provider) ? { provider } : {};
  const calls = parseInlineCalls(requests, "body").map(({ customId, body }, index) => {
    if (body.model !== undefined && body.model !== named) {
      throw badValue(`requests[${index}].body.model`, "it is not the model of the batch.");
    }
    return { customId, body: { ...routing, ...body, model: named } };
  });
  return { endpoint: known, model: named, calls };
}

/** `results` is for `inlineResult`s, one after the other, where the batch has some. */
export function inlineBatchBody(batch: BatchView, model: string | null) {
  const { state, total, completed, failed, usage, costNanos, errors } = batch;
  const [error] = errors ?? [];
  return {
    id: batch.id,
    object: "batch",
    endpoint: batch.endpoint,
    model,
    completion_window: "24h",
    status: state,
    created_at: toSeconds(batch.createdAt),
    expires_at: toSeconds(batch.expiresAt),
    finalized_at: toSeconds(batch.endedAt),
    request_counts: { total, completed, failed },
    usage:
      usage === null
        ? null
        : {
            prompt_tokens: usage.promptTokens,
            completion_tokens: usage.completionTokens,
            total_tokens: usage.promptTokens + usage.completionTokens,
            cost: costNanos === null ? null : toUsdNumber(costNanos),
            is_byok: false,
          },
    error: error ?? null,
    results: null,
  };
}

export function deletedInlineBatchBody(id: string) {
  return {
    id,
    object: "batch",
    deletion: { openrouter: "deleted", upstream: { provider: null, status: "not_applicable" } },
  };
}

/** A line of results as OpenAI writes it: of an answer that is an error, only the error is shown. */
export function inlineResult(text: string, isGood: boolean): string {
  if (isGood) return text;
  const line = parseObject(text);
  if (line === undefined) throw new Error("a line of results is no object");
  const { response } = line;
  if (!isObject(response) || !isObject(response.body)) return text;
  const { error } = response.body;
  const { code, type, message } = isObject(error) ? error : {};
  const shown = { code: code ?? type ?? response.status_code, message };
  return JSON.stringify({ ...line, response: null, error: shown });
}
