// One request beside the list: what it was, what it cost, what happened, and what to do next.

import { useMutation } from "@tanstack/solid-query";
import type { JSX } from "solid-js";
import { createMemo, For, lazy, Show, Suspense } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { describeFailure } from "../../lib/describe-failure.ts";
import { downloadFile } from "../../lib/download-file.ts";
import { formatCount, noData } from "../../lib/format.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useConfig } from "../../lib/session.ts";
import { useQuery } from "../../lib/use-query.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Time } from "../../ui/figures.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { EmptyState } from "../../ui/states.tsx";
import { explainError } from "../shared/explain-error.ts";
import { LogStatus } from "../shared/log-status.tsx";
import { firstCallSnippets } from "../shared/snippets.ts";
import { CostLines } from "./cost-lines.tsx";
import { keyLabel } from "./log-table.tsx";
import { t } from "./texts.ts";
import { Timeline } from "./timeline.tsx";
import type { LogsView } from "./use-logs-view.ts";

const StoredPrompt = lazy(
  loadOnce(async () => ({ default: (await import("./stored-prompt.tsx")).StoredPrompt })),
);
const RefusedBy = lazy(
  loadOnce(async () => ({ default: (await import("./refused-by.tsx")).RefusedBy })),
);

export type LogDetail = Answers["logs"]["detail"];

export function LogSheet(props: { view: LogsView }): JSX.Element {
  const id = () => props.view.openId();
  // One dialog for however many requests are viewed: the focus returns to where it was opened.
  const open = createMemo(() => id() !== undefined);
  return (
    <Dialog
      open={open()}
      onOpenChange={(stays) => {
        if (!stays) props.view.close();
      }}
      title={t("sheet.title")}
      shape="side"
    >
      <Show when={id()} keyed>
        {(one) => <LogBody id={one} view={props.view} />}
      </Show>
    </Dialog>
  );
}

