// `POST /v1/responses`, OpenAI's newer API, `POST /v1/responses/input_tokens`, which counts a prompt, and what is asked about
// responses that were stored.
import { countTokens } from "@turnpike/gateway";
import { compactProtocol, parseResponsesRequest } from "@turnpike/wire";
import type { Elysia } from "elysia";
import { answerJson, registerRoute } from "../routes/route.ts";
import { registerStoredResponses } from "../stored/register-responses.ts";
import { measureCall } from "./measure-call.ts";
import type { CallContext } from "./protocol-route.ts";
import { registerProtocol } from "./register-protocol.ts";
import { responsesProtocolOf } from "./stored-items.ts";

const path = "/v1/responses";

export function registerResponses(app: Pick<Elysia, "all">, context: CallContext): void {
  const { services, authenticate } = context;
  registerProtocol(app, context, path, responsesProtocolOf(services.config));
  registerProtocol(app, context, `${path}/compact`, compactProtocol);
  registerRoute(app, services, `${path}/input_tokens`, {
    async POST(request, ids) {
      const { promptTokens, headers } = await measureCall(context, request, (call) => {
        const parsed = call.parse((text) => parseResponsesRequest(text, request.headers));
        const { principal } = call;
        return countTokens({
          gateway: services.gateway,
          principal,
          request: parsed,
          signal: request.signal,
        });
      });
      const count = { object: "response.input_tokens", input_tokens: promptTokens };
      return answerJson(ids, count, headers);
    },
  });
  registerStoredResponses(app, services, authenticate, context.listener);
}
