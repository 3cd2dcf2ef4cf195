// Opened from the link of an invitation: who invites to what, and joining with one click. With another address
// than the invited one, someone who may invite has to confirm it.
import { A, useSearchParams } from "@solidjs/router";
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, Match, Show, Switch } from "solid-js";
import { openAccount } from "../../lib/account-address.ts";
import { type Answers, api } from "../../lib/api.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useMe } from "../../lib/session.ts";
import { useQuery } from "../../lib/use-query.ts";
import { roleNames } from "../../shell/role-names.ts";
import { Banner, ErrorBanner } from "../../ui/banner.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { ChangeButton } from "../../ui/change-button.tsx";
import { Loaded } from "../../ui/loaded.tsx";

type Invitation = Answers["invitations"]["read"];

export default function JoinPage(): JSX.Element {
  const [search] = useSearchParams<{ token?: string }>();
  const token = () => search.token || "missing";
  const query = useQuery(() => ({
    queryKey: ["auth", "invitation", token()],
    queryFn: ({ signal }) => api.invitations.read.query({ token: token() }, { signal }),
    retry: false,
    // A link that was just used is no longer readable, and says nothing new.
    refetchOnWindowFocus: false,
  }));
  const dead = () => query.isError && readFailure(query.error).code === "token_expired";
  return (
    <Show
      when={!dead()}
      fallback={
        <Banner tone="warning" urgent>
          This invitation has expired, was revoked, or has already been used. Ask for a new one.
        </Banner>
      }
    >
      <Loaded query={query} what="the invitation">
        {(invitation) => <Join of={invitation()} token={token()} />}
      </Loaded>
    </Show>
  );
}

function Join(props: { of: Invitation; token: string }): JSX.Element {
  const me = useMe();
  const [asked, setAsked] = createSignal(false);
  const accept = useMutation(() => ({
    mutationFn: () => api.invitations.accept.mutate({ token: props.token }),
    onSuccess({ joined, slug }) {
      if (joined) openAccount({ kind: "organization", slug });
      else setAsked(true);
    },
  }));
  const here = () => `/join?token=${encodeURIComponent(props.token)}`;
  const isInvited = () => me.data?.person.email === props.of.email;
  return (
    <div class="flex flex-col gap-5">
      <p class="wrap-anywhere">
        {props.of.inviter} invites you to join {props.of.accountName} as{" "}
        {roleNames[props.of.role].toLowerCase()}.
      </p>
      <ErrorBanner error={accept.error} />
      <Switch>
        <Match when={asked()}>
          <Banner tone="success" urgent>
            We told {props.of.inviter}. You get an email once you are a member.
          </Banner>
        </Match>
        <Match when={me.data}>
          {(known) => (
            <>
              <Show when={!isInvited()}>
                <Banner tone="info">
                  The invitation was sent to {props.of.email}; you are signed in as{" "}
                  {known().person.email}. An admin has to confirm you.
                </Banner>
              </Show>
              <ChangeButton variant="primary" wide change={accept} pendingLabel="Joining…">
                {isInvited()
                  ? `Join ${props.of.accountName}`
                  : `Ask to join as ${known().person.email}`}
              </ChangeButton>
            </>
          )}
        </Match>
        <Match when={me.data === null}>
          <ButtonLink href={`/login?next=${encodeURIComponent(here())}`} variant="primary" wide>
            Sign in to join
          </ButtonLink>
          <p class="text-muted">
            New here?{" "}
            <A href="/register" state={{ email: props.of.email }} class="link">
              Create an account
            </A>{" "}
            and open the link of the invitation again.
          </p>
        </Match>
      </Switch>
    </div>
  );
}
