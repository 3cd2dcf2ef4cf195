// How does my tool call this installation, and does it work? What to paste into it, and whether its first request with
// a key has arrived. A key's secret exists only where it was created, so here the reader fills it in.
import { A, useSearchParams } from "@solidjs/router";
import type { JSX } from "solid-js";
import { createMemo, Show, untrack } from "solid-js";
import { useMay } from "../../lib/session.ts";
import FirstRequestOfKey from "../../product/connect/first-request.tsx";
import { ToolSetupChooser } from "../../product/connect/tool-setup.tsx";
import { useKeyNames } from "../../product/keys/use-key-names.ts";
import { ButtonLink } from "../../ui/buttons/button.tsx";
import { Select } from "../../ui/forms/choices.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { PageHeader } from "../../ui/layout/page-header.tsx";

export default function ConnectPage(): JSX.Element {
  const mayCreate = useMay("keys.change");
  return (
    <>
      <PageHeader
        description="Settings, files and commands for the tools you use."
        actions={
          <Show when={mayCreate()}>
            <ButtonLink href="/keys?do=create-key" variant="primary">
              Create API Key
            </ButtonLink>
          </Show>
        }
      />
      <div class="grid items-start gap-5 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Card title="Setup">
          <ToolSetupChooser />
        </Card>
        <Card title="Connection">
          <Arrival />
        </Card>
      </div>
    </>
  );
}

function Arrival(): JSX.Element {
  const [search, setSearch] = useSearchParams<{ key?: string }>();
  const mayRead = useMay("logs.read");
  const keys = useKeyNames();
  const active = createMemo(() => keys().filter(({ status }) => status !== "revoked"));
  const chosen = () => active().find(({ id }) => id === search.key) ?? active()[0];
  return (
    <Show
      when={mayRead() && chosen()}
      fallback={
        <p>
          Create a key, then paste it where the setup says <code translate="no">sk-tp-...</code>.
        </p>
      }
    >
      {(key) => (
        <div class="flex flex-col gap-4">
          <Select
            label="API key"
            value={key().id}
            onChange={(id) => setSearch({ key: id })}
            choices={active().map(({ id, name, masked }) => ({
              value: String(id),
              label: `${name} (${masked})`,
            }))}
          />
          <Show when={key().id} keyed>
            {(id) => (
              <FirstRequestOfKey keyId={id} isNext={untrack(() => key().lastUsedAt !== null)} />
            )}
          </Show>
          <p class="text-sm text-muted">
            Nothing arrives? The tool may call another base URL, or send a key of another account.{" "}
            <A href={`/logs?keys=${key().id}`} class="link">
              All requests of this key
            </A>
          </p>
        </div>
      )}
    </Show>
  );
}
