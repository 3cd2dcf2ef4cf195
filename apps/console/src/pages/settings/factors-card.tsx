// The second factors of this person: added, renamed, removed, and the recovery codes that stand in for them.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { lazy, Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatDateTime } from "../../lib/format.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { counted } from "../../lib/plural.ts";
import { meKey, useTimeZone } from "../../lib/session.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { checkName } from "../../lib/typed-text.ts";
import { useAsked } from "../../lib/use-asked.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { ChangeButton, RowButton } from "../../ui/buttons/change-button.tsx";
import { useChange } from "../../ui/buttons/use-change.ts";
import { askChange, askQuestion, openDialog } from "../../ui/dialogs/open-dialog.tsx";
import { Banner } from "../../ui/notices/banner.tsx";
import { showToast } from "../../ui/notices/toasts.tsx";
import { timeColumn } from "../../ui/tables/columns.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { TableCard } from "../../ui/tables/table-card.tsx";
import { FactorNameField } from "./factor-name.tsx";
import { sessionsKey } from "./sessions-card.tsx";

const kindNames = { totp: "Authenticator app", passkey: "Passkey" } as const;

const addDialogs = {
  app: lazy(loadOnce(() => import("./add-app-dialog.tsx"))),
  passkey: lazy(loadOnce(() => import("./add-passkey-dialog.tsx"))),
};
const RecoveryCodesDialog = lazy(
  loadOnce(() => import("../../product/sign-in/recovery-codes-dialog.tsx")),
);

type Overview = Answers["factors"]["list"];
type Factor = Overview["factors"][number];

const canUsePasskeys = "PublicKeyCredential" in globalThis;

const factorsKey = ["factors", "list"] as const;
const refreshes = [factorsKey, meKey, sessionsKey];

const columns: readonly Column<Factor>[] = [
  {
    id: "name",
    title: "Name",
    cell: (factor) => <span class="font-medium wrap-anywhere">{factor.name}</span>,
  },
  { id: "kind", title: "Kind", cell: (factor) => kindNames[factor.kind] },
  timeColumn("added", "Added", ({ createdAt }) => createdAt),
  timeColumn("used", "Last used", ({ lastUsedAt }) => lastUsedAt),
];

export function FactorsCard(): JSX.Element {
  const client = useQueryClient();
  const query = useAnswer(factorsKey, (call) => api.factors.list.query(undefined, call));
  const rows = createStableRows(() => query.data?.factors ?? []);
  const add = (kind: keyof typeof addDialogs) => {
    const AddDialog = addDialogs[kind];
    openDialog((close) => (
      <AddDialog
        onClose={close}
        onDone={async (name, codes) => {
          await reload();
          close();
          showCodes(codes);
          showToast(`${name.trim()} was added. Signing in asks for it from now on.`);
        }}
      />
    ));
  };
  /** Where it is not possible, leads to the sentence that says why. */
  const begin = (kind: "app" | "passkey", isPossible: boolean | undefined) => {
    if (isPossible) add(kind);
    // After the page's heading has taken the focus.
    else setTimeout(() => document.getElementById(`why-no-${kind}`)?.focus());
  };
  const isLoaded = () => query.data !== undefined;
  useAsked("add-passkey", () => begin("passkey", canUsePasskeys), isLoaded);
  useAsked("add-app", () => begin("app", query.data?.canAddTotp), isLoaded);
  const reload = async () => {
    await Promise.all(refreshes.map((queryKey) => client.invalidateQueries({ queryKey })));
  };
  return (
    <TableCard
      title="Second factors"
      description="With one, your password alone no longer signs in. Add two, so that a lost device does not lock you out."
      controls={
        <div class="flex flex-wrap gap-2">
          <Show when={canUsePasskeys}>
            <Button size="small" changes onClick={() => add("passkey")}>
              Add passkey
            </Button>
          </Show>
          {/* Also where there can be none: it says why, and the other one never moves below a finger. */}
          <Button
            size="small"
            changes
            onClick={() => begin("app", query.data?.canAddTotp !== false)}
          >
            Add authenticator app
          </Button>
        </div>
      }
      query={query}
      what="your second factors"
      empty={<p class="p-5">None yet. Anyone who learns your password can sign in.</p>}
      above={({ recoveryReadyAt }) => (
        <Show when={recoveryReadyAt}>
          {(at) => <RecoveryNotice at={at()} onDone={() => void reload()} />}
        </Show>
      )}
      caption="Your second factors"
      columns={columns}
      rows={rows}
      rowKey={({ id }) => id}
      actions={(factor) => (
        <span class="inline-flex gap-1">
          <RowButton text="Rename" of={factor.name} onClick={() => rename(factor)} />
          <RowButton
            text="Remove"
            of={factor.name}
            onClick={() => remove(factor, rows().length === 1)}
          />
        </span>
      )}
    >
      <Show when={rows().length > 0 && query.data}>
        {(overview) => <CodesLine left={overview().recoveryCodesLeft} onRenew={renewCodes} />}
      </Show>
      <Show when={!canUsePasskeys}>
        <WhyNot kind="passkey">
          This browser does not support passkeys. Add one in a browser that does.
        </WhyNot>
      </Show>
      <Show when={query.data?.canAddTotp === false}>
        <WhyNot kind="app">
          Authenticator apps are off on this server: its operator has not set SEALING_KEY.
        </WhyNot>
      </Show>
    </TableCard>
  );
}

