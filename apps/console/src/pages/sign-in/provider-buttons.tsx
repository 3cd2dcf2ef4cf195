// Signing in with a provider: a button for each that the operator configured. The page is left.
import { useLocation } from "@solidjs/router";
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { For } from "solid-js";
import { api } from "../../lib/api.ts";
import { safeNext } from "../../lib/safe-next.ts";
import { useConfig } from "../../lib/session.ts";
import { ErrorBanner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";

export default function ProviderButtons(): JSX.Element {
  const config = useConfig();
  const location = useLocation();
  const leave = useMutation(() => ({
    mutationFn(provider: string) {
      const { next } = location.query;
      const asked = safeNext(typeof next === "string" ? next : undefined);
      return api.auth.startAtProvider.mutate({ provider, next: asked });
    },
    onSuccess: ({ url }) => globalThis.location.assign(url),
  }));
  return (
    <div class="mt-6 flex flex-col gap-3">
      <p class="flex items-center gap-3 text-sm text-muted">
        <span class="h-px flex-1 bg-border" />
        or
        <span class="h-px flex-1 bg-border" />
      </p>
      <ErrorBanner error={leave.error} />
      <For each={config.data?.signInProviders}>
        {({ id, name }) => (
          <Button
            wide
            // Until the page is left.
            pending={leave.variables === id && !leave.isError}
            pendingLabel={`Opening ${name}…`}
            onClick={() => leave.mutate(id)}
          >
            Continue with {name}
          </Button>
        )}
      </For>
    </div>
  );
}
