// Buttons that have a link sent by email: to verify an address again, and to unlock a browser.
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { api } from "../../lib/api.ts";
import { describeError } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { ChangeButton } from "../../ui/buttons/change-button.tsx";
import { createCountdown } from "./create-countdown.ts";

type ResendLinkProps = {
  email: string;
  label: string;
  /** Seconds to wait before the first click, when a link was just sent. */
  waitSeconds?: number;
};

/** "Send again", with the wait the server asks for. */
export function ResendLink(props: ResendLinkProps): JSX.Element {
  const countdown = createCountdown();
  if (props.waitSeconds) countdown.start(props.waitSeconds);
  const resend = useMutation(() => ({
    mutationFn: () => api.auth.resendVerification.mutate({ email: props.email }),
    onSuccess: ({ retryAfterSeconds }) => countdown.start(retryAfterSeconds),
    onError: (error) => {
      const { retryAfterMs } = readFailure(error);
      if (retryAfterMs !== undefined) countdown.start(Math.ceil(retryAfterMs / 1000));
    },
  }));
  const isWaiting = () => countdown.left() > 0;
  return (
    <SendButton send={resend} disabled={isWaiting()} sent="Sent again." hidesError={isWaiting()}>
      <span class="figures">
        {isWaiting() ? `Send again in ${countdown.left()} s` : props.label}
      </span>
    </SendButton>
  );
}

/** For owners who are blocked by someone else's attempts. */
export function UnlockOffer(props: { email: string }): JSX.Element {
  const ask = useMutation(() => ({
    mutationFn: () => api.auth.requestUnlock.mutate({ email: props.email }),
  }));
  return (
    <>
      <p class="text-sm text-muted">Locked out? We can email you an unlock link.</p>
      <SendButton
        send={ask}
        disabled={ask.isSuccess}
        sent="If an account exists, a link is on its way. It works for 24 hours."
      >
        Email me a link
      </SendButton>
    </>
  );
}

type SendButtonProps = {
  send: {
    readonly isPending: boolean;
    readonly isSuccess: boolean;
    readonly error: unknown;
    readonly mutate: () => void;
  };
  disabled: boolean;
  /** Said afterwards. */
  sent: string;
  hidesError?: boolean;
  children: JSX.Element;
};

function SendButton(props: SendButtonProps): JSX.Element {
  return (
    <div class="flex flex-col gap-2">
      <ChangeButton wide change={props.send} pendingLabel="Sending…" disabled={props.disabled}>
        {props.children}
      </ChangeButton>
      <p role="status" class="text-sm text-muted empty:hidden">
        <Show when={props.send.isSuccess}>{props.sent}</Show>
        <Show when={!props.hidesError && props.send.error}>
          {(error) => describeError(error())}
        </Show>
      </p>
    </div>
  );
}
