// What the pages of signing in show of providers, in chunks that load only where there is something to show.
import { useLocation } from "@solidjs/router";
import type { JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { useConfig } from "../../lib/session.ts";

const Buttons = lazy(() => import("./provider-buttons.tsx"));
const Refusal = lazy(() => import("./provider-refusal.tsx"));

export function SignInProviders(): JSX.Element {
  const config = useConfig();
  return (
    <Show when={config.data?.signInProviders.length}>
      <Suspense>
        <Buttons />
      </Suspense>
    </Show>
  );
}

export function RefusedSignIn(): JSX.Element {
  const location = useLocation();
  const asText = (value: string | string[] | undefined) =>
    typeof value === "string" ? value : undefined;
  return (
    <Show when={asText(location.query.refused)}>
      {(reason) => (
        <Suspense>
          <Refusal reason={reason()} provider={asText(location.query.provider)} />
        </Suspense>
      )}
    </Show>
  );
}
