// Banners that few people ever see, in a lazy chunk: the account is on hold, a second factor is missing, or an invitation
// is open.
import type { JSX } from "solid-js";
import { Match, Show, Switch } from "solid-js";
import { api } from "../lib/api.ts";
import { formatDateTime } from "../lib/format.ts";
import { useConfig, useTimeZone } from "../lib/session.ts";
import { useQuery } from "../lib/use-query.ts";
import { ButtonLink, buttonClass } from "../ui/buttons/button.tsx";
import { Banner } from "../ui/notices/banner.tsx";

export type MissingFactor = { readonly name: string; readonly from: string };

type RareBannerProps = {
  /** What it is about; without any, an invitation. */
  frozen?: true;
  missing?: MissingFactor;
  onDismiss?: () => void;
};

export default function RareBanner(props: RareBannerProps): JSX.Element {
  return (
    <Switch fallback={<Invited {...props} />}>
      <Match when={props.frozen}>
        <Frozen />
      </Match>
      <Match when={props.missing}>{(missing) => <AddFactor of={missing()} />}</Match>
    </Switch>
  );
}

function Frozen(): JSX.Element {
  const config = useConfig();
  return (
    <Banner
      tone="danger"
      action={
        <a
          href={`mailto:${config.data?.supportEmail ?? ""}`}
          class={buttonClass({ size: "small" })}
        >
          Contact support
        </a>
      }
    >
      Account on hold after a refund or dispute. API requests are being declined.
    </Banner>
  );
}

function AddFactor(props: { of: MissingFactor }): JSX.Element {
  const timeZone = useTimeZone();
  return (
    <Banner
      tone={isPast(props.of.from) ? "danger" : "warning"}
      action={
        <ButtonLink href="/settings/security" size="small">
          Add one
        </ButtonLink>
      }
    >
      {describeFactor(props.of, timeZone())}
    </Banner>
  );
}

function Invited(props: RareBannerProps): JSX.Element {
  const query = useQuery(() => ({
    queryKey: ["invitations", "own"],
    queryFn: ({ signal }) => api.invitations.own.query(undefined, { signal }),
    meta: { retriedWithOthers: true },
  }));
  return (
    <Show when={query.data?.[0]}>
      {(invitation) => (
        <Banner
          tone="info"
          action={
            <ButtonLink href="/join" size="small">
              View invitation
            </ButtonLink>
          }
          onDismiss={props.onDismiss}
        >
          {invitation().inviter} invites you to join {invitation().accountName}.
        </Banner>
      )}
    </Show>
  );
}

function isPast(at: string): boolean {
  return Date.parse(at) <= Date.now();
}

function describeFactor({ name, from }: MissingFactor, timeZone: string): string {
  if (isPast(from))
    return `${name} requires a second factor. Until you add one, you cannot use it.`;
  return `${name} requires a second factor from ${formatDateTime(new Date(from), timeZone)}. Without one you cannot use it then.`;
}
