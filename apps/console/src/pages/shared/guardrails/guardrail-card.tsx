// The guardrail of an account, a project or a key: its rules, and the dialogs that change and remove them.
import { useMutation, useQueryClient } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createSignal, For, Show } from "solid-js";
import { api } from "../../../lib/api.ts";
import { describeFailure } from "../../../lib/describe-failure.ts";
import { readFailure } from "../../../lib/read-failure.ts";
import { useAccount } from "../../../lib/session.ts";
import { useQuery } from "../../../lib/use-query.ts";
import { AlertDialog } from "../../../ui/alert-dialog.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { showToast } from "../../../ui/toasts.tsx";
import { GuardrailForm } from "./guardrail-form.tsx";
import { describeRules, type Guardrail } from "./guardrail-values.ts";
import { t } from "./texts.ts";

const guardrailsKey = ["guardrails", "list"] as const;

type GuardrailCardProps = {
  kind: Guardrail["kind"];
  subjectId: string;
  /** Of the project. */
  name?: string;
  /** After a change: what else shows its rules. */
  onChanged?: () => Promise<unknown>;
};

export function GuardrailCard(props: GuardrailCardProps): JSX.Element {
  const client = useQueryClient();
  const account = useAccount();
  const [open, setOpen] = createSignal<"set" | "remove">();
  const query = useQuery(() => ({
    queryKey: guardrailsKey,
    queryFn: ({ signal }) => api.guardrails.list.query(undefined, { signal }),
  }));
  const found = () =>
    query.data?.guardrails.find(
      ({ kind, subjectId }) => kind === props.kind && subjectId === props.subjectId,
    );
  const mayChange = () => {
    const scope = account()?.permissions["guardrails.change"];
    return scope === "all" || (scope === "own" && props.kind === "key");
  };
  const done = async (text: string) => {
    await Promise.all([client.invalidateQueries({ queryKey: guardrailsKey }), props.onChanged?.()]);
    setOpen(undefined);
    showToast(text);
  };
  const { kind } = props;
  return (
    <Card
      title={t(`card.${kind}`, { name: props.name ?? "" })}
      description={t(`card.${kind}Hint`)}
      actions={
        <Show when={mayChange() && query.data}>
          <div class="flex gap-2">
            <Show when={found()}>
              <Button size="small" changes onClick={() => setOpen("remove")}>
                {t("card.remove")}
              </Button>
            </Show>
            <Button size="small" changes onClick={() => setOpen("set")}>
              {found() ? t("card.change") : t("card.set")}
            </Button>
          </div>
        </Show>
      }
    >
      <Loaded query={query} what={t("card.what")}>
        {(data) => <Rules of={found()} timeZone={data().timeZone} />}
      </Loaded>
      <Show when={open() === "set"}>
        <Dialog open onOpenChange={() => setOpen(undefined)} title={t("form.title")}>
          <GuardrailForm
            of={found()}
            onSubmit={async (rules) => {
              await api.guardrails.set.mutate({ kind, subjectId: props.subjectId, rules });
              await done(t("form.saved"));
            }}
          />
        </Dialog>
      </Show>
      <RemoveDialog
        of={open() === "remove" ? found() : undefined}
        onClose={() => setOpen(undefined)}
        onDone={() => done(t("card.removed"))}
      />
    </Card>
  );
}

function Rules(props: { of: Guardrail | undefined; timeZone: string }): JSX.Element {
  return (
    <Show when={props.of} fallback={<p class="text-muted">{t("card.none")}</p>}>
      {(guardrail) => (
        <ul class="flex flex-col gap-2">
          <For each={describeRules(guardrail().rules, props.timeZone)}>
            {(text) => <li class="wrap-anywhere">{text}</li>}
          </For>
        </ul>
      )}
    </Show>
  );
}

type RemoveDialogProps = {
  of: Guardrail | undefined;
  onClose: () => void;
  onDone: () => Promise<void>;
};

function RemoveDialog(props: RemoveDialogProps): JSX.Element {
  const remove = useMutation(() => ({
    mutationFn: (id: string) => api.guardrails.remove.mutate({ id }),
    onSuccess: () => props.onDone(),
  }));
  return (
    <AlertDialog
      open={props.of !== undefined}
      onOpenChange={props.onClose}
      title={t("card.removeTitle")}
      confirmLabel={t("card.remove")}
      pendingLabel={t("card.removing")}
      pending={remove.isPending}
      destructive
      changes
      error={remove.isError ? describeFailure(readFailure(remove.error)) : undefined}
      onConfirm={() => props.of && remove.mutate(props.of.id)}
    >
      {t("card.removeBody")}
    </AlertDialog>
  );
}
