// Our own id and model in an Anthropic answer that otherwise passes byte for byte.
import type { UpstreamCall } from "../../provider.ts";

/** What an answer shows instead of the upstream's own. */
export function nameAnswer({ identity }: Pick<UpstreamCall, "identity">): Record<string, string> {
  return { id: JSON.stringify(identity.id), model: JSON.stringify(identity.model) };
}
