// The endpoints of batches, as operations of OpenAPI.
import { inPath, inQuery, named, text, type WireOperation } from "./wire-operation.ts";

const id = inPath("id", "Id of the batch, `batch_…`.");
const messageBatchId = inPath("id", "Id of the batch, `msgbatch_…`.");
const tag = "Batches";
/** Of batches of messages. */
const errors = "anthropic";

/** By path and method. */
export const batchOperations: readonly (readonly [string, WireOperation])[] = [
  [
    "/v1/batches",
    {
      method: "post",
      tag,
      summary: "Create a batch",
      description:
        "Its lines run within 24 hours as calls of the key, at their usual prices; their answers are in files then. With `requests`, as OpenRouter's clients send it, it is answered with 202, and its results are in the batch.",
      body: named("BatchesNew"),
      answer: named("BatchesAny"),
    },
  ],
  [
    "/v1/batches",
    {
      method: "get",
      tag,
      summary: "List batches",
      answer: named("BatchesList"),
      parameters: [
        inQuery("limit", "Batches of a page. Default: 20.", {
          type: "integer",
          minimum: 1,
          maximum: 100,
        }),
        inQuery("after", "The `last_id` of the page before."),
      ],
    },
  ],
  [
    "/v1/batches/{id}",
    {
      method: "get",
      tag,
      summary: "Read a batch",
      answer: named("BatchesAny"),
      parameters: [id],
    },
  ],
  [
    "/v1/batches/{id}",
    {
      method: "delete",
      tag,
      summary: "Delete a batch",
      description:
        "One that is over. Files that were uploaded for it stay, the others are deleted.",
      answer: named("BatchesDeleted"),
      parameters: [id],
    },
  ],
  [
    "/v1/batches/{id}/cancel",
    {
      method: "post",
      tag,
      summary: "Cancel a batch",
      description: "Lines that run end and are charged, the others do not start.",
      answer: named("BatchesAny"),
      parameters: [id],
    },
  ],
  [
    "/v1/messages/batches",
    {
      method: "post",
      tag,
      errors,
      summary: "Create a batch of messages",
      description: "Its requests run within 24 hours as calls of the key, at their usual prices.",
      body: named("BatchesMessageBatchRequest"),
      answer: named("BatchesMessageBatch"),
    },
  ],
  [
    "/v1/messages/batches",
    {
      method: "get",
      tag,
      errors,
      summary: "List batches of messages",
      answer: named("BatchesMessageBatchList"),
      parameters: [
        inQuery("limit", "Batches of a page. Default: 20.", {
          type: "integer",
          minimum: 1,
          maximum: 1_000,
        }),
        inQuery("after_id", "The `last_id` of a page: older ones follow."),
        inQuery("before_id", "The `first_id` of a page: newer ones precede it."),
      ],
    },
  ],
  [
    "/v1/messages/batches/{id}",
    {
      method: "get",
      tag,
      errors,
      summary: "Read a batch of messages",
      answer: named("BatchesMessageBatch"),
      parameters: [messageBatchId],
    },
  ],
  [
    "/v1/messages/batches/{id}",
    {
      method: "delete",
      tag,
      errors,
      summary: "Delete a batch of messages",
      description: "One that has ended, with its results.",
      answer: named("BatchesMessageBatchDeleted"),
      parameters: [messageBatchId],
    },
  ],
  [
    "/v1/messages/batches/{id}/cancel",
    {
      method: "post",
      tag,
      errors,
      summary: "Cancel a batch of messages",
      description: "Requests that run end and are charged, the others do not start.",
      answer: named("BatchesMessageBatch"),
      parameters: [messageBatchId],
    },
  ],
  [
    "/v1/messages/batches/{id}/results",
    {
      method: "get",
      tag,
      errors,
      summary: "Read the results of a batch of messages",
      description:
        "A JSON object in each line: `custom_id`, and a `result` of the type `succeeded`, `errored`, `canceled` or `expired`.",
      answer: text,
      answerType: "application/x-jsonl",
      parameters: [messageBatchId],
    },
  ],
];
