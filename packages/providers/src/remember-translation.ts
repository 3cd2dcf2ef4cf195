// Remembers what a dialect made of a request for as long as the request lives: whether a route supports it
// is known only by translating it, and the call that follows needs the same translation again.
import { Fault } from "@turnpike/base";
import type { Provider, Target } from "./provider.ts";

type Outcome<Translated> = { readonly translated: Translated } | { readonly fault: Fault };

/**
 * `translate` with its last outcome for each request kept. It must be pure: what it returns, or the Fault
 * it throws, is the outcome for every later call with the same provider, model and request.
 */
export function rememberTranslation<Called extends Provider, Request extends object, Translated>(
  translate: (target: Target<Called>, request: Request) => Translated,
): (target: Target<Called>, request: Request) => Translated {
  type Known = Target<Called> & { readonly outcome: Outcome<Translated> };
  const latest = new WeakMap<Request, readonly Known[]>();
  return ({ provider, upstreamModel }, request) => {
    const known = latest.get(request) ?? [];
    const same = known.find(
      (each) => each.provider === provider && each.upstreamModel === upstreamModel,
    );
    const outcome = same?.outcome ?? attempt(() => translate({ provider, upstreamModel }, request));
    if (same === undefined) latest.set(request, [...known, { provider, upstreamModel, outcome }]);
    if ("fault" in outcome) throw outcome.fault;
    return outcome.translated;
  };
}

function attempt<Translated>(translate: () => Translated): Outcome<Translated> {
  try {
    return { translated: translate() };
  } catch (thrown) {
    if (thrown instanceof Fault) return { fault: thrown };
    throw thrown;
  }
}

/** The Fault that `translate` throws; undefined if it succeeds. */
export function faultOf(translate: () => unknown): Fault | undefined {
  const outcome = attempt(translate);
  return "fault" in outcome ? outcome.fault : undefined;
}
