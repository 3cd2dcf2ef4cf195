// The violations of the content security policy that browsers reported to the server since it started.
import type { Environment } from "./environment.fixture.ts";

export async function readViolations({ url, metricsToken }: Environment): Promise<number> {
  const response = await fetch(`${url}/metrics`, {
    headers: { authorization: `Bearer ${metricsToken}` },
  });
  const text = await response.text();
  const count = /^turnpike_csp_violations_total(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1];
  if (count === undefined) throw new Error(`The server counts no violations:\n${text}`);
  return Number(count);
}
