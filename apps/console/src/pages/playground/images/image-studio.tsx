// The form for images with its cost, and below it what was drawn.
import type { JSX } from "solid-js";
import { createMemo, Show } from "solid-js";
import { counted } from "../../../lib/plural.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Checkbox, Select } from "../../../ui/forms/choices.tsx";
import { TextArea } from "../../../ui/forms/text-field.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import type { Model } from "../conversation/conversation.ts";
import { EstimateLine } from "../media/estimate-line.tsx";
import { ModelSelect } from "../media/model-select.tsx";
import { SendFailure } from "../media/send-failure.tsx";
import { useDrop } from "../media/use-drop.ts";
import { createStudio, type Studio } from "./create-studio.ts";
import { DrawnImages, PreviewImage } from "./drawn-images.tsx";
import { auto } from "./image-choices.ts";
import { InputImagesField } from "./input-images-field.tsx";

export default function ImageStudio(props: { models: readonly Model[] }): JSX.Element {
  const studio = createStudio(() => props.models);
  let place: HTMLDivElement | undefined;
  const dropping = useDrop((files) => studio.files.add(files));
  const edit = (file: File) => {
    studio.files.add([file]);
    place?.querySelector("textarea")?.focus();
  };
  return (
    <div ref={place} class="flex flex-col gap-5">
      <div class="relative">
        <Show when={dropping()}>
          <p class="pointer-events-none absolute inset-0 z-10 grid place-items-center rounded-card bg-info-tint font-medium">
            Drop images to edit them
          </p>
        </Show>
        <Card>
          <ImageForm studio={studio} models={props.models} />
        </Card>
      </div>
      <Announcement studio={studio} />
      <Show when={studio.preview()}>{(preview) => <PreviewImage of={preview()} />}</Show>
      <Outcome studio={studio} onEdit={edit} place={() => place} />
    </div>
  );
}

function ImageForm(props: { studio: Studio; models: readonly Model[] }): JSX.Element {
  const { studio } = props;
  const { asked, setAsked, files } = studio;
  const onPaste = (event: ClipboardEvent) => {
    const pasted = [...(event.clipboardData?.files ?? [])];
    if (pasted.length === 0) return;
    event.preventDefault();
    files.add(pasted);
  };
  return (
    <form
      class="flex flex-col gap-4"
      onPaste={onPaste}
      onSubmit={(event) => {
        event.preventDefault();
        void studio.draw();
      }}
    >
      <TextArea
        label="Prompt"
        rows={3}
        maxlength={32_000}
        value={asked().prompt}
        onInput={(prompt) => setAsked({ prompt })}
      />
      <Show when={studio.choices().maxInputs > 0}>
        <InputImagesField
          inputs={files.inputs()}
          most={studio.choices().maxInputs}
          mask={files.mask()}
          takesMask={studio.takesMask()}
          problem={files.problem()}
          onAdd={files.add}
          onRemove={files.remove}
          onMask={files.setMask}
        />
      </Show>
      <FormOfImages studio={studio} models={props.models} />
      <Show when={studio.takesPreviews()}>
        <Checkbox
          label="Show previews while drawing"
          hint="Some models bill them."
          checked={asked().previews}
          onChange={(previews) => setAsked({ previews })}
        />
      </Show>
      <div class="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          type="submit"
          variant="primary"
          changes
          pending={studio.running()}
          pendingLabel="Drawing…"
          disabled={asked().prompt.trim() === ""}
        >
          {files.inputs().length > 0 ? "Edit" : "Draw"}
        </Button>
        <EstimateLine estimate={studio.estimate()} />
      </div>
    </form>
  );
}

function FormOfImages(props: { studio: Studio; models: readonly Model[] }): JSX.Element {
  const { asked, setAsked, choices, model, choose } = props.studio;
  return (
    <div class="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
      <ModelSelect models={props.models} value={model()?.id ?? ""} onChange={choose} />
      <Select
        label="Size"
        value={asked().size}
        onChange={(size) => setAsked({ size })}
        choices={choices().sizes.map(choiceOf)}
      />
      <Show when={choices().qualities.length > 0}>
        <Select
          label="Quality"
          value={asked().quality}
          onChange={(quality) => setAsked({ quality })}
          choices={choices().qualities.map(choiceOf)}
        />
      </Show>
      <Show when={choices().counts.length > 1}>
        <Select
          label="Images"
          value={asked().count}
          onChange={(count) => setAsked({ count })}
          choices={choices().counts.map(choiceOf)}
        />
      </Show>
    </div>
  );
}

function choiceOf(value: string) {
  const size = value.replace("x", " × ");
  return {
    value,
    label: value === auto ? "Up to the model" : /^\d+x\d+$/.test(value) ? size : value,
  };
}

/** What screen readers hear of the drawing. */
function Announcement(props: { studio: Studio }): JSX.Element {
  const said = createMemo(() => {
    if (props.studio.running()) return "Drawing…";
    const of = props.studio.result()?.of;
    return of?.kind === "drawn" ? `Finished: ${counted(of.images.length, "image")}.` : "";
  });
  return (
    <p class="sr-only" role="status">
      {said()}
    </p>
  );
}

type OutcomeProps = {
  studio: Studio;
  onEdit: (file: File) => void;
  place: () => HTMLElement | undefined;
};

function Outcome(props: OutcomeProps): JSX.Element {
  const drawn = () => {
    const result = props.studio.result();
    return result?.of.kind === "drawn" ? { of: result.of, prompt: result.prompt } : undefined;
  };
  const mayEdit = () => props.studio.choices().maxInputs > 0;
  return (
    <>
      <SendFailure
        result={props.studio.result()?.of}
        onRetry={() => void props.studio.draw()}
        place={props.place}
      />
      <Show when={drawn()}>
        {(result) => (
          <DrawnImages
            of={result().of}
            prompt={result().prompt}
            onEdit={mayEdit() ? props.onEdit : undefined}
          />
        )}
      </Show>
    </>
  );
}
