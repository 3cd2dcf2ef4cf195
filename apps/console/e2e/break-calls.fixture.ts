// Makes calls of the console fail or wait, except those a test keeps. The session and the instance's
// settings stay known: a page fails, not the whole console. Also simulates what otherwise takes time, such
// as a step-up that has expired.
import type { Page, Route } from "playwright-core";

export type Trouble = 500 | 403 | "offline";

type Names = ReadonlySet<string>;

/** What the shell knows besides the balance. */
export const identity: Names = new Set(["auth.me", "config.public"]);
const shell: Names = new Set([...identity, "wallet.summary"]);

/** From now on queries fail like this, except those kept; the returned function ends it. */
export async function breakCalls(
  page: Page,
  trouble: Trouble,
  kept = shell,
): Promise<() => Promise<void>> {
  const handler = async (route: Route) => {
    const names = namesOf(route);
    if (names.every((name) => kept.has(name))) return route.fallback();
    if (trouble === "offline") return route.abort("internetdisconnected");
    const fault = trouble === 403 ? "permission_denied" : "internal_error";
    const data = { code: "X", httpStatus: trouble, fault, requestId: "req_browser_test" };
    const error = { message: "It failed.", code: -32603, data };
    // Kept calls of the same batch are sent individually.
    const answers = await Promise.all(
      names.map((name, at) => (kept.has(name) ? askAlone(route, name, at) : { error })),
    );
    const json = isBatch(route) ? answers : answers[0];
    // What was mended or left while a kept call was under way has its answer already.
    return route.fulfill({ status: 207, json }).catch(() => undefined);
  };
  await page.route("**/trpc/**", handler);
  return () => page.unroute("**/trpc/**", handler);
}

/** From now on every query waits, except those kept, until the returned function is called. */
export async function holdCalls(page: Page, kept = shell): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>();
  const held: Promise<void>[] = [];
  const pass = async (route: Route) => {
    if (!namesOf(route).every((name) => kept.has(name))) await gate.promise;
    // A page that was left has aborted its calls.
    await route.fallback().catch(() => undefined);
  };
  const handler = (route: Route) => {
    const passed = pass(route);
    held.push(passed);
    return passed;
  };
  await page.route("**/trpc/**", handler);
  return async () => {
    gate.resolve();
    // A call that goes on while its handler is being removed can be lost.
    await Promise.all(held);
    await page.unroute("**/trpc/**", handler);
  };
}

export type Refusal = {
  readonly fault: string;
  readonly message: string;
  readonly httpStatus: number;
  readonly retryAfterMs?: number;
};

/** Refuses the next call of a procedure as the server would; every call after it reaches the server. */
export async function refuseOnce(page: Page, name: string, refusal: Refusal): Promise<void> {
  const { message, ...said } = refusal;
  let isDone = false;
  const handler = async (route: Route) => {
    const names = namesOf(route);
    if (isDone || !names.includes(name)) return route.fallback();
    isDone = true;
    const data = { code: "X", requestId: "req_browser_test", ...said };
    const error = { error: { message, code: -32603, data } };
    const answers = names.map(() => error);
    return route.fulfill({ status: said.httpStatus, json: isBatch(route) ? answers : error });
  };
  await page.route("**/trpc/**", handler);
}

/** The server's answer ten minutes after the password was given. */
export const stepUpRefusal: Refusal = {
  fault: "step_up_required",
  message: "Enter your password again to do this.",
  httpStatus: 403,
};

function namesOf(route: Route): readonly string[] {
  return new URL(route.request().url()).pathname.slice("/trpc/".length).split(",");
}

function isBatch(route: Route): boolean {
  return new URL(route.request().url()).searchParams.has("batch");
}

async function askAlone(route: Route, name: string, at: number): Promise<unknown> {
  const url = new URL(route.request().url());
  const inputs: Record<string, unknown> = JSON.parse(url.searchParams.get("input") ?? "{}");
  const input = isBatch(route) ? inputs[String(at)] : inputs;
  url.pathname = `/trpc/${name}`;
  url.search = input === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify(input))}`;
  return (await route.fetch({ url: url.href })).json();
}
