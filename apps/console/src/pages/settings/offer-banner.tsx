// The ownership that was offered to the reader: accepted or declined where they first see it.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { meKey } from "../../lib/session.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { showToast } from "../../ui/toasts.tsx";

export function OfferBanner(props: { name: string; onAnswered: () => void }): JSX.Element {
  const client = useQueryClient();
  const answer = useMutation(() => ({
    mutationFn: (accept: boolean) => api.accounts.answerOwnership.mutate({ accept }),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: meKey });
      props.onAnswered();
    },
    onError: (error) => showToast({ text: describeFailure(readFailure(error)), isError: true }),
  }));
  return (
    <Banner
      tone="info"
      action={
        <span class="flex gap-2">
          <Button size="small" changes onClick={() => answer.mutate(true)}>
            Accept
          </Button>
          <Button size="small" variant="ghost" changes onClick={() => answer.mutate(false)}>
            Decline
          </Button>
        </span>
      }
    >
      You were offered the ownership of {props.name}.
    </Banner>
  );
}
