// Where browsers report what the content security policy blocked: counted for the operator, the
// first few logged, none of it trusted.
import type { Elysia } from "elysia";
import type { Services } from "../services.ts";
import { reportPath } from "./console-headers.ts";
import { readBodyOfAnyType } from "./read-body.ts";

const reportMaxBytes = 16 * 1024;
const loggedMax = 20;
/** The two formats of a report, and at most 200 characters of each value. */
const directiveMember = /"(?:violated-directive|effectiveDirective)"\s{0,9}:\s{0,9}"([^"]{0,200})/;
const blockedMember = /"(?:blocked-uri|blockedURL)"\s{0,9}:\s{0,9}"([^"]{0,200})/;

export function registerCspReport(app: Pick<Elysia, "post">, services: Services): void {
  let logged = 0;
  app.post(
    reportPath,
    async ({ request }: { request: Request }) => {
      const text = await readBodyOfAnyType(request, reportMaxBytes);
      services.metrics.countCspViolation();
      logged += 1;
      if (logged <= loggedMax) {
        services.log.warn({ report: describe(text) }, "content security policy violated");
      }
      return new Response(null, { status: 204 });
    },
    { parse: "none" },
  );
}

/** Directive and address only: a report may carry more of a page than a log should hold. */
function describe(text: string): Readonly<Record<string, string>> {
  return {
    directive: directiveMember.exec(text)?.[1] ?? "",
    blocked: blockedMember.exec(text)?.[1] ?? "",
  };
}
