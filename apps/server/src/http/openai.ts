// The door of `POST /v1/chat/completions`: headers and body in, the gateway's answer out.
import type { Elysia } from "elysia";
import type { Listener } from "../listen.ts";
import type { Services } from "../services.ts";
import { newAnswer } from "./answer-fault.ts";
import type { IdentifySpender } from "./authenticate-request.ts";
import { completeCall } from "./complete-call.ts";
import { mountRoute } from "./route.ts";

export function mountOpenai(
  app: Pick<Elysia, "all">,
  services: Services,
  identify: IdentifySpender,
  listener: Listener,
): void {
  mountRoute(app, services, "/v1/chat/completions", {
    async POST(request, ids) {
      const answer = await completeCall(services, listener, request, {
        ...ids,
        userAgent: (request.headers.get("user-agent") ?? "").slice(0, 200),
        identify: () => identify(request),
      });
      return newAnswer(ids, answer.body, answer.headers);
    },
  });
}
