// One request beside the list: what it was, what it cost, what happened, and what to do next.

import { createMemo, For, type JSX, lazy, Match, Show, Suspense, Switch } from "solid-js";
import { api } from "../../lib/api.ts";
import { downloadFile } from "../../lib/download-file.ts";
import { noData } from "../../lib/format.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { useConfig, useMay } from "../../lib/session.ts";
import { operationSnippets } from "../../product/connect/operation-snippets.ts";
import { explainError } from "../../product/usage/api-errors.ts";
import { LogStatus } from "../../product/usage/log-status.tsx";
import { AddFundsButton } from "../../shell/add-funds.tsx";
import { Button, ButtonLink } from "../../ui/buttons/button.tsx";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { DownloadButton } from "../../ui/buttons/download-button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { Time } from "../../ui/figures/figures.tsx";
import { translateOf } from "../../ui/figures/machine-text.ts";
import { Loaded } from "../../ui/states/loaded.tsx";
import { EmptyState } from "../../ui/states/states.tsx";
import { CostLines } from "./cost-lines.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import { factsOf } from "./log-facts.ts";
import { Timeline } from "./timeline.tsx";
import { type LogDetail, useLogDetail } from "./use-log-detail.ts";
import type { LogsView } from "./use-logs-view.ts";

const StoredPrompt = lazy(loadOnce(() => import("./stored-prompt.tsx")));
const RefusedBy = lazy(loadOnce(() => import("./refused-by.tsx")));

type LogSheetProps = { view: LogsView };

export default function LogSheet(props: LogSheetProps): JSX.Element {
  const id = () => (props.view.chosenId() === undefined ? props.view.openId() : undefined);
  // One dialog for however many requests are viewed: the focus returns to where it was opened.
  const open = createMemo(() => id() !== undefined);
  return (
    <Dialog
      open={open()}
      onOpenChange={(stays) => {
        // A sheet that is being removed must not close what was opened since.
        if (!stays && open()) props.view.close();
      }}
      title="Request"
      shape="side"
    >
      <Show when={id()} keyed>
        {(one) => <LogBody id={one} view={props.view} />}
      </Show>
    </Dialog>
  );
}

function LogBody(props: LogSheetProps & { id: string }): JSX.Element {
  const { query, missing } = useLogDetail(() => props.id);
  return (
    <Show
      when={!missing()}
      fallback={
        <EmptyState title="Request not found. Check the ID, or sign in to a different account." />
      }
    >
      <Loaded query={query} what="this request">
        {(detail) => (
          <div class="flex flex-col gap-6">
            <Head of={detail()} />
            <Actions of={detail()} view={props.view} />
            <Show when={detail().errorCode}>
              {(code) => <Failure of={detail()} code={code()} />}
            </Show>
            <Section title="Cost">
              <CostLines of={detail()} />
            </Section>
            <Section title="Timeline">
              <Timeline of={detail()} />
            </Section>
            <Section title="Summary">
              <Facts of={detail()} />
            </Section>
            <Suspense>
              <StoredPrompt of={detail()} />
            </Suspense>
            <p class="text-sm text-muted">
              Prompts and answers are not stored, unless the project has that switched on or the
              request asked for it (store: true, files, batches). Items of /v1/responses and answers
              to requests with an Idempotency-Key are stored for 24 hours.
            </p>
          </div>
        )}
      </Loaded>
    </Show>
  );
}

function Section(props: { title: string; children: JSX.Element }): JSX.Element {
  return (
    <section>
      <h3 class="mb-2 font-semibold">{props.title}</h3>
      {props.children}
    </section>
  );
}

