// What was asked and answered, of a project that stores it: loaded only when someone asks to see it.
import { operationTable } from "@turnpike/terms";
import type { JSX } from "solid-js";
import { createSignal, onMount, Show } from "solid-js";
import { describeFailure } from "../../lib/describe-failure.ts";
import { readFailure } from "../../lib/read-failure.ts";
import { useConfig, useMay } from "../../lib/session.ts";
import { asRecord } from "../../product/completions/parse-chunk.ts";
import { curlWith } from "../../product/connect/snippets.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { CopyButton } from "../../ui/buttons/copy-button.tsx";
import { Time } from "../../ui/figures/figures.tsx";
import { StoredMedia } from "./stored-media.tsx";
import { type LogDetail, type StoredPrompt as Stored, useStoredPrompt } from "./use-log-detail.ts";

export default function StoredPrompt(props: { of: LogDetail }): JSX.Element {
  const config = useConfig();
  const mayRead = useMay("prompts.read");
  const [wanted, setWanted] = createSignal(false);
  const query = useStoredPrompt(() => props.of.id, wanted);
  const failure = () => (query.isError ? readFailure(query.error) : undefined);
  return (
    <Show when={config.data?.prompts && mayRead()}>
      <section>
        <h3 class="mb-2 font-semibold">Prompt and answer</h3>
        <Show when={!query.data}>
          <Button
            size="small"
            pending={query.isFetching}
            pendingLabel="Loading…"
            onClick={() => (wanted() ? void query.refetch() : setWanted(true))}
          >
            Show prompt and answer
          </Button>
        </Show>
        <Show when={failure()}>
          {(found) => (
            <p role="alert" class="mt-2 text-sm text-muted">
              {found().code === "not_found"
                ? "Nothing is stored of this request: it asked for that, or storing was off, or the time is over."
                : describeFailure(found())}
            </p>
          )}
        </Show>
        <Show when={query.data}>{(stored) => <Both of={stored()} request={props.of} />}</Show>
      </section>
    </Show>
  );
}

function Both(props: { of: Stored; request: LogDetail }): JSX.Element {
  const config = useConfig();
  let shown: HTMLDivElement | undefined;
  // The button that had the focus is gone.
  onMount(() => shown?.focus());
  const replaced = () =>
    Object.entries(props.of.redactions ?? {})
      .map(([kind, count]) => `${String(count)} × ${kind}`)
      .join(", ");
  const curl = () => {
    const { model, operation } = props.request;
    const path =
      operation === "chat" ? pathOf(props.of, model) : pathBelowV1(props.of, props.request);
    const body = JSON.stringify({ ...asRecord(props.of.request), model }, undefined, 2);
    return curlWith(`${config.data?.apiBaseUrl ?? `${location.origin}/v1`}/${path}`, body);
  };
  return (
    <div ref={shown} tabindex={-1} class="flex flex-col gap-4 outline-none">
      <Part
        title="Prompt"
        copy="Copy prompt"
        value={props.of.request}
        isCut={props.of.truncated.request}
      />
      <Show
        when={props.of.answer !== null}
        fallback={<p class="text-sm text-muted">There was no answer.</p>}
      >
        <Part
          title="Answer"
          copy="Copy answer"
          value={props.of.answer}
          isCut={props.of.truncated.answer}
        />
      </Show>
      <Show when={props.of.media}>{(media) => <StoredMedia of={media()} />}</Show>
      <Show when={!props.of.truncated.request}>
        <div>
          <CopyButton size="small" text={curl()} label="Copy as curl" />
        </div>
      </Show>
      <p class="text-sm text-muted">
        <Show when={replaced()}>
          {(kinds) => `${`Replaced before it was stored: ${kinds()}.`} `}
        </Show>
        To be deleted: <Time at={props.of.deletedAfter} absolute="second" />
      </p>
    </div>
  );
}

/** Embeddings may be asked for in Gemini's words. */
function pathBelowV1({ request }: Stored, { model, operation }: LogDetail): string {
  const asked = asRecord(request);
  if (asked.requests !== undefined) return `models/${model}:batchEmbedContents`;
  if (asked.content !== undefined) return `models/${model}:embedContent`;
  return operationTable[operation].path.replace("/v1/", "");
}

/** Of the protocol that the request and its answer are written in. */
function pathOf({ request, answer }: Stored, model: string): string {
  const asked = asRecord(request);
  if (asked.contents !== undefined) return `models/${model}:generateContent`;
  if (asked.input !== undefined) return "responses";
  const isMessage = asRecord(answer).type === "message" || asked.system !== undefined;
  return isMessage ? "messages" : "chat/completions";
}

function Part(props: { title: string; copy: string; value: unknown; isCut: boolean }): JSX.Element {
  const text = () => JSON.stringify(props.value, undefined, 2);
  return (
    <div>
      <div class="mb-1 flex items-center justify-between gap-3">
        <h4 class="text-sm font-medium">{props.title}</h4>
        <CopyButton size="small" text={text()} label={props.copy} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: text with its line breaks, which must scroll by keyboard */}
      <pre
        translate="no"
        role="group"
        tabindex={0}
        aria-label={props.title}
        class="max-h-96 overflow-auto rounded-card border border-border p-3 font-mono text-xs whitespace-pre-wrap wrap-anywhere -outline-offset-2!"
      >
        {text()}
      </pre>
      <Show when={props.isCut}>
        <p class="mt-1 text-sm text-muted">It was longer than what is stored.</p>
      </Show>
    </div>
  );
}
