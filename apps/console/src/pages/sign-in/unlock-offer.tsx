// Offers an unlock link by email to owners who are blocked by someone else's attempts.
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeError } from "../../lib/describe-failure.ts";
import { Button } from "../../ui/button.tsx";

export function UnlockOffer(props: { email: string }): JSX.Element {
  const ask = useMutation(() => ({
    mutationFn: (email: string) => api.auth.requestUnlock.mutate({ email }),
  }));
  return (
    <div class="flex flex-col gap-2">
      <p class="text-sm text-muted">Locked out? We can email you an unlock link.</p>
      <Button
        wide
        changes
        pending={ask.isPending}
        pendingLabel="Sending…"
        disabled={ask.isSuccess}
        onClick={() => ask.mutate(props.email)}
      >
        Email me a link
      </Button>
      <p role="status" class="text-sm text-muted empty:hidden">
        <Show when={ask.isSuccess}>
          If an account exists, a link is on its way. It works for 24 hours.
        </Show>
        <Show when={ask.isError}>{describeError(ask.error)}</Show>
      </p>
    </div>
  );
}
