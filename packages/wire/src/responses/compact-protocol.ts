// `POST /v1/responses/compact`: the request for a response whose last item asks for a compaction, in one call. Nothing of its answer is
// stored.
import { Fault, type JsonObject, parseObject } from "@turnpike/base";
import { unsupported } from "../checks/body-fault.ts";
import { agentBounds, editJsonObject, memberText } from "../json/edit-json-object.ts";
import { parseJsonBody } from "../json/parse-json-body.ts";
import type { Protocol } from "../protocol/protocol.ts";
import type { RequestHeaders } from "../protocol/request-headers.ts";
import { parseResponsesRequest, type ResponsesRequest } from "./parse-responses-request.ts";
import { joinItems } from "./remembered-request.ts";
import { responsesItems, responsesProtocol } from "./responses-protocol.ts";

const { stream: _, ...whole } = responsesProtocol;

export const compactProtocol: Protocol<ResponsesRequest> = {
  ...whole,
  items: { ...responsesItems, keeps: () => false },
  addressed: "compact",
  parse: parseCompactRequest,
  writeWhole: (...given) => presentCompaction(parseObject(responsesProtocol.writeWhole(...given))),
};

const trigger = JSON.stringify({ type: "compaction_trigger" });

/** Throws Fault. */
export function parseCompactRequest(raw: string, headers: RequestHeaders): ResponsesRequest {
  const { parsed, members } = parseJsonBody(raw, agentBounds);
  const { input, stream } = parsed;
  if (stream === true) throw unsupported("stream", "A compaction is not streamed.");
  // What is no input is refused by the rule of the field.
  if (typeof input !== "string" && !Array.isArray(input))
    return parseResponsesRequest(raw, headers);
  const joined = joinItems([], input, memberText(raw, members, "input") ?? "[]", [trigger]);
  return parseResponsesRequest(editJsonObject(raw, members, { set: { input: joined } }), headers);
}

/** Throws the Fault of an answer that is of no use; it was charged. */
function presentCompaction(response: JsonObject = {}): string {
  const { id, created_at, output, usage, status } = response;
  if (status === "failed") {
    throw new Fault(
      "bad_gateway",
      "The model wrote no summary of the conversation. Send the request again, or with another model.",
      { shouldRetry: false },
    );
  }
  return JSON.stringify({ id, object: "response.compaction", created_at, output, usage });
}
