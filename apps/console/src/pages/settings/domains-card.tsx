// Mail domains of an organization: added, proven by a TXT record, and what an owner requires of signing in there.
import type { JSX } from "solid-js";
import { For, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { useConfig, useMay } from "../../lib/session.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { ChangeButton, RowButton } from "../../ui/buttons/change-button.tsx";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { useChange } from "../../ui/buttons/use-change.ts";
import { askQuestion } from "../../ui/dialogs/open-dialog.tsx";
import { StatusPill } from "../../ui/figures/status-pill.tsx";
import { Select } from "../../ui/forms/choices.tsx";
import { createForm } from "../../ui/forms/create-form.ts";
import { FormFrame, SubmitButton } from "../../ui/forms/form.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Loaded } from "../../ui/states/loaded.tsx";

type Domain = Answers["domains"]["list"][number];

const domainsKey = ["domains", "list"] as const;

export default function DomainsCard(): JSX.Element {
  const query = useAnswer(domainsKey, (call) => api.domains.list.query(undefined, call));
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
  const form = createForm({
    initial: { domain: "" },
    validate: ({ domain }) => ({
      domain: domain.trim() === "" ? "Enter a domain such as example.com." : undefined,
    }),
    async submit({ domain }) {
      await api.domains.add.mutate({ domain });
      form.reset({ domain: "" });
    },
    refreshes: domainsKey,
    toast: ({ domain }) => `${domain.trim()} was added.`,
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
        <SubmitButton form={form} label="Add domain" pendingLabel="Adding…" />
      </FormFrame>
    </div>
  );
}

function DomainItem(props: { domain: Domain }): JSX.Element {
  const mayOwn = useMay("account.own");
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
            <RowButton
              text="Remove"
              of={props.domain.domain}
              onClick={() => remove(props.domain)}
            />
          </span>
        </Show>
      </div>
      <Show when={!props.domain.provenAt} fallback={<Requirement domain={props.domain} />}>
        <Record domain={props.domain} />
      </Show>
    </li>
  );
}

function remove({ id, domain }: Domain): void {
  askQuestion({
    title: `Remove ${domain}?`,
    text: "What it requires of signing in ends, and others can prove the domain.",
    confirmLabel: "Remove",
    pendingLabel: "Saving…",
    run: () => api.domains.remove.mutate({ id }),
    refreshes: [domainsKey],
    toast: `${domain} was removed.`,
  });
}

function Record(props: { domain: Domain }): JSX.Element {
  const prove = useChange(() => api.domains.prove.mutate({ id: props.domain.id }), {
    refreshes: domainsKey,
    toast: () => `${props.domain.domain} is proven.`,
  });
  return (
    <>
      <p class="text-sm text-muted">Add this TXT record at your DNS provider, then check it.</p>
      <dl class="grid gap-2 text-sm">
        <Part label="Name" copy="Copy name" text={props.domain.recordName} />
        <Part label="Value" copy="Copy value" text={props.domain.recordValue} />
      </dl>
      <div>
        <ChangeButton size="small" change={prove} pendingLabel="Checking…">
          Check record
        </ChangeButton>
      </div>
    </>
  );
}

function Part(props: { label: string; copy: string; text: string }): JSX.Element {
  return (
    <div class="flex flex-wrap items-center gap-2">
      <dt class="w-14 text-muted">{props.label}</dt>
      <dd translate="no" class="min-w-0 font-mono text-xs wrap-anywhere">
        {props.text}
      </dd>
      <CopyButton iconOnly label={props.copy} text={props.text} />
    </div>
  );
}

function Requirement(props: { domain: Domain }): JSX.Element {
  const config = useConfig();
  const mayOwn = useMay("account.own");
  const nameOf = (id: string) =>
    config.data?.signInProviders.find((one) => one.id === id)?.name ?? id;
  const require = (provider: string | null) =>
    api.domains.require.mutate({ id: props.domain.id, provider });
  const release = useChange(() => require(null), {
    refreshes: domainsKey,
    toast: () => `Addresses at ${props.domain.domain} sign in any way now.`,
  });
  const ask = (provider: string) => {
    const { domain } = props.domain;
    const name = nameOf(provider);
    askQuestion({
      title: `Require ${name} for ${domain}?`,
      text: `Everyone with an address at ${domain}, member of this organization or not, must sign in with ${name}. Anyone who signed in another way is signed out now.`,
      confirmLabel: "Require it",
      pendingLabel: "Saving…",
      run: () => require(provider),
      refreshes: [domainsKey],
      toast: `Addresses at ${domain} sign in with ${name} now.`,
    });
  };
  const choices = () => {
    const known = config.data?.signInProviders.map(({ id }) => id) ?? [];
    // One that is required stays listed when the server has it no more.
    const ids = [...new Set([...known, ...[props.domain.provider ?? []].flat()])];
    const only = ids.map((id) => ({ value: id, label: `Only with ${nameOf(id)}` }));
    return [{ value: "", label: "Any way" }, ...only];
  };
  return (
    <Show when={mayOwn()}>
      <Select
        label={`Sign-in of ${props.domain.domain}`}
        value={props.domain.provider ?? ""}
        choices={choices()}
        onChange={(provider) => (provider === "" ? release.mutate() : ask(provider))}
      />
    </Show>
  );
}