function WhyNot(props: { kind: "app" | "passkey"; children: JSX.Element }): JSX.Element {
  return (
    <p id={`why-no-${props.kind}`} tabindex={-1} class="px-5 pb-5 text-sm text-muted">
      {props.children}
    </p>
  );
}

function CodesLine(props: { left: number; onRenew: () => void }): JSX.Element {
  return (
    <div class="flex flex-wrap items-center justify-between gap-3 border-t border-border px-5 py-4">
      <p class="min-w-0 flex-1 basis-60 text-sm text-muted">
        You have {counted(props.left, "unused recovery code")}. Each signs in once without your
        second factor.
      </p>
      <Button size="small" changes onClick={props.onRenew}>
        Make new codes
      </Button>
    </div>
  );
}

/** Those that came with the first factor, or instead of earlier ones. */
function showCodes(codes: readonly string[]): void {
  if (codes.length === 0) return;
  openDialog((close) => <RecoveryCodesDialog codes={codes} onClose={close} />);
}

function rename({ id, name: before }: Factor): void {
  askChange({
    title: `Rename ${before}`,
    initial: { name: before },
    validate: ({ name }) => ({ name: checkName(name, "Enter a name.", "factor") }),
    fields: (form) => <FactorNameField {...form.field("name")} />,
    confirmLabel: "Save",
    pendingLabel: "Saving…",
    run: ({ name }) => api.factors.rename.mutate({ id, name }),
    refreshes,
  });
}

function remove({ id, name }: Factor, isLast: boolean): void {
  askQuestion({
    title: `Remove ${name}?`,
    text: isLast
      ? "It is your only second factor: afterwards your password alone signs in, and your recovery codes stop working."
      : "It no longer signs in to your account.",
    confirmLabel: "Remove",
    pendingLabel: "Removing…",
    run: () => api.factors.remove.mutate({ id }),
    refreshes,
    toast: `${name} was removed.`,
  });
}

function renewCodes(): void {
  askQuestion({
    title: "Make new recovery codes?",
    text: "All earlier codes stop working.",
    confirmLabel: "Make new codes",
    pendingLabel: "Making…",
    destructive: false,
    run: () => api.factors.renewRecoveryCodes.mutate(),
    refreshes,
    onDone: ({ recoveryCodes }) => showCodes(recoveryCodes),
  });
}

/** Someone says that all factors are lost: anyone who is signed in can say that they are not. */
function RecoveryNotice(props: { at: string; onDone: () => void }): JSX.Element {
  const timeZone = useTimeZone();
  const cancel = useChange(() => api.factors.cancelRecovery.mutate(), { onDone: props.onDone });
  return (
    <div class="p-5">
      <Banner
        tone="warning"
        action={
          <ChangeButton size="small" change={cancel}>
            Cancel it
          </ChangeButton>
        }
      >
        Someone who knows your password says that your second factors are lost. They can be removed
        from {formatDateTime(new Date(props.at), timeZone())}. If that was not you, cancel it and
        change your password.
      </Banner>
    </div>
  );
}