function LogBody(props: { id: string; view: LogsView }): JSX.Element {
  const query = useQuery(() => ({
    queryKey: ["logs", "detail", props.id],
    queryFn: ({ signal }) => api.logs.detail.query({ id: props.id }, { signal }),
  }));
  const missing = () => query.isError && readFailure(query.error).code === "not_found";
  return (
    <Show when={!missing()} fallback={<EmptyState title={t("sheet.missing")} />}>
      <Loaded query={query} what={t("sheet.what")}>
        {(detail) => (
          <div class="flex flex-col gap-6">
            <Head of={detail()} />
            <Show when={detail().errorCode}>
              {(code) => <Failure of={detail()} code={code()} />}
            </Show>
            <Section title={t("cost.title")}>
              <CostLines of={detail()} />
            </Section>
            <Section title={t("timeline.title")}>
              <Timeline of={detail()} />
            </Section>
            <Section title={t("sheet.summary")}>
              <Facts of={detail()} />
            </Section>
            <Suspense>
              <StoredPrompt id={detail().id} />
            </Suspense>
            <p class="text-sm text-muted">{t("sheet.content")}</p>
            <Actions of={detail()} view={props.view} />
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
    const [first] = firstCallSnippets({
      baseUrl,
      model: props.of.model,
      operation: props.of.operation,
    });
    return first?.code ?? "";
  };
  return (
    <div class="flex flex-col gap-3">
      <div class="flex flex-wrap items-center gap-x-3 gap-y-1">
        <LogStatus of={props.of} />
        <span class="font-medium wrap-anywhere">{props.of.model || noData}</span>
        <Time at={props.of.at} absolute="millisecond" />
      </div>
      <p class="font-mono text-xs wrap-anywhere text-muted">{props.of.id}</p>
      <div class="flex flex-wrap gap-2">
        <CopyButton text={props.of.id} label={t("sheet.copyId")} />
        <CopyButton text={curl()} label={t("sheet.copyCurl")} />
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
  const remedy = () => remedyOf(props.of);
  return (
    <section class="rounded-card bg-danger-tint px-4 py-3">
      <h3 class="font-semibold">{t("error.title")}</h3>
      <p class="mt-1">{explainError(props.code)}</p>
      <Show when={props.of.refusal}>
        {(refusal) => (
          <p class="mt-2">
            <span class="text-sm text-muted">{t("error.said")}</span>{" "}
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
        {t("error.status", { status: props.of.status, code: props.code })}
      </p>
      <Show when={remedy()}>
        {(to) => (
          <ButtonLink size="small" href={to().href} class="mt-2">
            {to().label}
          </ButtonLink>
        )}
      </Show>
      <details class="mt-2">
        <summary class="w-fit rounded-control text-sm">{t("error.raw")}</summary>
        <pre class="mt-2 text-xs whitespace-pre-wrap wrap-anywhere">{raw()}</pre>
      </details>
    </section>
  );
}

/** Where the money of a refused request can be changed. */
function remedyOf({ errorCode, keyId }: LogDetail): { href: string; label: string } | undefined {
  if (errorCode === "insufficient_quota") {
    return { href: "/wallet?add=1", label: t("error.addFunds") };
  }
  if (errorCode !== "key_limit_reached" || keyId === null) return undefined;
  return { href: `/keys/${keyId}?edit=1`, label: t("error.raiseLimit") };
}

function Actions(props: { of: LogDetail; view: LogsView }): JSX.Element {
  return (
    <div class="flex flex-wrap gap-2">
      <Show when={props.of.model}>
        {(model) => (
          <>
            <Show when={props.of.operation === "chat"}>
              <ButtonLink size="small" href={`/playground?model=${encodeURIComponent(model())}`}>
                {t("sheet.playground")}
              </ButtonLink>
            </Show>
            <Button size="small" onClick={() => props.view.narrowTo({ models: model() })}>
              {t("sheet.byModel")}
            </Button>
          </>
        )}
      </Show>
      <Show when={props.of.keyId}>
        {(key) => (
          <Button size="small" onClick={() => props.view.narrowTo({ keys: key() })}>
            {t("sheet.byKey")}
          </Button>
        )}
      </Show>
      <Receipt id={props.of.id} />
    </div>
  );
}

function Receipt(props: { id: string }): JSX.Element {
  const config = useConfig();
  const make = useMutation(() => ({
    mutationFn: () => api.logs.receipt.query({ id: props.id }),
    onSuccess({ receipt }: { receipt: string }) {
      downloadFile(`receipt-${props.id}.jws`, receipt, "application/jwt");
    },
  }));
  return (
    <Show when={config.data?.receipts}>
      <Button
        size="small"
        pending={make.isPending}
        pendingLabel={t("sheet.signing")}
        onClick={() => make.mutate()}
      >
        {t("sheet.receipt")}
      </Button>
      <Show when={make.error}>
        {(error) => (
          <p role="alert" class="w-full text-sm text-danger">
            {describeFailure(readFailure(error()))}
          </p>
        )}
      </Show>
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
            <dd class="figures wrap-anywhere">{value}</dd>
          </>
        )}
      </For>
    </dl>
  );
}

/** Unknown values are omitted. */
function factsOf(of: LogDetail): readonly (readonly [title: string, value: string])[] {
  const all: readonly (readonly [string, string | null])[] = [
    [t("sheet.operation"), t(`operation.${of.operation}`)],
    [t("sheet.key"), keyLabel(of)],
    [t("sheet.provider"), of.provider],
    [
      t("sheet.tokens"),
      t("sheet.tokensText", {
        input: formatCount(of.promptTokens),
        output: formatCount(of.completionTokens),
      }),
    ],
    [t("sheet.cached"), of.cachedTokens > 0 ? formatCount(of.cachedTokens) : null],
    [t("sheet.reasoning"), of.reasoningTokens > 0 ? formatCount(of.reasoningTokens) : null],
    [t("sheet.serviceTier"), of.serviceTier],
    [t("sheet.ignored"), of.ignored.length > 0 ? of.ignored.join(", ") : null],
    [t("sheet.cachedFrom"), of.cachedFrom],
    [t("sheet.source"), of.usageSource === "none" ? null : t(`sheet.${of.usageSource}`)],
    [t("sheet.streamed"), t(of.streamed ? "sheet.yes" : "sheet.no")],
    [
      t("sheet.maxTokens"),
      of.maxTokens === null ? null : t("sheet.maxTokensText", { count: formatCount(of.maxTokens) }),
    ],
    [t("sheet.finish"), finishOf(of)],
    [t("sheet.userAgent"), of.userAgent],
    [t("sheet.requestId"), of.requestId],
    [t("sheet.chatId"), of.chatId],
    [t("sheet.price"), of.priceVersion],
  ];
  return all.flatMap(([title, value]) => (value ? [[title, value] as const] : []));
}

function finishOf({ finishReason, nativeFinishReason }: LogDetail): string | null {
  if (finishReason === null || nativeFinishReason === null) return finishReason;
  if (finishReason === nativeFinishReason) return finishReason;
  return t("sheet.finishNative", { reason: finishReason, native: nativeFinishReason });
}
