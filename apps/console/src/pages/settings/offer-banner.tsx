// The ownership that was offered to the reader: accepted or declined where they first see it.
import type { JSX } from "solid-js";
import { api } from "../../lib/api.ts";
import { meKey } from "../../lib/session.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { useChange } from "../../ui/use-change.ts";

export function OfferBanner(props: { name: string; onAnswered: () => void }): JSX.Element {
  const answer = useChange((accept: boolean) => api.accounts.answerOwnership.mutate({ accept }), {
    refreshes: meKey,
    onDone: props.onAnswered,
  });
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
