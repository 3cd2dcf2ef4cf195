// Which of the operator's documents one accepts by creating an account; empty if the operator has none.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { useConfig } from "../../lib/session.ts";

export function AcceptedTerms(): JSX.Element {
  const config = useConfig();
  const accepted = () => [
    ...(config.data?.terms ? [["/legal/terms", "terms"] as const] : []),
    ...(config.data?.privacy ? [["/legal/privacy", "privacy policy"] as const] : []),
  ];
  return (
    <Show when={accepted().length > 0}>
      <p class="mt-6 text-center text-sm text-muted">
        By creating an account you accept the{" "}
        <For each={accepted()}>
          {([href, name], index) => (
            <>
              {index() > 0 && " and the "}
              <A href={href} class="link">
                {name}
              </A>
            </>
          )}
        </For>
        .
      </p>
    </Show>
  );
}
