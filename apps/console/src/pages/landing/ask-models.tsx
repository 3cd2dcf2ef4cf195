// A visitor's question to a few models at once, paid by the operator: what each answers, how soon, how fast, and what
// it cost, traced to its lines.
import type { JSX } from "solid-js";
import { createSignal, For, onCleanup, Show } from "solid-js";
import { createStore } from "solid-js/store";
import type { Answers } from "../../lib/api.ts";
import { formatCount, formatDuration, formatExactUsd, formatSpeed } from "../../lib/format.ts";
import type { Usage } from "../../product/completions/parse-chunk.ts";
import { type Ending, runCompletion } from "../../product/completions/run-completion.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { TextField } from "../../ui/forms/text-field.tsx";
import { ratesOf } from "./switch-over.tsx";

type Model = Answers["models"]["list"][number];

type Reply = {
  readonly text: string;
  readonly firstMs?: number;
  readonly totalMs?: number;
  readonly usage?: Usage;
  readonly ending?: Ending;
};

const examples = ["What is a toll road?", "Write a haiku about rivers."];
const questionMaxChars = 500;

export default function AskModels(props: { models: readonly Model[] }): JSX.Element {
  const [question, setQuestion] = createSignal("");
  const [replies, setReplies] = createStore<Record<string, Reply>>({});
  const [running, setRunning] = createSignal<AbortController>();
  onCleanup(() => running()?.abort());

  async function ask(asked: string): Promise<void> {
    if (asked.trim() === "" || running()) return;
    const controller = new AbortController();
    setRunning(controller);
    await Promise.all(props.models.map(({ id }) => askOne(id, asked, controller.signal)));
    setRunning(undefined);
  }

  async function askOne(model: string, asked: string, signal: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    const elapsed = () => performance.now() - startedAt;
    setReplies(model, { text: "" });
    const ending = await runCompletion(
      { model, question: asked },
      {
        signal,
        onId: () => undefined,
        onChunk: ({ text, usage }) =>
          setReplies(model, (reply) => ({
            text: reply.text + text,
            ...(text !== "" && reply.firstMs === undefined && { firstMs: elapsed() }),
            ...(usage && { usage }),
          })),
      },
      "/console/demo",
    );
    setReplies(model, { totalMs: elapsed(), ending });
  }

  return (
    <section class="flex flex-col gap-5">
      <h2 class="text-xl font-semibold tracking-tight">Ask {props.models.length} models at once</h2>
      <form
        class="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void ask(question());
        }}
      >
        <div class="min-w-0 flex-1 basis-72">
          <TextField
            label="Your question"
            value={question()}
            onInput={setQuestion}
            maxlength={questionMaxChars}
            placeholder={examples[0]}
          />
        </div>
        <Button
          variant="primary"
          type="submit"
          pending={running() !== undefined}
          pendingLabel="Asking…"
        >
          Ask
        </Button>
      </form>
      <Show when={Object.keys(replies).length === 0}>
        <p class="flex flex-wrap gap-2 text-sm text-muted">
          Real requests, no account needed. Try:
          <For each={examples}>
            {(example) => (
              <button
                type="button"
                class="link"
                onClick={() => {
                  setQuestion(example);
                  void ask(example);
                }}
              >
                {example}
              </button>
            )}
          </For>
        </p>
      </Show>
      <ul class="grid gap-4 lg:auto-cols-fr lg:grid-flow-col">
        <For each={props.models}>{(model) => <Answer of={model} reply={replies[model.id]} />}</For>
      </ul>
    </section>
  );
}

/** Before the question: what the model costs. */
function Answer(props: { of: Model; reply: Reply | undefined }): JSX.Element {
  const failure = () => {
    const ending = props.reply?.ending;
    if (ending?.kind !== "failed") return undefined;
    return ending.failure.message || "The connection was lost. Ask again.";
  };
  return (
    <li class="flex min-w-0 flex-col gap-3 rounded-card border border-border p-5">
      <h3 translate="no" class="truncate font-mono text-xs text-muted">
        {props.of.id}
      </h3>
      <Show
        when={props.reply}
        fallback={<p class="figures text-sm text-muted">{ratesOf(props.of)}</p>}
      >
        {(reply) => (
          <p class="min-h-12 whitespace-pre-line wrap-break-word" aria-busy={!reply().ending}>
            {reply().text}
          </p>
        )}
      </Show>
      <Show when={failure()}>{(text) => <p role="alert">{text()}</p>}</Show>
      <Show when={props.reply?.usage}>
        {(usage) => (
          <dl class="figures mt-auto grid grid-cols-[1fr_auto] gap-x-4 border-t border-border pt-3 text-sm">
            <For each={linesOf(props.reply ?? {}, usage(), props.of.prices)}>
              {([title, value]) => (
                <>
                  <dt class="text-muted last-of-type:font-medium last-of-type:text-text">
                    {title}
                  </dt>
                  <dd class="text-end last-of-type:font-medium">{value}</dd>
                </>
              )}
            </For>
          </dl>
        )}
      </Show>
    </li>
  );
}

/** The last one is the cost. */
function linesOf(
  { firstMs, totalMs }: Pick<Reply, "firstMs" | "totalMs">,
  usage: Usage,
  prices: Model["prices"],
) {
  const { promptTokens, completionTokens, costUsd = "0" } = usage;
  const streamedMs = totalMs === undefined ? undefined : totalMs - (firstMs ?? 0);
  const rateOf = (tokens: number, usd: string) =>
    `${formatCount(tokens)} × ${formatExactUsd(usd)} / 1M`;
  return [
    ["First token", formatDuration(firstMs)],
    ["Speed", formatSpeed(completionTokens, streamedMs)],
    ["Input", rateOf(promptTokens, prices.inputUsd)],
    ["Output", rateOf(completionTokens, prices.outputUsd)],
    ["Cost", formatExactUsd(costUsd)],
  ] as const;
}
