// Every path no other route answers: a page or file of the console, or else a 404 in the format of
// `/v1`, with the right base URL for a client that has a wrong one. And errors that escaped a handler,
// including Elysia's own refusals.
import { Fault } from "@turnpike/base";
import type { Elysia } from "elysia";
import type { Services } from "../../services.ts";
import { answerFault, newCallIds } from "../answers/answer-fault.ts";
import { errorFormatOf } from "../answers/error-format-of.ts";
import { behindBase } from "./api-base.ts";
import { unknownUrl } from "./describe-url.ts";
import { answerPreflight } from "./route.ts";

/** Undefined for a request that is not for the console. */
export type ServeConsole = (request: Request) => Promise<Response | undefined>;

/** Must be registered last. */
export function registerUnknown(
  app: Pick<Elysia, "all">,
  services: Services,
  console: ServeConsole | undefined,
): void {
  app.all(
    "/*",
    async ({ request }: { request: Request }) => {
      const page = await console?.(request);
      if (page !== undefined) return page;
      const ids = newCallIds();
      const { pathname } = new URL(request.url);
      if (request.method === "OPTIONS" && behindBase(pathname) !== undefined) {
        return answerPreflight(request, ids);
      }
      return answerFault(services, ids, unknownUrl(services, request), errorFormatOf(request));
    },
    { parse: "none" },
  );
}

/** For errors that escaped a handler. */
export function answerThrown(services: Services, request: Request, thrown: unknown): Response {
  const known = thrown instanceof Fault ? thrown : translateElysiaError(services, thrown, request);
  return answerFault(services, newCallIds(), known, errorFormatOf(request));
}

function translateElysiaError(services: Services, thrown: unknown, request: Request): unknown {
  const code = typeof thrown === "object" && thrown !== null && "code" in thrown && thrown.code;
  return code === "NOT_FOUND" ? unknownUrl(services, request) : thrown;
}
