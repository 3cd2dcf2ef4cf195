// OpenAI's Responses API of an upstream, for callers of the same API: their own bytes are sent and
// the upstream's are returned.
import { type ResponsesRequest, responsesLanguage } from "@turnpike/wire";
import type { Dialect, OpenaiProvider } from "../../provider.ts";
import { refuse } from "../../refusals/refuse.ts";
import { buildResponsesRequest } from "./build-responses-request.ts";
import { OwnEvents } from "./own-events.ts";
import { parseResponse, parseUnreadResponse } from "./parse-response.ts";
import { ResponseEventStream } from "./response-event-stream.ts";
import { retryWithoutCiphertext } from "./retry-without-ciphertext.ts";

export const responsesDialect: Dialect<ResponsesRequest, OpenaiProvider> = {
  language: responsesLanguage,
  buildRequest: buildResponsesRequest,
  retryAfterRefusal: retryWithoutCiphertext,
  openStream: (call, options) => new ResponseEventStream(call, new OwnEvents(call), options),
  parseWhole: parseResponse,
  parseUnread: parseUnreadResponse,
  refuse,
};
