// `POST /v1/responses`, OpenAI's newer API, and `POST /v1/responses/input_tokens`, which counts a prompt. Items of
// answers are kept for references, responses are not: paths that would need one answer every method with a 404 that
// says so.
import { Fault } from "@turnpike/base";
import { countTokens } from "@turnpike/gateway";
import { parseResponsesRequest } from "@turnpike/wire";
import type { Elysia } from "elysia";
import { answerJson, type Handle, pathBehind, registerRoute } from "../routes/route.ts";
import { measureCall } from "./measure-call.ts";
import type { CallContext } from "./protocol-route.ts";
import { registerProtocol } from "./register-protocol.ts";
import { responsesProtocolOf } from "./stored-items.ts";

const path = "/v1/responses";

export function registerResponses(app: Pick<Elysia, "all">, context: CallContext): void {
  const { services, authenticate } = context;
  registerProtocol(app, context, path, responsesProtocolOf(services.config));
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
  const refuse: Handle = async (request) => {
    await authenticate(request);
    throw notStored(pathBehind(request, `${path}/`));
  };
  registerRoute(app, services, `${path}/*`, { GET: refuse, POST: refuse, DELETE: refuse });
}

/** `rest` is what follows `/v1/responses/`: an id, or an id and an action. */
function notStored(rest: string): Fault {
  const [id = ""] = rest.split("/");
  const sentence = id.startsWith("resp_")
    ? `Response '${id.slice(0, 100)}' was not found: responses are not stored here, so they cannot be retrieved, deleted, canceled or continued.`
    : "This path does not exist: responses are not stored, and cannot be compacted by the server.";
  return new Fault(
    "not_found",
    `${sentence} Send the whole conversation in 'input' to POST /v1/responses.`,
  );
}
