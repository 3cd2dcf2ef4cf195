// What a personal account shows instead of members: how to work with others.
import type { JSX } from "solid-js";
import { createSignal, lazy, Show, Suspense } from "solid-js";
import { loadOnce } from "../../lib/load-once.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Users } from "../../ui/icons.ts";
import { Card } from "../../ui/layout/card.tsx";
import { EmptyState } from "../../ui/states/states.tsx";

const CreateOrganization = lazy(loadOnce(() => import("../../shell/create-organization.tsx")));

export function NoOrganization(): JSX.Element {
  const [creating, setCreating] = createSignal<boolean>();
  return (
    <Card>
      <EmptyState
        title="This is your personal account: it has one member."
        icon={<Users class="size-5" />}
        action={
          <Button variant="primary" onClick={() => setCreating(true)}>
            Create organization
          </Button>
        }
      >
        <p class="text-center text-muted">
          To work with others, create an organization. It has its own wallet, API keys and logs, and
          each member has a role.
        </p>
      </EmptyState>
      <Show when={creating() !== undefined}>
        <Suspense>
          <CreateOrganization open={creating() === true} onOpenChange={setCreating} />
        </Suspense>
      </Show>
    </Card>
  );
}
