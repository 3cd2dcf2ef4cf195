// The console's playground: chat completions, images and audio like any others, and what they may cost. They are paid by the
// account of the page, if the person's role and the guardrails of the account and its default project allow it, and
// marked `playground`. Protected like everything that authenticates by a cookie.
import { requireAccount, requirePermission } from "@turnpike/accounts";
import { requireFactor, requireSession } from "@turnpike/auth";
import { defaultProjectOf, Fault } from "@turnpike/base";
import { type Answer, CallRecord, type IncomingCall, type Principal } from "@turnpike/gateway";
import { noLimits, queryGuardrails, queryKeylessLimits } from "@turnpike/keys";
import { queryPromptStorage } from "@turnpike/prompts";
import {
  chatProtocol,
  imageEditsProtocol,
  imagesProtocol,
  isMultipart,
  openaiErrors,
  type ParsedRequest,
  type Protocol,
  speechProtocol,
  transcriptionProtocol,
  translationProtocol,
} from "@turnpike/wire";
import type { Elysia } from "elysia";
import { answerFault, type CallIds, idHeaders, newCallIds } from "../answers/answer-fault.ts";
import { withoutCors } from "../answers/without-cors.ts";
import { assertOwnPage, assertSameSite, ownOrigins } from "../callers/assert-same-site.ts";
import { findAccountOf, type Visitors } from "../callers/authenticate-visitor.ts";
import { estimateCall } from "../calls/estimate.ts";
import { type CallRoute, handleCall } from "../calls/handle-call.ts";
import type { CallContext } from "../calls/protocol-route.ts";

export function registerPlayground(
  app: Pick<Elysia, "all">,
  context: CallContext,
  visitors: Visitors,
): void {
  const { services } = context;
  const identify = async (request: Request): Promise<Principal> => {
    const authenticated = requireSession(await visitors.authenticate(request));
    const account = requireAccount(await findAccountOf(services.api, request, authenticated));
    requirePermission(account, "playground.use");
    const { person } = authenticated;
    requireFactor(account, person);
    const project = defaultProjectOf(account.id);
    return {
      accountId: account.id,
      keyId: null,
      personId: person.id,
      limits: noLimits,
      shared: await queryKeylessLimits(services.consoleDatabase.db, account.id),
      guardrails: await queryGuardrails(services.consoleDatabase.db, account.id),
      origin: "playground",
      prompts: await queryPromptStorage(services.api.db, account.id, project),
    };
  };
  const own: CallContext = { ...context, identify, authenticate: identify };
  const register = (path: string, answer: Answering) =>
    app.all(
      path,
      async ({ request }: { request: Request }) => {
        const ids = newCallIds();
        try {
          assertOwnPost(services, request, sendsFiles.has(path));
          return await answer(own, request, ids);
        } catch (thrown) {
          return withoutCors(answerFault(services, ids, thrown));
        }
      },
      { parse: "none" },
    );
  register("/console/playground", completeBy(chatProtocol));
  register("/console/playground/images", completeBy(imagesProtocol));
  register("/console/playground/images/edits", completeBy(imageEditsProtocol));
  register("/console/playground/speech", completeBy(speechProtocol));
  register("/console/playground/transcriptions", completeBy(transcriptionProtocol));
  register("/console/playground/translations", completeBy(translationProtocol));
  register("/console/playground/estimate", estimateCall);
}

/** Their requests are forms. */
const sendsFiles: ReadonlySet<string> = new Set([
  "/console/playground/images/edits",
  "/console/playground/transcriptions",
  "/console/playground/translations",
]);

type Answering = (context: CallContext, request: Request, ids: CallIds) => Promise<Response>;

function assertOwnPost(
  { config }: CallContext["services"],
  request: Request,
  mayBeForm: boolean,
): void {
  if (request.method !== "POST") {
    throw new Fault("method_not_supported", "Use POST.", { metadata: { allow: ["POST"] } });
  }
  const isForm = mayBeForm && isMultipart(request.headers.get("content-type"));
  const assertOwn = isForm ? assertOwnPage : assertSameSite;
  assertOwn(request, ownOrigins(config, new URL(request.url)));
}

function completeBy<Asked extends ParsedRequest>(protocol: Protocol<Asked>): Answering {
  return ({ services, listener, identify, requireAddress }, request, ids) => {
    const route: CallRoute<Asked> = { protocol, identify, requireAddress, respond };
    const call = {
      ...ids,
      head: { userAgent: "playground" },
      record: new CallRecord(),
      operation: protocol.operation,
      errors: openaiErrors,
    } as const;
    return handleCall(services, listener, route, request, call);
  };
}

function respond(call: IncomingCall, { body, headers }: Answer): Response {
  return new Response(body, { headers: { ...idHeaders(call), ...headers } });
}
