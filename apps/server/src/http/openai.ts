// The door of `POST /v1/chat/completions`: headers and body in, the gateway's answer out.
import { completeChat } from "@turnpike/gateway";
import type { Elysia } from "elysia";
import type { Server } from "../listen.ts";
import type { Services } from "../services.ts";
import { answerHeaders, type CallIds } from "./answer-fault.ts";
import type { IdentifySpender } from "./identify-spender.ts";
import { readBody } from "./read-body.ts";
import { mountRoute } from "./route.ts";

export const bodyMaxBytes = 20 * 1024 * 1024;

/** A client that stops reading its stream is let go after this long. */
export const stalledReaderSeconds = 60;

export function mountOpenai(
  app: Pick<Elysia, "all">,
  services: Services,
  identify: IdentifySpender,
  server: () => Server,
): void {
  mountRoute(app, services, "/v1/chat/completions", {
    async POST(request, ids) {
      const answer = await chatCompletions(services, request, ids, identify);
      // Only once the body is read does Bun apply it to a POST (Bun PR 33612).
      server().timeout(request, stalledReaderSeconds);
      return answer;
    },
  });
}

async function chatCompletions(
  services: Services,
  request: Request,
  ids: CallIds,
  identify: IdentifySpender,
): Promise<Response> {
  const { signal, headers } = request;
  const answer = await completeChat(services.gateway, {
    ...ids,
    userAgent: (headers.get("user-agent") ?? "").slice(0, 200),
    readBody: () => readBody(request, bodyMaxBytes),
    signal,
    identify: () => identify(request),
  });
  return new Response(answer.body, { headers: { ...answerHeaders(ids), ...answer.headers } });
}
