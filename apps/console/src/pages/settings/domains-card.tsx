// Mail domains of an organization: added, proven by a TXT record, and what an owner requires of signing in there.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useConfig, useMay } from "../../lib/session.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { useQuery } from "../../lib/use-query.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Select } from "../../ui/choices.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { createForm } from "../../ui/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/form.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { StatusPill } from "../../ui/status-pill.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { showToast } from "../../ui/toasts.tsx";

type Domain = Answers["domains"]["list"][number];

const domainsKey = ["domains", "list"] as const;

/** One change of a domain, with what to say afterwards. */
function useChange(change: () => Promise<unknown>, text: () => string) {
  const client = useQueryClient();
  return useMutation(() => ({
    mutationFn: change,
    async onSuccess() {
      const said = text();
      await client.invalidateQueries({ queryKey: domainsKey });
      showToast(said);
    },
    onError: (error) => showToast({ text: describeFailure(readFailure(error)), isError: true }),
  }));
}

export default function DomainsCard(): JSX.Element {
  const query = useQuery(() => ({
    queryKey: domainsKey,
    queryFn: ({ signal }) => api.domains.list.query(undefined, { signal }),
  }));
  const rows = createStableRows(() => query.data ?? []);
  return (
    <Card
      title="Mail domains"
      description="Prove that a domain is yours, and require how everyone with an address there signs in."
    >
      <Loaded query={query} what="your domains">
        {() => (
          <ul class="flex flex-col gap-4">
            <For each={rows()}>{(domain) => <DomainItem domain={domain} />}</For>
          </ul>
        )}
      </Loaded>
      <AddForm />
    </Card>
  );
}

function AddForm(): JSX.Element {
  const client = useQueryClient();
  const form = createForm({
    initial: { domain: "" },
    validate: ({ domain }) => ({
      domain: domain.trim() === "" ? "Enter a domain such as example.com." : undefined,
    }),
    async submit({ domain }) {
      await api.domains.add.mutate({ domain });
      form.reset({ domain: "" });
      await client.invalidateQueries({ queryKey: domainsKey });
      showToast(`${domain.trim()} was added.`);
    },
  });
  return (
    <div class="mt-4">
      <FormFrame form={form}>
        <TextField
          {...form.field("domain")}
          label="Domain"
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
        />
        <div>
          <SubmitButton form={form} pendingLabel="Adding…">
            Add domain
          </SubmitButton>
        </div>
      </FormFrame>
    </div>
  );
}

function DomainItem(props: { domain: Domain }): JSX.Element {
  const mayOwn = useMay("account.own");
  const [removing, setRemoving] = createSignal(false);
  const named = () => ({ domain: props.domain.domain });
  const remove = useChange(
    () => api.domains.remove.mutate({ id: props.domain.id }),
    () => `${named().domain} was removed.`,
  );
  return (
    <li class="flex flex-col gap-3 rounded-control border border-border p-4">
      <div class="flex flex-wrap items-center gap-3">
        <span class="font-medium wrap-anywhere">{props.domain.domain}</span>
        <Show
          when={props.domain.provenAt}
          fallback={<StatusPill tone="neutral">Not proven</StatusPill>}
        >
          <StatusPill tone="success">Proven</StatusPill>
        </Show>
        <Show when={mayOwn()}>
          <span class="ms-auto">
            <Button
              size="small"
              variant="ghost"
              aria-label={`Remove ${named().domain}`}
              onClick={() => setRemoving(true)}
            >
              Remove
            </Button>
          </span>
        </Show>
      </div>
      <Show when={!props.domain.provenAt} fallback={<Requirement domain={props.domain} />}>
        <Record domain={props.domain} />
      </Show>
      <AlertDialog
        open={removing()}
        onOpenChange={setRemoving}
        title={`Remove ${named().domain}?`}
        confirmLabel="Remove"
        pendingLabel="Saving…"
        pending={remove.isPending}
        changes
        destructive
        onConfirm={() => {
          setRemoving(false);
          remove.mutate();
        }}
      >
        What it requires of signing in ends, and others can prove the domain.
      </AlertDialog>
    </li>
  );
}

function Record(props: { domain: Domain }): JSX.Element {
  const prove = useChange(
    () => api.domains.prove.mutate({ id: props.domain.id }),
    () => `${props.domain.domain} is proven.`,
  );
  return (
    <>
      <p class="text-sm text-muted">Add this TXT record at your DNS provider, then check it.</p>
      <dl class="grid gap-2 text-sm">
        <Part label="Name" copy="Copy name" text={props.domain.recordName} />
        <Part label="Value" copy="Copy value" text={props.domain.recordValue} />
      </dl>
      <div>
        <Button
          size="small"
          changes
          pending={prove.isPending}
          pendingLabel="Checking…"
          onClick={() => prove.mutate()}
        >
          Check record
        </Button>
      </div>
    </>
  );
}

function Part(props: { label: string; copy: string; text: string }): JSX.Element {
  return (
    <div class="flex flex-wrap items-center gap-2">
      <dt class="w-14 text-muted">{props.label}</dt>
      <dd class="min-w-0 font-mono text-xs wrap-anywhere">{props.text}</dd>
      <CopyButton iconOnly label={props.copy} text={props.text} />
    </div>
  );
}

function Requirement(props: { domain: Domain }): JSX.Element {
  const config = useConfig();
  const mayOwn = useMay("account.own");
  const [asked, setAsked] = createSignal<string>();
  const nameOf = (id: string) =>
    config.data?.signInProviders.find((one) => one.id === id)?.name ?? id;
  const [wanted, setWanted] = createSignal("");
  const change = useChange(
    () => api.domains.require.mutate({ id: props.domain.id, provider: wanted() || null }),
    () => {
      const named = { domain: props.domain.domain, name: nameOf(wanted()) };
      return wanted() === ""
        ? `Addresses at ${named.domain} sign in any way now.`
        : `Addresses at ${named.domain} sign in with ${named.name} now.`;
    },
  );
  const save = (provider: string) => {
    setWanted(provider);
    change.mutate();
  };
  const choices = () => {
    const known = config.data?.signInProviders ?? [];
    const current = props.domain.provider;
    const gone = current === null || known.some(({ id }) => id === current) ? [] : [current];
    const ids = [...known.map(({ id }) => id), ...gone];
    const only = ids.map((id) => ({ value: id, label: `Only with ${nameOf(id)}` }));
    return [{ value: "", label: "Any way" }, ...only];
  };
  const shown = () => ({ domain: props.domain.domain, name: nameOf(asked() ?? "") });
  return (
    <Show when={mayOwn()}>
      <Select
        label={`Sign-in of ${props.domain.domain}`}
        value={props.domain.provider ?? ""}
        choices={choices()}
        onChange={(provider) => (provider === "" ? save("") : setAsked(provider))}
      />
      <AlertDialog
        open={asked() !== undefined}
        onOpenChange={() => setAsked(undefined)}
        title={`Require ${shown().name} for ${shown().domain}?`}
        confirmLabel="Require it"
        pendingLabel="Saving…"
        changes
        onConfirm={() => {
          const provider = asked();
          setAsked(undefined);
          if (provider !== undefined) save(provider);
        }}
      >
        Everyone with an address at {shown().domain}, member of this organization or not, must sign
        in with {shown().name}. Anyone who signed in another way is signed out now.
      </AlertDialog>
    </Show>
  );
}
