// The identities this person signs in with at providers: linking further ones, and unlinking all but the last way to
// sign in. Linking leaves the page and comes back with the outcome in the address.
import { useLocation } from "@solidjs/router";
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, For, Match, Show, Switch } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { useConfig } from "../../lib/session.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Asked } from "../../ui/asked.tsx";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { useChange } from "../../ui/use-change.ts";
import { describeRefusal } from "../shared/describe-refusal.ts";

type Identity = Answers["profile"]["identities"][number];

const identitiesKey = ["profile", "identities"] as const;

const columns: readonly Column<Identity>[] = [
  {
    id: "provider",
    title: "Provider",
    cell: (identity) => <span class="font-medium">{identity.provider}</span>,
  },
  { id: "email", title: "Identity", cell: (identity) => identity.email },
  { id: "since", title: "Linked", cell: (identity) => <Time at={identity.createdAt} /> },
  { id: "used", title: "Last used", cell: (identity) => <Time at={identity.lastUsedAt} /> },
];

export default function IdentitiesCard(): JSX.Element {
  const config = useConfig();
  const client = useQueryClient();
  const query = useAnswer(identitiesKey, (call) => api.profile.identities.query(undefined, call));
  const [unlinking, setUnlinking] = createSignal<Identity>();
  const rows = createStableRows(() => query.data ?? []);
  return (
    <Card
      title="Sign-in providers"
      description="Identities elsewhere that you can sign in with."
      flush
    >
      <Outcome />
      <Loaded query={query} what="your identities">
        {() => (
          <Show
            when={rows().length > 0}
            fallback={<p class="px-5 py-4 text-muted">No identity is linked.</p>}
          >
            <Table
              caption="Sign-in providers"
              columns={columns}
              rows={rows()}
              rowKey={(identity) => identity.id}
              actions={(identity) => (
                <Show when={!identity.isLast}>
                  <Button
                    size="small"
                    variant="ghost"
                    aria-label={`Unlink ${identity.provider} ${identity.email}`}
                    onClick={() => setUnlinking(identity)}
                  >
                    Unlink
                  </Button>
                </Show>
              )}
            />
          </Show>
        )}
      </Loaded>
      <Show when={rows().some(({ isLast }) => isLast)}>
        <p class="border-t border-border px-5 py-3 text-sm text-muted">
          An identity cannot be unlinked while it is the only way you can sign in. Set a password
          first, by “Forgot password?” on the sign-in page.
        </p>
      </Show>
      <div class="flex flex-wrap gap-3 border-t border-border px-5 py-4">
        <Asked as="link-identity">
          <For each={config.data?.signInProviders}>{(provider) => <Link {...provider} />}</For>
        </Asked>
      </div>
      <ConfirmDialog
        of={unlinking()}
        onClose={() => setUnlinking(undefined)}
        title={`Unlink ${unlinking()?.provider ?? ""}?`}
        confirmLabel="Unlink"
        pendingLabel="Unlinking…"
        change={({ id }) => api.profile.unlinkIdentity.mutate({ id })}
        refreshes={identitiesKey}
        onDone={() => client.invalidateQueries({ queryKey: ["sessions"] })}
        toast={(_, { provider }) => `Unlinked ${provider}.`}
      >
        {unlinking()?.email} can no longer sign in to your account, and other sessions it opened are
        signed out.
      </ConfirmDialog>
    </Card>
  );
}

function Link(props: { id: string; name: string }): JSX.Element {
  const link = useChange(
    () => api.profile.linkIdentity.mutate({ provider: props.id, next: "/settings/security" }),
    { onDone: ({ url }) => globalThis.location.assign(url) },
  );
  return (
    <Button
      size="small"
      changes
      pending={link.isPending}
      pendingLabel={`Opening ${props.name}…`}
      onClick={() => link.mutate()}
    >
      Link {props.name}
    </Button>
  );
}

/** Of the link that brought the reader back to this page. */
function Outcome(): JSX.Element {
  const location = useLocation();
  const config = useConfig();
  const read = (name: string) => {
    const value = location.query[name];
    return typeof value === "string" ? value : undefined;
  };
  const nameOf = (id: string | undefined) =>
    config.data?.signInProviders.find((one) => one.id === id)?.name ?? "The provider";
  return (
    <Switch>
      <Match when={read("linked")}>
        {(id) => (
          <div class="px-5 pt-4">
            <Banner tone="success">
              {nameOf(id())} is linked. You can sign in with it from now on.
            </Banner>
          </div>
        )}
      </Match>
      <Match when={read("refused")}>
        {(reason) => (
          <div class="px-5 pt-4">
            <Banner tone="danger" urgent>
              {describeRefusal(reason(), nameOf(read("provider")))}
            </Banner>
          </div>
        )}
      </Match>
    </Switch>
  );
}
