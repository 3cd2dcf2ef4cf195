// Where browsers report what the content security policy blocked: counted for the operator, the
// first few of a window logged, none of it trusted: forged reports silence real ones for one window at most.
import type { Elysia } from "elysia";
import type { Services } from "../../services.ts";
import { readBodyOfAnyType } from "../requests/read-body.ts";
import { reportPath } from "./console-headers.ts";

const reportMaxBytes = 16 * 1024;
/** Reports logged per window. */
const loggedMax = 20;
const windowMs = 600_000;
/** The two formats of a report, and at most 200 characters of each value. */
const directiveMember = /"(?:violated-directive|effectiveDirective)"\s{0,9}:\s{0,9}"([^"]{0,200})/;
const blockedMember = /"(?:blocked-uri|blockedURL)"\s{0,9}:\s{0,9}"([^"]{0,200})/;

export function registerCspReport(
  app: Pick<Elysia, "post">,
  services: Pick<Services, "metrics" | "log">,
  nowMs: () => number = () => performance.now(),
): void {
  let logged = 0;
  let windowEndMs = 0;
  app.post(
    reportPath,
    async ({ request }: { request: Request }) => {
      const text = await readBodyOfAnyType(request, reportMaxBytes);
      services.metrics.countCspViolation();
      if (nowMs() >= windowEndMs) {
        windowEndMs = nowMs() + windowMs;
        logged = 0;
      }
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
