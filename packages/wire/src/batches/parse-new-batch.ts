// The body of `POST /v1/batches`: with `requests` it is one of OpenRouter's clients, which send the calls themselves.
import { parseJsonBody } from "../json/parse-json-body.ts";
import { type InlineBatchFields, parseInlineBatch } from "./openrouter-batches.ts";
import { type BatchFields, parseBatchFields } from "./parse-batch-fields.ts";

export type NewBatchFields =
  | { readonly form: "openai"; readonly fields: BatchFields }
  | { readonly form: "openrouter"; readonly fields: InlineBatchFields };

/** Throws a Fault that names the field. */
export function parseNewBatch(text: string): NewBatchFields {
  const { parsed } = parseJsonBody(text);
  return parsed.requests === undefined
    ? { form: "openai", fields: parseBatchFields(parsed) }
    : { form: "openrouter", fields: parseInlineBatch(parsed) };
}
