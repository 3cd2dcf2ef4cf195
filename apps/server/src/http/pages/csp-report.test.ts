// What is logged of a browser's report: directive and blocked address in both formats, and only the
// first few of a window.
import { expect, test } from "bun:test";
import type { Services } from "../../services.ts";
import { reportPath } from "./console-headers.ts";
import { registerCspReport } from "./csp-report.ts";

type Handler = (context: { request: Request }) => Promise<Response>;

function openRoute(nowMs = () => 0) {
  const seen = { counted: 0, logged: [] as unknown[] };
  const routes = new Map<string, Handler>();
  const app = { post: (path: string, handler: Handler) => routes.set(path, handler) };
  const services = {
    metrics: { countCspViolation: () => (seen.counted += 1) },
    log: { warn: (facts: unknown) => seen.logged.push(facts) },
  };
  // The route uses nothing else of the two.
  registerCspReport(
    app as unknown as Parameters<typeof registerCspReport>[0],
    services as unknown as Services,
    nowMs,
  );
  const post = async (body: unknown) => {
    const init = { method: "POST", body: JSON.stringify(body) };
    const request = new Request(`http://console.test${reportPath}`, init);
    return (await routes.get(reportPath)?.({ request }))?.status;
  };
  return { seen, post };
}

test("both formats of a report are logged with their directive and the blocked address", async () => {
  const { seen, post } = openRoute();
  const old = { "violated-directive": "script-src", "blocked-uri": "https://evil.test/a.js" };
  const blocked = `https://evil.test/${"b".repeat(300)}`;
  const newer = {
    type: "csp-violation",
    body: { effectiveDirective: "img-src", blockedURL: blocked },
  };
  expect(await post({ "csp-report": old })).toBe(204);
  expect(await post([newer])).toBe(204);
  expect(await post({ unrelated: true })).toBe(204);
  expect(seen).toEqual({
    counted: 3,
    logged: [
      { report: { directive: "script-src", blocked: "https://evil.test/a.js" } },
      { report: { directive: "img-src", blocked: blocked.slice(0, 200) } },
      { report: { directive: "", blocked: "" } },
    ],
  });
});

test("every report is counted, and the first twenty of ten minutes are logged", async () => {
  let nowMs = 0;
  const { seen, post } = openRoute(() => nowMs);
  for (let sent = 0; sent < 23; sent += 1) await post({});
  expect([seen.counted, seen.logged.length]).toEqual([23, 20]);
  nowMs = 600_000;
  await post({});
  expect([seen.counted, seen.logged.length]).toEqual([24, 21]);
});
