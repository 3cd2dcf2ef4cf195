// Every path no other route answers: a page or file of the console, or else a 404 in the shape of
// `/v1`, with a hint where `/v1` was left out.
import type { Elysia } from "elysia";
import type { Services } from "../services.ts";
import { answerFault, newCallIds, unknownUrl } from "./answer-fault.ts";
import type { ServeConsole } from "./console-assets.ts";
import { errorFormatOf } from "./error-format-of.ts";
import { answerPreflight } from "./route.ts";

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
      if (request.method === "OPTIONS" && pathname.startsWith("/v1/")) {
        return answerPreflight(request, ids);
      }
      return answerFault(services, ids, unknownUrl(request), errorFormatOf(request));
    },
    { parse: "none" },
  );
}
