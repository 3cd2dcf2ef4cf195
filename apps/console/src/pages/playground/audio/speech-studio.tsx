// A text becomes speech: in which voice, format and speed, and what that costs before and afterwards.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { saveBlob } from "../../../lib/download-file.ts";
import { formatCount } from "../../../lib/format.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Select } from "../../../ui/forms/choices.tsx";
import { TextArea, TextField } from "../../../ui/forms/text-field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { AudioPlayer } from "../../../ui/media/audio-player.tsx";
import type { Model } from "../conversation/conversation.ts";
import { EstimateLine } from "../media/estimate-line.tsx";
import { ModelSelect } from "../media/model-select.tsx";
import { ResultCost } from "../media/result-cost.tsx";
import { SendFailure } from "../media/send-failure.tsx";
import { createSpeech, type Speech, speeds } from "./create-speech.ts";
import { type Spoken, speechFormats } from "./speak.ts";

export default function SpeechStudio(props: { models: readonly Model[] }): JSX.Element {
  const studio = createSpeech(() => props.models);
  let place: HTMLDivElement | undefined;
  const spoken = () => {
    const found = studio.result();
    return found?.kind === "spoken" ? found : undefined;
  };
  return (
    <div ref={place} class="flex flex-col gap-5">
      <Card>
        <SpeechForm studio={studio} models={props.models} />
      </Card>
      <p class="sr-only" role="status">
        {studio.running() ? "Speaking…" : spoken() ? "The speech is ready." : ""}
      </p>
      <SendFailure
        result={studio.result()}
        onRetry={() => void studio.send()}
        place={() => place}
      />
      <Show when={spoken()}>{(found) => <SpokenCard of={found()} charge={studio.charge()} />}</Show>
    </div>
  );
}

type SpokenCardProps = { of: Spoken; charge: { readonly usd: string | undefined } | undefined };

function SpokenCard(props: SpokenCardProps): JSX.Element {
  return (
    <Card
      title="Speech"
      description={
        <ResultCost
          costUsd={props.charge?.usd}
          isAsked={props.charge === undefined}
          generationId={props.of.generationId}
        />
      }
    >
      <div class="flex flex-col items-start gap-3">
        <Show
          when={props.of.format !== "pcm"}
          fallback={
            <p class="text-sm text-muted">
              Samples without a header cannot be played here. Download them instead.
            </p>
          }
        >
          <AudioPlayer file={props.of.file} label="Speech" />
        </Show>
        <Button size="small" onClick={() => saveBlob(props.of.file.name, props.of.file)}>
          Download {props.of.file.name}
        </Button>
      </div>
    </Card>
  );
}

function SpeechForm(props: { studio: Speech; models: readonly Model[] }): JSX.Element {
  const { studio } = props;
  const { asked, setAsked, media } = studio;
  const most = () => media().maxCharacters;
  return (
    <form
      class="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void studio.send();
      }}
    >
      <TextArea
        label="Text"
        rows={4}
        maxlength={most()}
        hint={`${formatCount(asked().input.length)} of ${formatCount(most())} characters`}
        value={asked().input}
        onInput={(input) => setAsked({ input })}
      />
      <Show when={studio.takesInstructions()}>
        <TextField
          label="Instructions"
          optional
          hint="How it is spoken, such as “slowly and calmly”."
          maxlength={4_096}
          value={asked().instructions}
          onInput={(instructions) => setAsked({ instructions })}
        />
      </Show>
      <VoiceFields studio={studio} models={props.models} />
      <div class="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          type="submit"
          variant="primary"
          changes
          pending={studio.running()}
          pendingLabel="Speaking…"
          disabled={asked().input.trim() === ""}
        >
          Speak
        </Button>
        <EstimateLine estimate={studio.estimate()} />
      </div>
    </form>
  );
}

function VoiceFields(props: { studio: Speech; models: readonly Model[] }): JSX.Element {
  const { asked, setAsked, media, model, choose } = props.studio;
  return (
    <div class="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
      <ModelSelect models={props.models} value={model()?.id ?? ""} onChange={choose} />
      <Show
        when={media().voices.length > 0}
        fallback={
          <TextField
            label="Voice"
            optional
            autocomplete="off"
            maxlength={128}
            value={asked().voice}
            onInput={(voice) => setAsked({ voice })}
          />
        }
      >
        <Select
          label="Voice"
          value={asked().voice}
          onChange={(voice) => setAsked({ voice })}
          choices={media().voices.map((value) => ({ value, label: value }))}
        />
      </Show>
      <Select
        label="Format"
        value={asked().format}
        onChange={(format) => setAsked({ format })}
        choices={speechFormats.map((value) => ({ value, label: value }))}
      />
      <Select
        label="Speed"
        value={asked().speed}
        onChange={(speed) => setAsked({ speed })}
        choices={speeds.map((value) => ({ value, label: `${value} ×` }))}
      />
    </div>
  );
}
