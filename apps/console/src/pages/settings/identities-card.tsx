// The identities this person signs in with at providers: linking further ones, and unlinking all but the last way to
// sign in. Linking leaves the page and comes back with the outcome in the address.
import { useSearchParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { useConfig } from "../../lib/session.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { useAnswer } from "../../lib/use-query.ts";
import ProviderRefusal from "../../product/sign-in/provider-refusal.tsx";
import { ChangeButton, RowButton } from "../../ui/buttons/change-button.tsx";
import { useChange } from "../../ui/buttons/use-change.ts";
import { askQuestion } from "../../ui/dialogs/open-dialog.tsx";
import { Asked } from "../../ui/layout/asked.tsx";
import { Banner } from "../../ui/notices/banner.tsx";
import { timeColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";

type Identity = Answers["profile"]["identities"][number];

const identitiesKey = ["profile", "identities"] as const;

const columns: readonly Column<Identity>[] = [
  {
    id: "provider",
    title: "Provider",
    cell: (identity) => <span class="font-medium">{identity.provider}</span>,
  },
  { id: "email", title: "Identity", cell: (identity) => identity.email },
  timeColumn("since", "Linked", ({ createdAt }) => createdAt),
  timeColumn("used", "Last used", ({ lastUsedAt }) => lastUsedAt),
];

export default function IdentitiesCard(): JSX.Element {
  const config = useConfig();
  const query = useAnswer(identitiesKey, (call) => api.profile.identities.query(undefined, call));
  const rows = createStableRows(() => query.data ?? []);
  return (
    <>
      <Outcome />
      <TableCard
        title="Sign-in providers"
        description="Identities elsewhere that you can sign in with."
        query={query}
        what="your identities"
        empty={<p class="px-5 py-4 text-muted">No identity is linked.</p>}
        caption="Sign-in providers"
        columns={columns}
        rows={rows}
        rowKey={(identity) => identity.id}
        actions={(identity) => (
          <Show when={!identity.isLast}>
            <RowButton
              text="Unlink"
              of={`${identity.provider} ${identity.email}`}
              onClick={() => unlink(identity)}
            />
          </Show>
        )}
      >
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
      </TableCard>
    </>
  );
}

function unlink({ id, provider, email }: Identity): void {
  askQuestion({
    title: `Unlink ${provider}?`,
    text: `${email} can no longer sign in to your account, and other sessions it opened are signed out.`,
    confirmLabel: "Unlink",
    pendingLabel: "Unlinking…",
    run: () => api.profile.unlinkIdentity.mutate({ id }),
    refreshes: [identitiesKey, ["sessions"]],
    toast: `Unlinked ${provider}.`,
  });
}

function Link(props: { id: string; name: string }): JSX.Element {
  const link = useChange(
    () => api.profile.linkIdentity.mutate({ provider: props.id, next: "/settings/security" }),
    { onDone: ({ url }) => globalThis.location.assign(url) },
  );
  return (
    <ChangeButton size="small" change={link} pendingLabel={`Opening ${props.name}…`}>
      Link {props.name}
    </ChangeButton>
  );
}

/** Of the link that brought the reader back to this page. */
function Outcome(): JSX.Element {
  const [search] = useSearchParams<{ linked?: string }>();
  const config = useConfig();
  const name = (id: string) =>
    config.data?.signInProviders.find((one) => one.id === id)?.name ?? "The provider";
  return (
    <>
      <Show when={search.linked}>
        {(id) => (
          <Banner tone="success">
            {name(id())} is linked. You can sign in with it from now on.
          </Banner>
        )}
      </Show>
      <ProviderRefusal />
    </>
  );
}
