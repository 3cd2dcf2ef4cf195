// The endpoints of stored responses, of stored interactions and of conversations, as operations of OpenAPI.
import { inPath, inQuery, named, type WireOperation } from "./wire-operation.ts";

const responseId = inPath("id", "Id of the response, `resp_…`.");
const interactionId = inPath("id", "Id of the interaction, `gen-…`.");
const conversationId = inPath("id", "Id of the conversation, `conv_…`.");
const itemId = inPath("item", "Id of the item.");
const ofResponses = "Stored responses";
const ofInteractions = { tag: "Stored interactions", errors: "google" } as const;
const ofConversations = "Conversations";

const page = [
  inQuery("limit", "Items of a page. Default: 20.", { type: "integer", minimum: 1, maximum: 100 }),
  inQuery("order", "By when they were added. Default: `desc`.", { enum: ["asc", "desc"] }),
  inQuery("after", "The `last_id` of the page before."),
];

const startingAfter = inQuery(
  "starting_after",
  "Number of the last event that the client has. Default: all.",
  { type: "integer", minimum: 0 },
);

const responses: readonly (readonly [string, WireOperation])[] = [
  [
    "/v1/responses/{id}",
    {
      method: "get",
      tag: ofResponses,
      summary: "Read a stored response",
      description: "Keys of the same project read and delete it; others get 404.",
      answer: named("ResponsesResponse"),
      parameters: [
        responseId,
        inQuery("include", "Accepted without effect: everything that was answered is shown."),
        inQuery(
          "stream",
          "True sends the events of a response that runs or ran in the background.",
          {
            type: "boolean",
          },
        ),
        startingAfter,
      ],
    },
  ],
  [
    "/v1/responses/{id}",
    {
      method: "delete",
      tag: ofResponses,
      summary: "Delete a stored response",
      description: "What continued it cannot be continued any more.",
      answer: named("ResponsesDeleted"),
      parameters: [responseId],
    },
  ],
  [
    "/v1/responses/{id}/input_items",
    {
      method: "get",
      tag: ofResponses,
      summary: "List what was new in the input of a stored response",
      answer: named("ResponsesItemList"),
      parameters: [responseId, ...page],
    },
  ],
  [
    "/v1/responses/{id}/cancel",
    {
      method: "post",
      tag: ofResponses,
      summary: "Cancel a response",
      description: "Of a response in the background. Others are refused with 400.",
      answer: named("ResponsesResponse"),
      parameters: [responseId],
    },
  ],
  [
    "/v1/generation/{id}/stream",
    {
      method: "get",
      tag: ofResponses,
      summary: "Read the events of a stream again",
      description: "Of a call with `x-turnpike-resumable: true`, or in the background.",
      answer: { type: "string" },
      answerType: "text/event-stream",
      parameters: [inPath("id", "Id of the call, `gen-…`."), startingAfter],
    },
  ],
];

const interactions: readonly (readonly [string, WireOperation])[] = [
  [
    "/v1beta/interactions/{id}",
    {
      ...ofInteractions,
      method: "get",
      summary: "Read a stored interaction",
      description: "Also under `/v1`. Keys of the same project read and delete it; others get 404.",
      answer: named("InteractionsInteraction"),
      parameters: [
        interactionId,
        inQuery("include_input", "Whether it is shown with what was new in its input.", {
          type: "boolean",
        }),
      ],
    },
  ],
  [
    "/v1beta/interactions/{id}",
    {
      ...ofInteractions,
      method: "delete",
      summary: "Delete a stored interaction",
      description: "What continued it cannot be continued any more.",
      answer: { type: "object", additionalProperties: false },
      parameters: [interactionId],
    },
  ],
  [
    "/v1beta/interactions/{id}/cancel",
    {
      ...ofInteractions,
      method: "post",
      summary: "Cancel an interaction",
      description: "Refused with 400: only interactions in the background could be cancelled.",
      answer: named("InteractionsInteraction"),
      parameters: [interactionId],
    },
  ],
];

const conversations: readonly (readonly [string, WireOperation])[] = [
  [
    "/v1/conversations",
    {
      method: "post",
      tag: ofConversations,
      summary: "Create a conversation",
      description: "Responses that name it in `conversation` continue it, and are added to it.",
      body: named("ResponsesNewConversation"),
      answer: named("ResponsesConversation"),
    },
  ],
  [
    "/v1/conversations/{id}",
    {
      method: "get",
      tag: ofConversations,
      summary: "Read a conversation",
      answer: named("ResponsesConversation"),
      parameters: [conversationId],
    },
  ],
  [
    "/v1/conversations/{id}",
    {
      method: "post",
      tag: ofConversations,
      summary: "Change the metadata of a conversation",
      body: named("ResponsesNewMetadata"),
      answer: named("ResponsesConversation"),
      parameters: [conversationId],
    },
  ],
  [
    "/v1/conversations/{id}",
    {
      method: "delete",
      tag: ofConversations,
      summary: "Delete a conversation with its items",
      answer: named("ResponsesDeletedConversation"),
      parameters: [conversationId],
    },
  ],
];

const items: readonly (readonly [string, WireOperation])[] = [
  [
    "/v1/conversations/{id}/items",
    {
      method: "get",
      tag: ofConversations,
      summary: "List the items of a conversation",
      answer: named("ResponsesItemList"),
      parameters: [conversationId, ...page],
    },
  ],
  [
    "/v1/conversations/{id}/items",
    {
      method: "post",
      tag: ofConversations,
      summary: "Add items to a conversation",
      body: named("ResponsesNewItems"),
      answer: named("ResponsesItemList"),
      parameters: [conversationId],
    },
  ],
  [
    "/v1/conversations/{id}/items/{item}",
    {
      method: "get",
      tag: ofConversations,
      summary: "Read an item of a conversation",
      answer: { type: "object", description: "The item." },
      parameters: [conversationId, itemId],
    },
  ],
  [
    "/v1/conversations/{id}/items/{item}",
    {
      method: "delete",
      tag: ofConversations,
      summary: "Delete an item of a conversation",
      answer: named("ResponsesConversation"),
      parameters: [conversationId, itemId],
    },
  ],
];

/** By path and method. */
export const storedOperations = [...responses, ...interactions, ...conversations, ...items];
