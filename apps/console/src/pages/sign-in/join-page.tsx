// Opened from the link of an invitation: who invites to what, and joining in one step, with or without an account.
// With another address than the invited one, someone who may invite has to confirm it. Without a link: one's own
// invitations.
import { useSearchParams } from "@solidjs/router";
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, lazy, Match, onMount, Show, Suspense, Switch } from "solid-js";
import { openAccount } from "../../lib/account-address.ts";
import { type Answers, api } from "../../lib/api.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useMe } from "../../lib/session.ts";
import { useQuery } from "../../lib/use-query.ts";
import { ChangeButton } from "../../ui/buttons/change-button.tsx";
import { Banner, ErrorBanner } from "../../ui/notices/banner.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { Invites } from "./invites.tsx";
import { takeJoining } from "./join-intent.ts";
import { JoinSignedOut, type Registered } from "./join-signed-out.tsx";
import { useArrival } from "./use-arrival.ts";

const OwnInvitations = lazy(() => import("./own-invitations.tsx"));
const RecoveryCodesDialog = lazy(() => import("../../product/sign-in/recovery-codes-dialog.tsx"));

type Invitation = Answers["invitations"]["read"];

export default function JoinPage(): JSX.Element {
  const [search] = useSearchParams<{ token?: string }>();
  return (
    <Show
      when={search.token}
      fallback={
        <Suspense>
          <OwnInvitations />
        </Suspense>
      }
    >
      {(token) => <ByLink token={token()} />}
    </Show>
  );
}

function ByLink(props: { token: string }): JSX.Element {
  const [registered, setRegistered] = createSignal<Registered>();
  const query = useQuery(() => ({
    queryKey: ["auth", "invitation", props.token],
    queryFn: ({ signal }) => api.invitations.read.query({ token: props.token }, { signal }),
    retry: false,
    // A link that was just used is no longer readable, and says nothing new.
    refetchOnWindowFocus: false,
  }));
  const dead = () => query.isError && readFailure(query.error).code === "token_expired";
  const open = (slug: string) => openAccount({ kind: "organization", slug });
  const onRegistered = (joined: Registered) => {
    if (joined.recoveryCodes.length === 0) open(joined.slug);
    else setRegistered(joined);
  };
  return (
    <Switch
      fallback={
        <Loaded query={query} what="the invitation">
          {(invitation) => (
            <Join of={invitation()} token={props.token} onRegistered={onRegistered} />
          )}
        </Loaded>
      }
    >
      <Match when={registered()}>
        {(joined) => (
          <Suspense>
            <p>You are a member of {joined().accountName}.</p>
            <RecoveryCodesDialog
              codes={joined().recoveryCodes}
              onClose={() => open(joined().slug)}
            />
          </Suspense>
        )}
      </Match>
      <Match when={dead()}>
        <Banner tone="warning" urgent>
          This invitation has expired, was revoked, or has already been used. Ask for a new one.
        </Banner>
      </Match>
    </Switch>
  );
}

type JoinProps = {
  of: Invitation;
  token: string;
  onRegistered: (joined: Registered) => void;
};

function Join(props: JoinProps): JSX.Element {
  const me = useMe();
  return (
    <div class="flex flex-col gap-5">
      <Invites of={props.of} />
      <Switch>
        <Match when={me.data?.person}>
          {(person) => <JoinAs of={props.of} token={props.token} email={person().email} />}
        </Match>
        <Match when={me.data === null}>
          <JoinSignedOut of={props.of} token={props.token} onRegistered={props.onRegistered} />
        </Match>
      </Switch>
    </div>
  );
}

/** For someone who is signed in. */
function JoinAs(props: { of: Invitation; token: string; email: string }): JSX.Element {
  const arrive = useArrival();
  const [asked, setAsked] = createSignal(false);
  const accept = useMutation(() => ({
    mutationFn: () => api.invitations.accept.mutate({ token: props.token }),
    onSuccess({ joined, slug }) {
      if (joined) openAccount({ kind: "organization", slug });
      else setAsked(true);
    },
  }));
  const leave = useMutation(() => ({
    mutationFn: () => api.auth.logout.mutate(),
    onSuccess: arrive,
  }));
  const isInvited = () => props.email === props.of.email;
  onMount(() => {
    if (takeJoining(props.token) && isInvited()) accept.mutate();
  });
  return (
    <>
      <ErrorBanner error={accept.error ?? leave.error} />
      <Show
        when={!asked()}
        fallback={
          <Banner tone="success" urgent>
            We told {props.of.inviter}. You get an email once you are a member.
          </Banner>
        }
      >
        <Show when={!isInvited()}>
          <Banner tone="info">
            The invitation was sent to {props.of.email}; you are signed in as {props.email}. With
            this address, an admin has to confirm you.
          </Banner>
        </Show>
        <ChangeButton variant="primary" wide change={accept} pendingLabel="Joining…">
          {isInvited() ? `Join ${props.of.accountName}` : `Ask to join as ${props.email}`}
        </ChangeButton>
        <Show when={!isInvited()}>
          <ChangeButton wide change={leave} pendingLabel="Signing out…">
            Sign out and join as {props.of.email}
          </ChangeButton>
        </Show>
      </Show>
    </>
  );
}
