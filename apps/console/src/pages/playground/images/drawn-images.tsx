// The images of an answer: each can be saved, and edited further. While they are drawn, the newest preview.
import type { JSX } from "solid-js";
import { For, Match, Show, Switch } from "solid-js";
import { saveBlob } from "../../../lib/download-file.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { useObjectUrl } from "../../../ui/media/use-object-url.ts";
import { ResultCost } from "../media/result-cost.tsx";
import type { Drawn, DrawnImage } from "./draw-images.ts";

type DrawnImagesProps = {
  of: Drawn;
  prompt: string;
  /** Undefined for a model that edits none. */
  onEdit: ((file: File) => void) | undefined;
};

export function DrawnImages(props: DrawnImagesProps): JSX.Element {
  return (
    <Card
      title="Images"
      description={<ResultCost costUsd={props.of.costUsd} generationId={props.of.generationId} />}
    >
      <ul class="grid gap-4 sm:grid-cols-2">
        <For each={props.of.images}>
          {(image, index) => (
            <li class="flex min-w-0 flex-col items-start gap-2">
              <OneImage
                of={image}
                place={index() + 1}
                prompt={props.prompt}
                onEdit={props.onEdit}
              />
            </li>
          )}
        </For>
      </ul>
    </Card>
  );
}

type OneImageProps = Pick<DrawnImagesProps, "prompt" | "onEdit"> & {
  of: DrawnImage;
  place: number;
};

function OneImage(props: OneImageProps): JSX.Element {
  const file = () => (props.of.kind === "file" ? props.of.file : undefined);
  const url = () => (props.of.kind === "address" ? props.of.url : undefined);
  return (
    <Switch>
      <Match when={file()} keyed>
        {(drawn) => (
          <>
            <FileImage file={drawn} alt={`${props.place}: ${props.prompt}`} />
            <div class="flex flex-wrap gap-2">
              <Button size="small" onClick={() => saveBlob(drawn.name, drawn)}>
                Download image {props.place}
              </Button>
              <Show when={props.onEdit}>
                {(edit) => (
                  <Button size="small" onClick={() => edit()(drawn)}>
                    Edit image {props.place}
                  </Button>
                )}
              </Show>
            </div>
          </>
        )}
      </Match>
      <Match when={url()}>
        {(address) => (
          <a href={address()} target="_blank" rel="noopener noreferrer" class="link">
            Open image {props.place}, which its provider keeps for a while
          </a>
        )}
      </Match>
    </Switch>
  );
}

/** The newest preview of what is being drawn. */
export function PreviewImage(props: { of: File }): JSX.Element {
  return (
    <Card title="Preview">
      <FileImage file={props.of} alt="Preview of what is being drawn" />
    </Card>
  );
}

function FileImage(props: { file: File; alt: string }): JSX.Element {
  const address = useObjectUrl(() => props.file);
  return (
    <img
      src={address()}
      alt={props.alt}
      class="max-h-[80dvh] max-w-full rounded-card border border-border"
    />
  );
}
