// The state of the page for transcriptions: the audio that was recorded or chosen, how it is written down, and the last
// transcript.
import { useQueryClient } from "@tanstack/solid-query";
import { createSignal, onCleanup } from "solid-js";
import { createStore } from "solid-js/store";
import { balanceKey } from "../../../lib/session.ts";
import { askCharge } from "../answers/ask-charge.ts";
import type { Model } from "../conversation/conversation.ts";
import { createEstimate } from "../media/create-estimate.ts";
import type { MediaFailure } from "../media/post-media.ts";
import { useMediaModel } from "../media/use-media-model.ts";
import { readAudioSeconds } from "./audio-seconds.ts";
import { createRecorder, type Recording } from "./create-recorder.ts";
import {
  audioMaxBytes,
  type Transcribed,
  type TranscriptFormat,
  transcribe,
} from "./transcribe.ts";

type Asked = {
  readonly format: TranscriptFormat;
  readonly language: string;
  readonly isTranslated: boolean;
};

/** How long the audio is: `unknown` if only the server can tell, undefined while it is read. */
type Length = number | "unknown" | undefined;

export type Transcription = ReturnType<typeof createTranscription>;

export function createTranscription(models: () => readonly Model[]) {
  const client = useQueryClient();
  const { model, choose, takes } = useMediaModel(models);
  const [typed, setAsked] = createStore<Asked>({
    format: "json",
    language: "",
    isTranslated: false,
  });
  const maxSeconds = () => {
    const media = model()?.media;
    return media?.kind === "transcription" ? media.maxSeconds : 1_500;
  };
  // Captions need times.
  const takesCaptions = () => takes("timestamp_granularities");
  const asked = (): Asked => (takesCaptions() ? typed : { ...typed, format: "json" });
  const source = createSource();
  const recorder = createRecorder({ maxSeconds, onRecorded: source.setRecording });
  const estimate = createEstimate(() => {
    const length = source.length();
    if (typeof length !== "number") return undefined;
    return { model: model()?.id, duration_seconds: length };
  });
  const [running, setRunning] = createSignal(false);
  const [result, setResult] = createSignal<Transcribed | MediaFailure>();
  const [charge, setCharge] = createSignal<{ readonly usd: string | undefined }>();
  const controller = new AbortController();
  onCleanup(() => controller.abort());
  const send = async () => {
    const file = source.file();
    if (running() || file === undefined || recorder.state() !== "idle") return;
    setRunning(true);
    setResult(undefined);
    setCharge(undefined);
    const request = { ...asked(), model: model()?.id ?? "", file };
    const of = await transcribe(request, controller.signal);
    if (controller.signal.aborted) return;
    setResult(of);
    setRunning(false);
    await client.invalidateQueries({ queryKey: balanceKey });
    const usd = await chargeOf(of);
    if (result() === of) setCharge({ usd });
  };
  const state = { asked, setAsked, takesCaptions, estimate, running, result, charge, send };
  return { model, choose, maxSeconds, recorder, source, ...state };
}

async function chargeOf(of: Transcribed | MediaFailure): Promise<string | undefined> {
  if (of.kind === "failed") return undefined;
  if (of.costUsd !== undefined || of.generationId === undefined) return of.costUsd;
  return (await askCharge(of.generationId))?.costUsd;
}

/** The file to be sent, one at a time. */
function createSource() {
  const [file, setFile] = createSignal<File>();
  const [length, setLength] = createSignal<Length>();
  const [problem, setProblem] = createSignal<string>();
  let reading = new AbortController();
  onCleanup(() => reading.abort());
  const set = (next: File | undefined, seconds?: number) => {
    reading.abort();
    setProblem(undefined);
    setLength(seconds);
    setFile(next);
  };
  return {
    file,
    length,
    problem,
    setRecording: (recording: Recording) => set(recording.file, recording.seconds),
    remove: () => set(undefined),
    async choose([chosen]: readonly File[]) {
      if (chosen === undefined) return;
      const found = describeFileProblem(chosen);
      if (found !== undefined) return setProblem(found);
      set(chosen);
      reading = new AbortController();
      const { signal } = reading;
      const seconds = await readAudioSeconds(chosen, signal);
      if (!signal.aborted) setLength(seconds ?? "unknown");
    },
  };
}

/** What it really contains is found out by the server. */
function describeFileProblem({ name, type, size }: File): string | undefined {
  if (size > audioMaxBytes) return `${name} is larger than 25 MB. Split it.`;
  if (size === 0) return `${name} is empty.`;
  return type === "" || /^(?:audio|video)\//.test(type)
    ? undefined
    : `${name} is not an audio file.`;
}