function Head(props: { of: LogDetail }): JSX.Element {
  const config = useConfig();
  const curl = () => {
    const baseUrl = config.data?.apiBaseUrl ?? `${location.origin}/v1`;
    const [first] = operationSnippets({ baseUrl, model: props.of.model }, props.of.operation);
    return first?.code ?? "";
  };
  return (
    <div class="flex flex-col gap-3">
      <div class="flex flex-wrap items-center gap-x-3 gap-y-1">
        <LogStatus of={props.of} />
        <span translate="no" class="font-medium wrap-anywhere">
          {props.of.model || noData}
        </span>
        <Time at={props.of.at} absolute="millisecond" />
      </div>
      <p translate="no" class="font-mono text-xs wrap-anywhere text-muted">
        {props.of.id}
      </p>
      <div class="flex flex-wrap gap-2">
        <CopyButton text={props.of.id} label="Copy id" />
        <CopyButton text={curl()} label="Copy curl example" />
      </div>
    </div>
  );
}

function Failure(props: { of: LogDetail; code: string }): JSX.Element {
  const raw = () => {
    const { status, outcome, errorCode, refusal, requestId, attempts } = props.of;
    const shown = { status, outcome, errorCode, refusal, requestId, attempts };
    return JSON.stringify(shown, undefined, 2);
  };
  const mayChange = useMay("keys.change");
  const limited = () => (props.of.errorCode === "key_limit_reached" ? props.of.keyId : null);
  return (
    <section class="rounded-card bg-danger-tint px-4 py-3">
      <h3 class="font-semibold">What went wrong</h3>
      <p class="mt-1">{explainError(props.code)}</p>
      <Show when={props.of.refusal}>
        {(refusal) => (
          <p class="mt-2">
            <span class="text-sm text-muted">The API answered:</span>{" "}
            <q class="figures wrap-anywhere">{refusal().message}</q>
          </p>
        )}
      </Show>
      <Show when={props.of.budget ?? props.of.guardrail}>
        <Suspense>
          <RefusedBy budget={props.of.budget} guardrail={props.of.guardrail} />
        </Suspense>
      </Show>
      <p class="mt-1 text-sm text-muted">
        Status {props.of.status}, {props.code}
      </p>
      <div class="mt-2 empty:hidden">
        <Switch>
          <Match when={props.of.errorCode === "insufficient_quota"}>
            <AddFundsButton />
          </Match>
          <Match when={mayChange() && limited()}>
            {(keyId) => (
              <ButtonLink size="small" href={`/keys/${keyId()}?do=key-edit`}>
                Raise limit
              </ButtonLink>
            )}
          </Match>
        </Switch>
      </div>
      <details class="mt-2">
        <summary class="w-fit rounded-control text-sm">Raw record</summary>
        <pre translate="no" class="mt-2 text-xs whitespace-pre-wrap wrap-anywhere">
          {raw()}
        </pre>
      </details>
    </section>
  );
}

function Actions(props: LogSheetProps & { of: LogDetail }): JSX.Element {
  const mayReplay = useMay("playground.use");
  return (
    <div class="flex flex-wrap gap-2">
      <Show when={mayReplay() && props.of.operation === "chat" && props.of.model}>
        <ButtonLink size="small" href={`/playground?replay=${props.of.id}`}>
          Open in Playground
        </ButtonLink>
      </Show>
      <FilterMenu of={props.of} view={props.view} text="Filter by…" />
      <Button size="small" onClick={() => props.view.choose(props.of.id)}>
        Compare with…
      </Button>
      <Receipt id={props.of.id} />
    </div>
  );
}

function Receipt(props: { id: string }): JSX.Element {
  const config = useConfig();
  const download = async () => {
    const { receipt } = await api.logs.receipt.query({ id: props.id });
    downloadFile(`receipt-${props.id}.jws`, receipt, "application/jwt");
  };
  return (
    <Show when={config.data?.receipts}>
      <DownloadButton size="small" pendingLabel="Signing…" download={download}>
        Signed receipt
      </DownloadButton>
    </Show>
  );
}

function Facts(props: { of: LogDetail }): JSX.Element {
  return (
    <dl class="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-1.5 text-sm">
      <For each={factsOf(props.of)}>
        {([title, value]) => (
          <>
            <dt class="text-muted">{title}</dt>
            <dd translate={translateOf(value)} class="figures wrap-anywhere">
              {value}
            </dd>
          </>
        )}
      </For>
    </dl>
  );
}
