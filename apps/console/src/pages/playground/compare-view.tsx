// The same question to up to four models, their answers side by side, one composer under them all.
import type { JSX } from "solid-js";
import { createMemo, createSignal, For, Show } from "solid-js";
import { IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Plus, SlidersHorizontal, X } from "../../ui/icons.ts";
import { acceptedTypes } from "./attachments.ts";
import { checkParameters, type ParameterErrors } from "./check-parameters.ts";
import { Composer } from "./composer.tsx";
import type { Model } from "./conversation.ts";
import { Examples, JumpButton, MessageList } from "./conversation-view.tsx";
import { type Column, type Comparison, comparedMax } from "./create-comparison.ts";
import { estimateInput } from "./estimate-input.ts";
import { ModelPicker } from "./model-picker.tsx";
import { ParametersPanel } from "./parameters-panel.tsx";
import { FailureNotice } from "./run-notices.tsx";
import { Tool } from "./tool.tsx";
import { useFollow } from "./use-follow.ts";

type CompareViewProps = {
  comparison: Comparison;
  models: readonly Model[];
  onEnd: () => void;
};

export function CompareView(props: CompareViewProps): JSX.Element {
  const { comparison } = props;
  const [setting, setSetting] = createSignal(false);
  const modelOf = (id: string) => props.models.find((one) => one.id === id);
  const first = () => comparison.columns()[0]?.playground;
  const asked = () => comparison.columns().map(({ playground }) => playground.conversation);
  const errors = createMemo((): ParameterErrors => {
    const found = asked().map(({ parameters, model }) =>
      checkParameters(parameters, modelOf(model)?.maxOutputTokens ?? undefined),
    );
    return Object.assign({}, ...found);
  });
  const hasMessages = () => asked().some(({ messages }) => messages.length > 0);
  const unused = () => props.models.find(({ id }) => !asked().some(({ model }) => model === id));
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Escape" && !document.querySelector("[role=dialog]")) comparison.stop();
  };
  const follow = useFollow(
    () => asked()[0]?.messages.length ?? 0,
    () => asked().map(({ messages }) => messages.at(-1)?.text.length),
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the key works wherever the focus is in here
    <div
      class="flex min-h-[calc(100dvh-9rem)] min-w-0 flex-col gap-4"
      onKeyDown={onKey}
      data-compare=""
    >
      <div class="flex flex-wrap items-center justify-end gap-1">
        <p class="me-auto text-sm text-muted">
          You're charged for each model. Comparisons aren't saved.
        </p>
        <Tool icon={SlidersHorizontal} onClick={() => setSetting(true)}>
          Parameters
        </Tool>
        <Show when={comparison.columns().length < comparedMax && unused()}>
          {(model) => (
            <Tool icon={Plus} onClick={() => comparison.add(model().id)}>
              Add model
            </Tool>
          )}
        </Show>
        <Tool icon={X} onClick={props.onEnd}>
          End comparison
        </Tool>
      </div>
      <div class="grid flex-1 auto-cols-fr grid-flow-col items-start gap-4">
        <For each={comparison.columns()}>
          {(column) => <CompareColumn {...props} column={column} />}
        </For>
      </div>
      <Show when={!hasMessages()}>
        <Examples lead="Ask once, read the answers side by side." onChoose={comparison.setDraft} />
      </Show>
      <Announcer comparison={comparison} />
      <div class="sticky bottom-0 z-10 -mx-1 bg-bg px-1 pt-1 pb-2">
        <Show when={follow.away() && hasMessages()}>
          <JumpButton onClick={follow.jump} />
        </Show>
        <Composer
          playground={comparison}
          model={leastOf(asked().map(({ model }) => modelOf(model)))}
          obstacle={Object.keys(errors()).length > 0 ? "Check the parameters first." : undefined}
          estimate={estimateInput(props.models, asked(), comparison.draft())}
          onEditLast={() => undefined}
        />
      </div>
      <Dialog open={setting()} onOpenChange={setSetting} title="Parameters" shape="side">
        <Show when={first()}>
          {(one) => (
            <ParametersPanel
              playground={{
                conversation: one().conversation,
                setSystem: comparison.setSystem,
                setParameters: comparison.setParameters,
              }}
              model={modelOf(one().conversation.model)}
              errors={errors()}
            />
          )}
        </Show>
      </Dialog>
    </div>
  );
}

/** Attachments go to all of them, so the most restrictive model decides. */
function leastOf(models: readonly (Model | undefined)[]): Model | undefined {
  return models.toSorted((a, b) => acceptedTypes(a).length - acceptedTypes(b).length)[0];
}

function CompareColumn(props: CompareViewProps & { column: Column }): JSX.Element {
  const { playground, id } = props.column;
  const [choosing, setChoosing] = createSignal(false);
  const [editing, setEditing] = createSignal<string>();
  const name = () => {
    const { model } = playground.conversation;
    return props.models.find((one) => one.id === model)?.name ?? model;
  };
  return (
    <section
      aria-label={`Answers of ${name()}`}
      class="flex min-w-0 flex-col gap-4 rounded-card border border-border p-3"
    >
      <div class="flex items-center gap-1">
        <div class="min-w-0 flex-1">
          <ModelPicker
            models={props.models}
            value={playground.conversation.model}
            onChange={playground.setModel}
            open={choosing()}
            onOpenChange={setChoosing}
          />
        </div>
        <Show when={props.comparison.columns().length > 2}>
          <IconButton label={`Remove ${name()}`} onClick={() => props.comparison.remove(id)}>
            <X class="size-4" aria-hidden="true" />
          </IconButton>
        </Show>
      </div>
      <MessageList
        playground={playground}
        models={props.models}
        editing={editing()}
        onEdit={setEditing}
        onOtherModel={() => setChoosing(true)}
      />
      <Show when={playground.failure()}>
        {(failure) => (
          <FailureNotice
            failure={failure()}
            partial={false}
            onRetry={() => playground.send()}
            onOtherModel={() => setChoosing(true)}
          />
        )}
      </Show>
    </section>
  );
}

/** One announcement for all: three at a time would overlap. */
function Announcer(props: { comparison: Comparison }): JSX.Element {
  const said = createMemo<string>((before) => {
    if (props.comparison.running() !== undefined) return "The models are answering.";
    return before === "" ? "" : "All responses finished.";
  }, "");
  return (
    <p class="sr-only" role="status">
      {said()}
    </p>
  );
}
