// A visitor's question on the landing page: one short completion, paid by the API key that the operator chose for it
// (`DEMO_API_KEY`), so the limits of that key bound what visitors can cost. Nothing but the model and the question of
// the body is used.
import { customerNetwork, Fault } from "@turnpike/base";
import { CallRecord } from "@turnpike/gateway";
import { type ChatRequest, chatProtocol, type Protocol } from "@turnpike/wire";
import type { Elysia } from "elysia";
import { z } from "zod";
import { answerFault, newAnswer, newCallIds } from "../answers/answer-fault.ts";
import { withoutCors } from "../answers/without-cors.ts";
import { assertSameSite, ownOrigins } from "../callers/assert-same-site.ts";
import { type CallLimit, createCallLimiter, scaleLimit } from "../callers/limit-calls.ts";
import { type CallRoute, handleCall } from "../calls/handle-call.ts";
import type { CallContext } from "../calls/protocol-route.ts";

/** Three questions to three models each, and one more of them each minute. */
const demoLimit: CallLimit = { perSecond: 3 / 60, burst: 9 };
const answerMaxTokens = 300;
/** Every character of a question may be written as an escape of six. */
const bodyMaxBytes = 8_192;

const demoBody = z.object({
  model: z.string().min(1).max(200),
  question: z.string().trim().min(1).max(500),
});

export function registerDemo(app: Pick<Elysia, "all">, context: CallContext): void {
  const { services, listener } = context;
  const { config, heartbeat } = services;
  const key = config.DEMO_API_KEY;
  if (key === undefined) return;
  const limit = scaleLimit(demoLimit, config.THROTTLE_SCALE);
  const visitors = createCallLimiter(
    limit,
    () => performance.now(),
    () => heartbeat.share().instances,
  );
  const headers = { authorization: `Bearer ${key}` };
  const route: CallRoute<ChatRequest> = {
    protocol: demoProtocol,
    identify: ({ url }) => context.identify(new Request(url, { headers })),
    requireAddress: context.requireAddress,
    respond: (call, { body, headers: own }) => withoutCors(newAnswer(call, body, own)),
  };
  app.all(
    "/console/demo",
    async ({ request }: { request: Request }) => {
      const ids = newCallIds();
      try {
        if (request.method !== "POST") {
          throw new Fault("method_not_supported", "Use POST.", { metadata: { allow: ["POST"] } });
        }
        assertSameSite(request, ownOrigins(config, new URL(request.url)));
        // Before anything is read: anyone may send this.
        const bytes = Number(request.headers.get("content-length") ?? Number.NaN);
        if (!(bytes <= bodyMaxBytes)) throw invalid("");
        const waitMs = visitors.take(customerNetwork(listener.addressOf(request)), 1);
        if (waitMs > 0) throw tooMany(waitMs);
        const { operation, errors } = demoProtocol;
        const call = {
          ...ids,
          head: { userAgent: "demo" },
          record: new CallRecord(),
          operation,
          errors,
        };
        return await handleCall(services, listener, route, request, call);
      } catch (thrown) {
        return withoutCors(answerFault(services, ids, thrown));
      }
    },
    { parse: "none" },
  );
}

function tooMany(waitMs: number): Fault {
  return new Fault("throttled", "You asked a lot of questions. Ask again in a minute.", {
    retryAfterMs: waitMs,
  });
}

const demoProtocol: Protocol<ChatRequest> = {
  ...chatProtocol,
  parse: (text, headers) => chatProtocol.parse(chatBodyOf(text), headers),
};

function chatBodyOf(text: string): string {
  const read = demoBody.safeParse(parseJson(text));
  if (!read.success) {
    const [issue] = read.error.issues;
    const param = String(issue?.path[0] ?? "");
    throw invalid(param);
  }
  const { model, question } = read.data;
  return JSON.stringify({
    model,
    messages: [{ role: "user", content: question }],
    max_tokens: answerMaxTokens,
    stream: true,
    stream_options: { include_usage: true },
  });
}

function invalid(param: string): Fault {
  const message = "Send a model and a question of at most 500 characters.";
  return new Fault("invalid_value", message, param === "" ? {} : { param });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
