// Requests of the console. Results are our own terms, so the number of series is bounded.
import { Counter, Histogram, type Registry } from "prom-client";

/** `failed` is a fault of this server; `refused` concerns only the caller. */
export type ConsoleResult = "ok" | "refused" | "failed";

export type ConsoleMeters = {
  consoleAnswered(result: ConsoleResult, milliseconds: number): void;
};

export function createConsoleMeters(registry: Registry): ConsoleMeters {
  const requests = new Counter({
    name: "turnpike_console_requests_total",
    help: "Requests of the console's pages for data, by result: ok, refused, failed.",
    labelNames: ["result"] as const,
    registers: [registry],
  });
  for (const result of ["ok", "refused", "failed"]) requests.inc({ result }, 0);
  const duration = new Histogram({
    name: "turnpike_console_request_duration_seconds",
    help: "How long requests of the console's pages for data took.",
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return {
    consoleAnswered(result, milliseconds) {
      requests.inc({ result });
      duration.observe(milliseconds / 1000);
    },
  };
}
