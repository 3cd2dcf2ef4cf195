// The state of the page for images: what is asked for, what is being drawn, and what was drawn last.
import { useQueryClient } from "@tanstack/solid-query";
import { createMemo, createSignal, onCleanup } from "solid-js";
import { createStore } from "solid-js/store";
import { balanceKey } from "../../../lib/session.ts";
import type { Model } from "../conversation/conversation.ts";
import { createEstimate } from "../media/create-estimate.ts";
import type { MediaFailure } from "../media/post-media.ts";
import { useMediaModel } from "../media/use-media-model.ts";
import { type Drawn, drawImages, estimateBody, type ImageRequest } from "./draw-images.ts";
import { type Asked, auto, choicesFor, fieldsOf, withinChoices } from "./image-choices.ts";
import { addImages, describeMaskProblem } from "./input-images.ts";

export type Result = { readonly of: Drawn | MediaFailure; readonly prompt: string };

export type Studio = ReturnType<typeof createStudio>;

export function createStudio(models: () => readonly Model[]) {
  const client = useQueryClient();
  const { model, choose, takes } = useMediaModel(models);
  const [typed, setAsked] = createStore<Asked>({
    prompt: "",
    size: "1024x1024",
    quality: auto,
    count: "1",
    previews: false,
  });
  const choices = createMemo(() => choicesFor(model()));
  const takesPreviews = () => takes("partial_images");
  const asked = () => {
    const chosen = withinChoices(typed, choices());
    return { ...chosen, previews: chosen.previews && takesPreviews() };
  };
  const files = createInputs(() => choices().maxInputs);
  const request = createMemo((): ImageRequest => {
    const inputs = files.inputs().slice(0, choices().maxInputs);
    const mask = inputs.length > 0 && takes("mask") ? files.mask() : undefined;
    return { fields: fieldsOf(model()?.id ?? "", asked()), inputs, mask };
  });
  const estimate = createEstimate(() =>
    request().fields.prompt === "" ? undefined : estimateBody(request()),
  );
  const [running, setRunning] = createSignal(false);
  const [preview, setPreview] = createSignal<File>();
  const [result, setResult] = createSignal<Result>();
  const controller = new AbortController();
  onCleanup(() => controller.abort());
  const draw = async () => {
    const sent = request();
    const { prompt } = sent.fields;
    if (running() || prompt === "") return;
    setRunning(true);
    setResult(undefined);
    const { signal } = controller;
    const of = await drawImages(sent, { signal, onPreview: setPreview });
    if (signal.aborted) return;
    setPreview(undefined);
    setResult({ of, prompt });
    setRunning(false);
    await client.invalidateQueries({ queryKey: balanceKey });
  };
  return {
    model,
    choose,
    choices,
    asked,
    setAsked,
    files,
    takesMask: () => takes("mask"),
    takesPreviews,
    estimate,
    running,
    preview,
    result,
    draw,
  };
}

/** The images to edit and their mask, as far as they may be sent. */
function createInputs(most: () => number) {
  const [inputs, setInputs] = createSignal<readonly File[]>([]);
  const [mask, setMask] = createSignal<File>();
  const [problem, setProblem] = createSignal<string>();
  return {
    inputs,
    mask,
    problem,
    add(files: readonly File[]) {
      const picked = addImages(inputs(), files, most());
      setInputs(picked.inputs);
      setProblem(picked.problem);
    },
    remove(file: File) {
      setInputs(inputs().filter((one) => one !== file));
      if (inputs().length === 0) setMask(undefined);
      setProblem(undefined);
    },
    setMask(file: File | undefined) {
      const found = file === undefined ? undefined : describeMaskProblem(file);
      setProblem(found);
      if (found === undefined) setMask(file);
    },
  };
}
