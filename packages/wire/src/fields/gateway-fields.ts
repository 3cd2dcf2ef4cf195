// The fields that are for gateways, after OpenRouter, and those that need what is not kept here: each is honored, asks for
// what happens anyway, or is refused by name.
import { Fault } from "@turnpike/base";
import { maxCostBounds } from "../caller/parse-max-cost.ts";
import { routingBounds } from "../caller/parse-routing.ts";
import type { Bounds } from "../checks/bounds.ts";
import { boolean, object, rule, text } from "../checks/check-value.ts";
import {
  type ApiField,
  dropped,
  each,
  type FieldTable,
  isEmpty,
  isEmptyList,
  own,
  type RequestField,
} from "./request-field.ts";

/** Which models and providers answer: members of the body in every API, and sent to no upstream. */
function routing(bounds: Bounds | undefined): RequestField {
  return {
    rule: "ours",
    of: {
      chat: { ...(bounds && { bounds }), isExactName: true },
      messages: own,
      gemini: own,
      interactions: own,
      embeddings: { isExactName: true },
    },
    isTakenEverywhere: true,
  };
}

/** Elsewhere the field is read and removed before a request is checked. */
const noBackground =
  "Responses run in the background only where they are stored: not in batches, in the playground, or where the operator of an installation has not set OBJECTS_FOLDER and SEALING_KEY.";
/** Where they are, the fields are replaced before a request is checked. */
const sendItems =
  "Responses are not stored in batches, in the playground, or where the operator of an installation has not set OBJECTS_FOLDER and SEALING_KEY. Send the items of the conversation in 'input' instead.";
const sendSteps =
  "Interactions are not stored in the playground, or where the operator of an installation has not set OBJECTS_FOLDER and SEALING_KEY. Send the steps of the conversation in 'input' instead.";
const needsAgents: RequestField = {
  rule: "refuse",
  of: {
    interactions: {
      refused: { why: "Agents and their environments are not run here. Name a 'model' instead." },
      isExactName: true,
      inChat: "nothing",
    },
  },
};
const notRunHere: ApiField = {
  refused: { why: "This gateway neither shortens prompts nor runs plugins.", unless: isEmptyList },
  inChat: "nothing",
};

/**
 * Conversations are not kept here. The SDK's tool runner asks for it in every request, and goes on without where the
 * refusal has this code.
 */
const refuseThread = rule({}, (_value, param) => {
  throw new Fault(
    "unsupported_parameter",
    `Unsupported parameter: '${param}' is not supported, because threads are not kept here. Send all of their messages.`,
    { param, metadata: { error_code: "thread_unsupported_request" } },
  );
});

const usage = object({ optional: { include: boolean } });

const routingFields: FieldTable = {
  provider: routing(routingBounds.provider),
  models: routing(routingBounds.models),
  route: routing(routingBounds.route),
  max_cost: {
    rule: "ours",
    of: {
      chat: { bounds: maxCostBounds },
      messages: own,
      gemini: own,
      interactions: own,
      embeddings: { bounds: maxCostBounds },
    },
    isTakenEverywhere: true,
  },
};

export const gatewayFields: FieldTable = {
  ...routingFields,
  usage: {
    rule: "ours",
    // In `/v1/messages` every answer has its usage, with its cost.
    of: {
      chat: { check: usage },
      messages: { check: usage, inChat: "nothing" },
      gemini: dropped,
      interactions: dropped,
    },
    isTakenEverywhere: true,
    isOfGateways: true,
    schema: {
      description: "In OpenRouter's words.",
      type: ["object", "null"],
      properties: {
        include: {
          description: "True ends a stream with its usage, as `stream_options.include_usage` does.",
          type: ["boolean", "null"],
        },
      },
    },
  },
  // Calls of one session go to the same provider while it works.
  session_id: {
    rule: "ours",
    of: {
      chat: own,
      messages: { check: text({ maxLength: 256 }) },
      gemini: own,
      interactions: own,
    },
    isTakenEverywhere: true,
    isOfGateways: true,
  },
  trace: {
    rule: "ours",
    of: { chat: own, messages: dropped, gemini: dropped, interactions: dropped },
    isTakenEverywhere: true,
    isOfGateways: true,
  },
  transforms: {
    rule: "ours",
    of: { chat: own, messages: notRunHere, gemini: notRunHere, interactions: notRunHere },
    asksForNothing: isEmpty,
    isOfGateways: true,
  },
  plugins: {
    rule: "ours",
    of: { chat: own, messages: notRunHere, gemini: notRunHere, interactions: notRunHere },
    asksForNothing: isEmpty,
    price: (value) => !isEmptyList(value),
    isOfGateways: true,
  },
  previous_response_id: needsStore(sendItems, true),
  conversation: needsStore(sendItems, true),
  access_programs: needsStore("Access programs are not supported. Remove it from the request."),
  image: needsStore("Options for images of the whole request are not supported. Remove it."),
  background: {
    rule: "refuse",
    of: {
      interactions: {
        check: boolean,
        refused: {
          why: "Interactions do not run in the background. Omit 'background' or set it to false, and wait for the answer.",
          unless: (value) => value !== true,
        },
        isExactName: true,
        inChat: "nothing",
      },
      responses: {
        check: boolean,
        refused: {
          why: `${noBackground} Omit 'background' or set it to false, and wait for the answer.`,
          unless: (value) => value !== true,
        },
        isExactName: true,
        inChat: "nothing",
      },
    },
  },
  context_management: {
    rule: "refuse",
    of: {
      responses: {
        refused: {
          why: "Compaction by the server is not supported. Shorten 'input' instead.",
          unless: (value) => !Array.isArray(value) || value.length === 0,
        },
        inChat: "nothing",
      },
      // It trims the history.
      messages: dropped,
    },
  },
  previous_interaction_id: refusedInteraction(sendSteps),
  continuation_token: refusedInteraction(
    "Every answer is whole, so none has a token that continues it. Omit it.",
  ),
  ...each(["agent", "agent_config", "environment"], needsAgents),
  webhook_config: refusedInteraction(
    "No address is called when an answer is complete. Wait for the answer instead.",
  ),
  thread: { rule: "refuse", of: { messages: { check: refuseThread, inChat: "nothing" } } },
};

function refusedInteraction(why: string): RequestField {
  return {
    rule: "refuse",
    of: {
      interactions: {
        refused: { why },
        isExactName: true,
        inChat: "nothing",
      },
    },
  };
}

function needsStore(why: string, isExactName = false): RequestField {
  const refused = { refused: { why }, inChat: "nothing" } as const;
  return {
    rule: "refuse",
    of: { responses: isExactName ? { ...refused, isExactName } : refused },
  };
}
