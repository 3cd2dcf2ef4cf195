// Says why signing in with a provider, or linking one, did not work: from the address that the server sent the browser
// to. `refusalReasons` of `packages/auth` lists the reasons.
import { useSearchParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { useConfig } from "../../lib/session.ts";
import { Banner } from "../../ui/notices/banner.tsx";

export default function ProviderRefusal(): JSX.Element {
  const [search] = useSearchParams<{ refused?: string; provider?: string }>();
  const config = useConfig();
  const name = () => config.data?.signInProviders.find(({ id }) => id === search.provider)?.name;
  return (
    <Show when={search.refused}>
      {(reason) => (
        <Banner tone="danger" urgent>
          {describeRefusal(reason(), name())}
        </Banner>
      )}
    </Show>
  );
}

/** Any other reason gets the general text. */
function describeRefusal(reason: string, provider: string | undefined): string {
  const name = provider ?? "the provider";
  const begin = provider ?? "The provider";
  const texts = {
    expired: "This sign-in took too long, or began in another browser. Try again.",
    declined: `Signing in was canceled at ${name}.`,
    failed: `${begin} could not confirm who you are. Try again, or sign in another way.`,
    unverified: `${begin} has not verified your email address. Verify it there, or sign in another way.`,
    other_subject: `Your account here is linked to another identity at ${name}. Sign in the way you did before, and link this one in your settings.`,
    taken: "This identity is linked to another account here.",
    reserved:
      "Another account used this address until recently. We sent a mail to it that says what you can do.",
    required: "Your organization requires another way to sign in, or an address of its own domain.",
    throttled: "Too many accounts were created from your network. Try again in an hour.",
  } as const satisfies Record<string, string>;
  const known = Object.keys(texts).find((key) => key === reason) as keyof typeof texts | undefined;
  return texts[known ?? "failed"];
}
