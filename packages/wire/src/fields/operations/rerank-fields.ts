// The fields of a rerank request, by the names of Cohere, Jina and Voyage alike.
import { emptyArray, tooMany, wrongType } from "../../checks/body-fault.ts";
import { boolean, integer, list, rule, text } from "../../checks/check-value.ts";
import { withCommonFields } from "./operation-field.ts";

/** Cohere advises no more. */
const documentsMax = 1_000;

const documents = rule({ list: { minItems: 1, maxItems: documentsMax } }, (value, path) => {
  if (!Array.isArray(value)) throw wrongType(path, "an array of strings or objects", value);
  if (value.length === 0) throw emptyArray(path);
  if (value.length > documentsMax) throw tooMany(path, documentsMax, value.length);
});

const count = integer(1, 1_000_000);

export const rerankFields = withCommonFields({
  query: { check: text({ nonEmpty: true }) },
  documents: { check: documents },
  top_n: { check: count },
  top_k: { check: count },
  return_documents: { check: boolean },
  max_tokens_per_doc: { check: integer(1, 1_000_000) },
  rank_fields: { check: list(text(), { of: "strings" }), isPreference: true },
  truncation: { check: boolean, isPreference: true },
  priority: { check: integer(0, 999), isPreference: true },
});
