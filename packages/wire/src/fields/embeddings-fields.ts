// The fields of embeddings: OpenAI's, and those of services, which pass unchecked.
import { integer, oneOf } from "../checks/check-value.ts";
import { each, type FieldTable, own } from "./request-field.ts";

export const embeddingsFields: FieldTable = {
  encoding_format: {
    rule: "pass",
    of: { embeddings: { check: oneOf(["float", "base64"]), isExactName: true } },
    to: { geminiEmbeddings: true },
    listed: "always",
  },
  dimensions: {
    rule: "pass",
    of: { embeddings: { check: integer(1, 100_000), isExactName: true } },
    to: { geminiEmbeddings: true },
    listed: { with: "dimensions" },
  },
  ...each(
    [
      "input_type",
      "task",
      "task_type",
      "truncate",
      "normalized",
      "normalize",
      "late_chunking",
      "instruction",
      "prompt_name",
      "output_dtype",
      "output_dimension",
      "embedding_type",
      "embedding_types",
      "instruct",
      "text_type",
    ],
    { rule: "pass", of: { embeddings: own } },
  ),
};
