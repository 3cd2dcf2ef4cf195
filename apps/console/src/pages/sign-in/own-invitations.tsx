// The invitations to the address of the person who is signed in: they have proven it, and need no link.
import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { openAccount } from "../../lib/account-address.ts";
import { type Answers, api } from "../../lib/api.ts";
import { useMe, useSignedIn } from "../../lib/session.ts";
import { useQuery } from "../../lib/use-query.ts";
import { ButtonLink } from "../../ui/buttons/button.tsx";
import { ChangeButton } from "../../ui/buttons/change-button.tsx";
import { ErrorBanner } from "../../ui/notices/banner.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";
import { Invites } from "./invites.tsx";

export default function OwnInvitations(): JSX.Element {
  const me = useMe();
  const signedIn = useSignedIn();
  const query = useQuery(() => ({
    queryKey: ["invitations", "own"],
    queryFn: ({ signal }) => api.invitations.own.query(undefined, { signal }),
    enabled: signedIn(),
  }));
  return (
    <Show
      when={me.data !== null}
      fallback={
        <>
          <p class="mb-5 text-muted">Sign in to see your invitations, or open the link you got.</p>
          <ButtonLink href="/login?next=%2Fjoin" variant="primary" wide>
            Sign in
          </ButtonLink>
        </>
      }
    >
      <Loaded query={query} what="your invitations">
        {(list) => (
          <div class="flex flex-col gap-6">
            <For
              each={list()}
              fallback={<p class="text-muted">No invitation to {me.data?.person.email} is open.</p>}
            >
              {(invitation) => <Own of={invitation} />}
            </For>
            <ButtonLink href="/" wide>
              {list().length === 0 ? "Continue" : "Not now"}
            </ButtonLink>
          </div>
        )}
      </Loaded>
    </Show>
  );
}

function Own(props: { of: Answers["invitations"]["own"][number] }): JSX.Element {
  const accept = useMutation(() => ({
    mutationFn: () => api.invitations.acceptOwn.mutate({ id: props.of.id }),
    onSuccess: ({ slug }) => openAccount({ kind: "organization", slug }),
  }));
  return (
    <div class="flex flex-col gap-3">
      <Invites of={props.of} />
      <ErrorBanner error={accept.error} />
      <ChangeButton variant="primary" wide change={accept} pendingLabel="Joining…">
        Join {props.of.accountName}
      </ChangeButton>
    </div>
  );
}
