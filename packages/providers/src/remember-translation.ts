// Remembers what a dialect made of a request for as long as the request lives: whether a route can take it
// is known only by translating it, and the call that follows needs the same translation again.
import { Fault } from "@turnpike/base";
import type { Provider } from "./provider.ts";

type Outcome<Translated> = { readonly translated: Translated } | { readonly fault: Fault };

/**
 * `translate` with its outcome kept per provider and request. It must be pure: what it returns, or the
 * Fault it throws, is the outcome for every later call with the same two objects.
 */
export function rememberTranslation<Called extends Provider, Request extends object, Translated>(
  translate: (provider: Called, request: Request) => Translated,
): (provider: Called, request: Request) => Translated {
  const known = new WeakMap<Request, Map<Called, Outcome<Translated>>>();
  return (provider, request) => {
    const outcomes = known.get(request) ?? new Map<Called, Outcome<Translated>>();
    known.set(request, outcomes);
    const outcome = outcomes.get(provider) ?? attempt(() => translate(provider, request));
    outcomes.set(provider, outcome);
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

/** The Fault that `translate` throws; undefined where it succeeds. */
export function faultOf(translate: () => unknown): Fault | undefined {
  const outcome = attempt(translate);
  return "fault" in outcome ? outcome.fault : undefined;
}
