// Signing in with a provider: a button for each that the operator configured. The page is left.
import { useLocation } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeError } from "../../lib/describe-failure.ts";
import { safeNext } from "../../lib/safe-next.ts";
import { useConfig } from "../../lib/session.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";

export default function ProviderButtons(): JSX.Element {
  const config = useConfig();
  const location = useLocation();
  const [leaving, setLeaving] = createSignal<string>();
  const [failure, setFailure] = createSignal<string>();
  const leave = async (provider: string) => {
    setLeaving(provider);
    setFailure(undefined);
    try {
      const { next } = location.query;
      const given = { provider, next: safeNext(typeof next === "string" ? next : undefined) };
      const { url } = await api.auth.startAtProvider.mutate(given);
      globalThis.location.assign(url);
    } catch (error) {
      setFailure(describeError(error));
      setLeaving(undefined);
    }
  };
  return (
    <div class="mt-6 flex flex-col gap-3">
      <p class="flex items-center gap-3 text-sm text-muted">
        <span class="h-px flex-1 bg-border" />
        or
        <span class="h-px flex-1 bg-border" />
      </p>
      <Show when={failure()}>
        {(text) => (
          <Banner tone="danger" urgent>
            {text()}
          </Banner>
        )}
      </Show>
      <For each={config.data?.signInProviders}>
        {({ id, name }) => (
          <Button
            wide
            pending={leaving() === id}
            pendingLabel={`Opening ${name}…`}
            onClick={() => void leave(id)}
          >
            Continue with {name}
          </Button>
        )}
      </For>
    </div>
  );
}
