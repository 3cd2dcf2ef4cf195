// Audio becomes text, or captions: what that costs before and afterwards.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { downloadFile } from "../../../lib/download-file.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { CopyButton } from "../../../ui/buttons/copy-button.tsx";
import { Checkbox, choicesOf, Select } from "../../../ui/forms/choices.tsx";
import { TextField } from "../../../ui/forms/text-field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import type { Model } from "../conversation/conversation.ts";
import { EstimateLine } from "../media/estimate-line.tsx";
import { ModelSelect } from "../media/model-select.tsx";
import { ResultCost } from "../media/result-cost.tsx";
import { SendFailure } from "../media/send-failure.tsx";
import { useDrop } from "../media/use-drop.ts";
import { createTranscription, type Transcription } from "./create-transcription.ts";
import { RecorderField } from "./recorder-field.tsx";
import { type Transcribed, type TranscriptFormat, transcriptFormats } from "./transcribe.ts";

export default function TranscriptionStudio(props: { models: readonly Model[] }): JSX.Element {
  const studio = createTranscription(() => props.models);
  let place: HTMLDivElement | undefined;
  const dropping = useDrop((files) => void studio.source.choose(files));
  const transcript = () => {
    const found = studio.result();
    return found?.kind === "transcribed" ? found : undefined;
  };
  return (
    <div ref={place} class="flex flex-col gap-5">
      <div class="relative">
        <Show when={dropping()}>
          <p class="pointer-events-none absolute inset-0 z-10 grid place-items-center rounded-card bg-info-tint font-medium">
            Drop a file to write down what it says
          </p>
        </Show>
        <Card>
          <TranscriptionForm studio={studio} models={props.models} />
        </Card>
      </div>
      <p class="sr-only" role="status">
        {studio.running() ? "Writing it down…" : transcript() ? "The transcript is ready." : ""}
      </p>
      <SendFailure
        result={studio.result()}
        onRetry={() => void studio.send()}
        place={() => place}
      />
      <Show when={transcript()}>
        {(found) => <TranscriptCard of={found()} charge={studio.charge()} />}
      </Show>
    </div>
  );
}

function TranscriptionForm(props: {
  studio: Transcription;
  models: readonly Model[];
}): JSX.Element {
  const { studio } = props;
  const { asked, setAsked, recorder, source } = studio;
  const isReady = () => source.file() !== undefined && recorder.state() === "idle";
  return (
    <form
      class="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void studio.send();
      }}
    >
      <RecorderField studio={studio} />
      <div class="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <ModelSelect
          models={props.models}
          value={studio.model()?.id ?? ""}
          onChange={studio.choose}
        />
        <Show when={studio.takesCaptions()}>
          <Select
            label="Format"
            value={asked().format}
            onChange={(format) => setAsked({ format })}
            choices={choicesOf(transcriptFormats)}
          />
        </Show>
        <TextField
          label="Language"
          optional
          hint="Two letters, such as en or de."
          autocomplete="off"
          maxlength={8}
          disabled={asked().isTranslated}
          value={asked().language}
          onInput={(language) => setAsked({ language: language.trim().toLowerCase() })}
        />
      </div>
      <Checkbox
        label="Translate into English"
        checked={asked().isTranslated}
        onChange={(isTranslated) => setAsked({ isTranslated })}
      />
      <div class="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          type="submit"
          variant="primary"
          changes
          pending={studio.running()}
          pendingLabel="Writing it down…"
          disabled={!isReady()}
        >
          {asked().isTranslated ? "Translate" : "Transcribe"}
        </Button>
        <EstimateLine estimate={studio.estimate()} lead="Up to about" />
        <Show when={isReady() && source.length() === "unknown"}>
          <p class="text-sm text-muted">
            The browser can't tell how long it lasts, so its cost is known afterwards.
          </p>
        </Show>
      </div>
    </form>
  );
}

const files: Readonly<Record<TranscriptFormat, readonly [name: string, type: string]>> = {
  json: ["transcript.txt", "text/plain"],
  srt: ["transcript.srt", "application/x-subrip"],
  vtt: ["transcript.vtt", "text/vtt"],
};

type TranscriptCardProps = {
  of: Transcribed;
  charge: { readonly usd: string | undefined } | undefined;
};

function TranscriptCard(props: TranscriptCardProps): JSX.Element {
  const save = () => {
    const [name, type] = files[props.of.format];
    downloadFile(name, props.of.text, type);
  };
  return (
    <Card
      title="Transcript"
      description={
        <ResultCost
          costUsd={props.of.costUsd ?? props.charge?.usd}
          isAsked={props.charge === undefined}
          generationId={props.of.generationId}
        />
      }
      actions={
        <div class="flex flex-wrap gap-2">
          <CopyButton size="small" text={props.of.text} label="Copy" />
          <Button size="small" onClick={save}>
            Download
          </Button>
        </div>
      }
    >
      <Show
        when={props.of.text.trim() !== ""}
        fallback={<p class="text-muted">Nothing was said in it.</p>}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: text with its line breaks, which must scroll by keyboard */}
        <div
          role="group"
          tabindex={0}
          aria-label="Transcript"
          class="max-h-96 overflow-auto whitespace-pre-wrap wrap-anywhere -outline-offset-2!"
        >
          {props.of.text}
        </div>
      </Show>
    </Card>
  );
}
