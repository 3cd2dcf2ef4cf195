// `POST /v1/estimate`: prices the body of a chat completion or of embeddings without running it, free.
import { Fault } from "@turnpike/base";
import { admitCall, estimateCost } from "@turnpike/gateway";
import {
  estimateBody,
  type ParsedRequest,
  parseChatRequest,
  parseEmbeddingsRequest,
} from "@turnpike/wire";
import type { Elysia } from "elysia";
import { answerHeaders, type CallIds } from "./answer-fault.ts";
import type { CallContext } from "./protocol-route.ts";
import { readBody } from "./read-body.ts";
import { registerRoute } from "./route.ts";

const bodyMaxBytes = 20 * 1024 * 1024;

export function registerEstimate(app: Pick<Elysia, "all">, context: CallContext): void {
  registerRoute(app, context.services, "/v1/estimate", {
    POST: (request, ids) => answerEstimate(context, request, ids),
  });
}

async function answerEstimate(
  { services: { gateway }, authenticate }: CallContext,
  request: Request,
  ids: CallIds,
): Promise<Response> {
  await admitCall(gateway);
  const principal = await authenticate(request);
  const asked = parse(await readBody(request, bodyMaxBytes));
  const { headers, ...estimate } = await estimateCost(gateway, principal, asked);
  return Response.json(estimateBody(estimate), { headers: { ...answerHeaders(ids), ...headers } });
}

/** A body with `input` is one of embeddings. */
function parse(text: string): ParsedRequest {
  try {
    return parseChatRequest(text);
  } catch (thrown) {
    const lacksMessages = thrown instanceof Fault && thrown.details.param === "messages";
    if (!lacksMessages || thrown.code !== "missing_required_parameter") throw thrown;
    try {
      return parseEmbeddingsRequest(text);
    } catch (other) {
      const lacksInput = other instanceof Fault && other.details.param === "input";
      throw lacksInput && other.code === "missing_required_parameter" ? thrown : other;
    }
  }
}
