// "Check your email": the same for every address, known or not.
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { useConfig } from "../../lib/session.ts";
import { usePageTitle } from "../../shell/page-title.tsx";
import { Mail } from "../../ui/icons.ts";
import { ResendLink } from "./send-link.tsx";

const resendAfterSeconds = 60;

export function CheckMail(props: { email: string }): JSX.Element {
  usePageTitle(() => "Check your email");
  return (
    <div class="flex flex-col gap-5">
      <p class="flex items-start gap-3">
        <Mail class="mt-0.5 size-5 shrink-0 text-link" aria-hidden="true" />
        <span class="min-w-0 wrap-anywhere">
          We sent a link to {props.email}. It works for 24 hours.
        </span>
      </p>
      <p class="text-muted">Nothing there after a minute? Check your spam folder.</p>
      <ResendLink email={props.email} label="Send again" waitSeconds={resendAfterSeconds} />
      <div class="flex flex-wrap justify-between gap-x-6 gap-y-2">
        <A href="/register" class="link">
          Use a different email
        </A>
        <DevInbox />
      </div>
    </div>
  );
}

/** Where the mails of a server in development are read. */
export function DevInbox(): JSX.Element {
  const config = useConfig();
  return (
    <Show when={config.data?.development}>
      <a href="/dev/mail" target="_self" rel="external" class="link">
        Open dev inbox
      </a>
    </Show>
  );
}
