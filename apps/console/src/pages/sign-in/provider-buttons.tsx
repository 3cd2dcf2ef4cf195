// Signing in with a provider: a button for each that the operator configured. The page is left.
import { useLocation } from "@solidjs/router";
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { safeNext } from "../../lib/safe-next.ts";
import { useConfig } from "../../lib/session.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { ErrorBanner } from "../../ui/notices/banner.tsx";

export type ProvidersProps = {
  /** Its id; default: all. */
  only?: string;
  /** Where to go afterwards. Default: as the address says. */
  next?: string;
  onLeave?: () => void;
};

export default function ProviderButtons(props: ProvidersProps): JSX.Element {
  const config = useConfig();
  const location = useLocation();
  const offered = () =>
    config.data?.signInProviders.filter(({ id }) => props.only === undefined || props.only === id);
  const leave = useMutation(() => ({
    mutationFn(provider: string) {
      const next = props.next ?? location.query.next;
      const asked = safeNext(typeof next === "string" ? next : undefined);
      return api.auth.startAtProvider.mutate({ provider, next: asked });
    },
    onSuccess({ url }) {
      props.onLeave?.();
      globalThis.location.assign(url);
    },
  }));
  return (
    <div class="mt-6 flex flex-col gap-3">
      <Show when={props.only === undefined}>
        <p class="flex items-center gap-3 text-sm text-muted">
          <span class="h-px flex-1 bg-border" />
          or
          <span class="h-px flex-1 bg-border" />
        </p>
      </Show>
      <ErrorBanner error={leave.error} />
      <For each={offered()}>
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
