// Says why signing in with a provider did not work, from the address that the server sent the browser to.
import type { JSX } from "solid-js";
import { useConfig } from "../../lib/session.ts";
import { Banner } from "../../ui/banner.tsx";
import { describeRefusal } from "../shared/describe-refusal.ts";

export default function ProviderRefusal(props: {
  reason: string;
  provider: string | undefined;
}): JSX.Element {
  const config = useConfig();
  const name = () =>
    config.data?.signInProviders.find(({ id }) => id === props.provider)?.name ?? "the provider";
  return (
    <div class="mb-5">
      <Banner tone="danger" urgent>
        {describeRefusal(props.reason, name())}
      </Banner>
    </div>
  );
}
