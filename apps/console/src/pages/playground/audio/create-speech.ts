// The state of the page for speech: what is to be spoken and how, and what was spoken last.
import { useQueryClient } from "@tanstack/solid-query";
import { createMemo, createSignal, onCleanup } from "solid-js";
import { createStore } from "solid-js/store";
import { balanceKey } from "../../../lib/session.ts";
import { askCharge } from "../answers/ask-charge.ts";
import type { Model } from "../conversation/conversation.ts";
import { createEstimate } from "../media/create-estimate.ts";
import type { MediaFailure } from "../media/post-media.ts";
import { useMediaModel } from "../media/use-media-model.ts";
import { type SpeechFields, type SpeechFormat, type Spoken, speak } from "./speak.ts";

export const speeds = ["0.5", "0.75", "1", "1.25", "1.5", "2"] as const;

type Asked = {
  readonly input: string;
  readonly voice: string;
  readonly instructions: string;
  readonly format: SpeechFormat;
  readonly speed: (typeof speeds)[number];
};

export type Speech = ReturnType<typeof createSpeech>;

export function createSpeech(models: () => readonly Model[]) {
  const client = useQueryClient();
  const { model, choose, takes } = useMediaModel(models);
  const [typed, setAsked] = createStore<Asked>({
    input: "",
    voice: "",
    instructions: "",
    format: "mp3",
    speed: "1",
  });
  const media = () => mediaOf(model());
  const asked = () => ({ ...typed, voice: voiceOf(media(), typed.voice) });
  const takesInstructions = () => takes("instructions");
  const fields = createMemo(() => {
    const instructions = takesInstructions() ? asked().instructions : "";
    return fieldsOf(model()?.id ?? "", { ...asked(), instructions });
  });
  const [running, setRunning] = createSignal(false);
  const [result, setResult] = createSignal<Spoken | MediaFailure>();
  const [charge, setCharge] = createSignal<{ readonly usd: string | undefined }>();
  const controller = new AbortController();
  onCleanup(() => controller.abort());
  const send = async () => {
    if (running() || fields().input === "") return;
    setRunning(true);
    setResult(undefined);
    setCharge(undefined);
    const of = await speak(fields(), controller.signal);
    if (controller.signal.aborted) return;
    setResult(of);
    setRunning(false);
    await client.invalidateQueries({ queryKey: balanceKey });
    const id = of.kind === "spoken" ? of.generationId : undefined;
    const usd = id === undefined ? undefined : (await askCharge(id))?.costUsd;
    if (result() === of) setCharge({ usd });
  };
  return {
    model,
    choose,
    media,
    asked,
    setAsked,
    takesInstructions,
    estimate: createEstimate(() => (fields().input === "" ? undefined : fields())),
    running,
    result,
    charge,
    send,
  };
}

function mediaOf(model: Model | undefined) {
  const media = model?.media;
  return media?.kind === "speech" ? media : { voices: [], maxCharacters: 4_096 };
}

/** What was chosen, unless another model has been chosen since that does not have it. */
function voiceOf({ voices }: { readonly voices: readonly string[] }, chosen: string): string {
  return voices.length === 0 || voices.includes(chosen) ? chosen : (voices[0] ?? "");
}

function fieldsOf(model: string, asked: Asked): SpeechFields {
  const { voice, instructions, speed } = asked;
  return {
    model,
    input: asked.input.trim(),
    response_format: asked.format,
    ...(voice.trim() !== "" && { voice: voice.trim() }),
    ...(speed !== "1" && { speed: Number(speed) }),
    ...(instructions.trim() !== "" && { instructions: instructions.trim() }),
  };
}
