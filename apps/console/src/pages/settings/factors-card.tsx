// The second factors of this person: added, renamed, removed, and the recovery codes that stand in for them.
import { useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, lazy, Show, Suspense } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatDateTime } from "../../lib/format.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { counted } from "../../lib/plural.ts";
import { meKey, useTimeZone } from "../../lib/session.ts";
import { createStableRows } from "../../lib/stable-rows.ts";
import { useAsked } from "../../lib/use-asked.ts";
import { useAnswer } from "../../lib/use-query.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { ChangeButton, RowButton } from "../../ui/change-button.tsx";
import { timeColumn } from "../../ui/columns.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import type { Column } from "../../ui/table.tsx";
import { TableCard } from "../../ui/table-card.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";
import { sessionsKey } from "./sessions-card.tsx";

const kindNames = { totp: "Authenticator app", passkey: "Passkey" } as const;

const AddAppDialog = lazy(loadOnce(() => import("./add-app-dialog.tsx")));
const AddPasskeyDialog = lazy(loadOnce(() => import("./add-passkey-dialog.tsx")));
const RenameFactorDialog = lazy(loadOnce(() => import("./rename-factor-dialog.tsx")));
const RecoveryCodesDialog = lazy(loadOnce(() => import("../shared/recovery-codes-dialog.tsx")));

type Overview = Answers["factors"]["list"];
type Factor = Overview["factors"][number];

const canUsePasskeys = "PublicKeyCredential" in globalThis;

const factorsKey = ["factors", "list"] as const;

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

type Open =
  | { readonly kind: "app" | "passkey" | "renew" }
  | { readonly kind: "codes"; readonly codes: readonly string[] }
  | { readonly kind: "rename" | "remove"; readonly factor: Factor };

export function FactorsCard(): JSX.Element {
  const client = useQueryClient();
  const query = useAnswer(factorsKey, (call) => api.factors.list.query(undefined, call));
  const [open, setOpen] = createSignal<Open>();
  const rows = createStableRows(() => query.data?.factors ?? []);
  const close = () => setOpen(undefined);
  /** Where it is not possible, leads to the sentence that says why. */
  const begin = (kind: "app" | "passkey", isPossible: boolean | undefined) => {
    if (isPossible) setOpen({ kind });
    // After the page's heading has taken the focus.
    else setTimeout(() => document.getElementById(`why-no-${kind}`)?.focus());
  };
  const isLoaded = () => query.data !== undefined;
  useAsked("add-passkey", () => begin("passkey", canUsePasskeys), isLoaded);
  useAsked("add-app", () => begin("app", query.data?.canAddTotp), isLoaded);
  const reload = async () => {
    await Promise.all(
      [factorsKey, meKey, sessionsKey].map((queryKey) => client.invalidateQueries({ queryKey })),
    );
  };
  /** Shows the recovery codes that came with it, if any. */
  const finish = async (toast: string | undefined, codes: readonly string[] = []) => {
    await reload();
    setOpen(codes.length > 0 ? { kind: "codes", codes } : undefined);
    if (toast !== undefined) showToast(toast);
  };
  return (
    <TableCard
      title="Second factors"
      description="With one, your password alone no longer signs in. Add two, so that a lost device does not lock you out."
      controls={
        <div class="flex flex-wrap gap-2">
          <Show when={canUsePasskeys}>
            <Button size="small" changes onClick={() => setOpen({ kind: "passkey" })}>
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
          <RowButton
            text="Rename"
            of={factor.name}
            onClick={() => setOpen({ kind: "rename", factor })}
          />
          <RowButton
            text="Remove"
            of={factor.name}
            onClick={() => setOpen({ kind: "remove", factor })}
          />
        </span>
      )}
    >
      <Show when={rows().length > 0 && query.data}>
        {(overview) => (
          <CodesLine
            left={overview().recoveryCodesLeft}
            onRenew={() => setOpen({ kind: "renew" })}
          />
        )}
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
      <Dialogs open={open()} isLast={rows().length === 1} onClose={close} onDone={finish} />
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

type DialogsProps = {
  open: Open | undefined;
  isLast: boolean;
  onClose: () => void;
  onDone: (toast: string | undefined, codes?: readonly string[]) => Promise<void>;
};

function Dialogs(props: DialogsProps): JSX.Element {
  const factorOf = (kind: "rename" | "remove") =>
    props.open?.kind === kind ? props.open.factor : undefined;
  const added = (name: string, codes: readonly string[]) =>
    props.onDone(`${name.trim()} was added. Signing in asks for it from now on.`, codes);
  return (
    <Suspense>
      <Show when={props.open?.kind === "app"}>
        <AddAppDialog onClose={props.onClose} onDone={added} />
      </Show>
      <Show when={props.open?.kind === "passkey"}>
        <AddPasskeyDialog onClose={props.onClose} onDone={added} />
      </Show>
      <Show when={factorOf("rename")} keyed>
        {(factor) => (
          <RenameFactorDialog
            factor={factor}
            onClose={props.onClose}
            onDone={() => void props.onDone(undefined)}
          />
        )}
      </Show>
      <Show when={props.open?.kind === "codes" && props.open.codes} keyed>
        {(codes) => <RecoveryCodesDialog codes={codes} onClose={props.onClose} />}
      </Show>
      <ConfirmDialog
        of={factorOf("remove")}
        onClose={props.onClose}
        title={`Remove ${factorOf("remove")?.name ?? ""}?`}
        confirmLabel="Remove"
        pendingLabel="Removing…"
        change={({ id }) => api.factors.remove.mutate({ id })}
        onDone={(_, { name }) => props.onDone(`${name} was removed.`)}
      >
        {props.isLast
          ? "It is your only second factor: afterwards your password alone signs in, and your recovery codes stop working."
          : "It no longer signs in to your account."}
      </ConfirmDialog>
      <ConfirmDialog
        of={props.open?.kind === "renew"}
        onClose={props.onClose}
        title="Make new recovery codes?"
        confirmLabel="Make new codes"
        pendingLabel="Making…"
        destructive={false}
        change={() => api.factors.renewRecoveryCodes.mutate()}
        onDone={({ recoveryCodes }) => props.onDone(undefined, recoveryCodes)}
      >
        All earlier codes stop working.
      </ConfirmDialog>
    </Suspense>
  );
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
