// What is to be written down: recorded here, chosen or dropped. It can be heard before it is sent.
import type { JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import { Button, IconButton } from "../../../ui/buttons/button.tsx";
import { Bar } from "../../../ui/figures/bar.tsx";
import { FieldError } from "../../../ui/forms/field.tsx";
import { Mic, Square, X } from "../../../ui/icons.ts";
import { AudioPlayer } from "../../../ui/media/audio-player.tsx";
import { FileButton } from "../media/file-button.tsx";
import type { Recorder } from "./create-recorder.ts";
import type { Transcription } from "./create-transcription.ts";

export function RecorderField(props: { studio: Transcription }): JSX.Element {
  const { recorder, source } = props.studio;
  const isIdle = () => recorder.state() === "idle";
  return (
    <fieldset class="flex min-w-0 flex-col gap-3">
      <legend class="mb-1.5 text-base font-medium">Audio</legend>
      <div class="flex flex-wrap items-center gap-2">
        <RecordButton recorder={recorder} />
        <Show when={isIdle()}>
          <FileButton
            label="Choose a file"
            accept="audio/*,video/mp4,video/webm"
            multiple={false}
            onFiles={(files) => void source.choose(files)}
          />
        </Show>
        <Show when={recorder.state() === "recording"}>
          <Level recorder={recorder} />
        </Show>
      </div>
      <FieldError id="recorder-error" error={recorder.problem() ?? source.problem()} />
      <Show when={isIdle() && source.file()} keyed>
        {(file) => (
          <div class="flex flex-wrap items-center gap-2">
            <AudioPlayer file={file} label={`Audio to send: ${file.name}`} />
            <span class="min-w-0 text-sm text-muted wrap-anywhere">
              {file.name}
              <Show when={secondsOf(source.length())}>
                {(seconds) => `, ${clockOf(seconds())}`}
              </Show>
            </span>
            <IconButton label={`Remove ${file.name}`} onClick={source.remove}>
              <X class="size-4" aria-hidden="true" />
            </IconButton>
          </div>
        )}
      </Show>
      <p class="text-sm text-muted">
        Record, choose or drop it: up to 25 MB and {clockOf(props.studio.maxSeconds())}. Nothing is
        sent before you press the button below.
      </p>
    </fieldset>
  );
}

/** One button, so that it keeps the focus when it turns from one into the other. */
function RecordButton(props: { recorder: Recorder }): JSX.Element {
  const isRecording = () => props.recorder.state() === "recording";
  const said = createMemo<string>((before) => {
    if (isRecording()) return "Recording…";
    return before === "" ? "" : "Recording stopped.";
  }, "");
  return (
    <>
      <Button
        size="small"
        variant={isRecording() ? "danger" : "secondary"}
        pending={props.recorder.state() === "asking"}
        pendingLabel="Waiting for the microphone…"
        icon={
          <Show when={isRecording()} fallback={<Mic class="size-4" aria-hidden="true" />}>
            <Square class="size-3.5 fill-current" aria-hidden="true" />
          </Show>
        }
        onClick={() => (isRecording() ? props.recorder.stop() : void props.recorder.start())}
      >
        {isRecording() ? "Stop recording" : "Record"}
      </Button>
      <span class="sr-only" role="status">
        {said()}
      </span>
    </>
  );
}

/** How loud it is now, and how long it has been recorded. */
function Level(props: { recorder: Recorder }): JSX.Element {
  const percent = () => Math.round(100 * Math.min(1, props.recorder.level()));
  return (
    <span class="flex items-center gap-3">
      {/* biome-ignore lint/a11y/useSemanticElements: a native meter cannot be colored */}
      <span
        role="meter"
        aria-label="Input level"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent()}
        class="inline-flex"
      >
        <Bar parts={[{ share: percent() / 100, class: "fill-success" }]} class="h-2 w-32" />
      </span>
      <span class="figures text-sm text-muted">{clockOf(props.recorder.seconds())}</span>
    </span>
  );
}

function secondsOf(length: number | "unknown" | undefined): number | undefined {
  return typeof length === "number" ? length : undefined;
}

/** `1:05`. */
function clockOf(seconds: number): string {
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
