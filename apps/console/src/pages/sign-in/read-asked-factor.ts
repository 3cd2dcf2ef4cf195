// The second factor that is still missing after signing in with a provider: the server names it in the fragment
// of the sign-in page's address, which is removed as soon as it was read.
import type { Answers } from "../../lib/api.ts";

export type AskedFactor = NonNullable<Answers["auth"]["login"]["factor"]>;

const known: readonly AskedFactor["methods"][number][] = ["passkey", "totp", "recovery_code"];

export function takeAskedFactor(): AskedFactor | undefined {
  const given = new URLSearchParams(location.hash.slice(1));
  const challenge = given.get("factor");
  if (challenge === null) return undefined;
  const named = given.get("methods")?.split(",") ?? [];
  history.replaceState(history.state, "", location.pathname + location.search);
  return { challenge, methods: known.filter((method) => named.includes(method)) };
}
