// What the pages of signing in show of providers, in chunks that load only where there is something to show.
import { useSearchParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { lazy, Show, Suspense } from "solid-js";
import { useConfig } from "../../lib/session.ts";
import type { ProvidersProps } from "./provider-buttons.tsx";

const Buttons = lazy(() => import("./provider-buttons.tsx"));
const Refusal = lazy(() => import("../../product/sign-in/provider-refusal.tsx"));

export function SignInProviders(props: ProvidersProps): JSX.Element {
  const config = useConfig();
  return (
    <Show when={config.data?.signInProviders.length}>
      <Suspense>
        <Buttons {...props} />
      </Suspense>
    </Show>
  );
}

export function RefusedSignIn(): JSX.Element {
  const [search] = useSearchParams();
  return (
    <Show when={search.refused}>
      <div class="mb-5">
        <Suspense>
          <Refusal />
        </Suspense>
      </div>
    </Show>
  );
}
