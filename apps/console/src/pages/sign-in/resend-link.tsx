// "Send again", with the wait the server asks for.
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeError } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { Button } from "../../ui/button.tsx";
import { createCountdown } from "./create-countdown.ts";

type ResendLinkProps = {
  email: string;
  label: string;
  /** Seconds to wait before the first click, when a link was just sent. */
  waitSeconds?: number;
};

export function ResendLink(props: ResendLinkProps): JSX.Element {
  const countdown = createCountdown();
  if (props.waitSeconds) countdown.start(props.waitSeconds);
  const resend = useMutation(() => ({
    mutationFn: (email: string) => api.auth.resendVerification.mutate({ email }),
    onSuccess: ({ retryAfterSeconds }) => countdown.start(retryAfterSeconds),
    onError: (error) => {
      const { retryAfterMs } = readFailure(error);
      if (retryAfterMs !== undefined) countdown.start(Math.ceil(retryAfterMs / 1000));
    },
  }));
  const label = () => (countdown.left() > 0 ? `Send again in ${countdown.left()} s` : props.label);
  return (
    <div class="flex flex-col gap-2">
      <Button
        wide
        changes
        pending={resend.isPending}
        pendingLabel="Sending…"
        disabled={countdown.left() > 0}
        onClick={() => resend.mutate(props.email)}
      >
        <span class="figures">{label()}</span>
      </Button>
      <p role="status" class="text-sm text-muted empty:hidden">
        <Show when={resend.isSuccess}>Sent again.</Show>
        <Show when={resend.isError && countdown.left() === 0}>{describeError(resend.error)}</Show>
      </p>
    </div>
  );
}
