// Asks for images, new ones or edits, whole or with previews as they are drawn. Every way it can end has a name; nothing is
// thrown.
import {
  asList,
  asRecord,
  type ChunkError,
  parseError,
} from "../../../product/completions/parse-chunk.ts";
import { readEvents } from "../../../product/completions/read-events.ts";
import { costOfUsage } from "../media/cost-of-usage.ts";
import { lost, type MediaAnswer, type MediaFailure, postMedia } from "../media/post-media.ts";

/** What is left out is up to the model. */
export type ImageFields = {
  readonly model: string;
  readonly prompt: string;
  readonly size?: string;
  readonly quality?: string;
  readonly n: number;
  readonly stream?: true;
  readonly partial_images?: number;
};

export type ImageRequest = {
  readonly fields: ImageFields;
  /** To edit; none for new images. */
  readonly inputs: readonly File[];
  readonly mask: File | undefined;
};

/** In the answer itself, or kept by its provider for a while. */
export type DrawnImage =
  | { readonly kind: "file"; readonly file: File }
  | { readonly kind: "address"; readonly url: string };

export type Drawn = {
  readonly kind: "drawn";
  readonly images: readonly DrawnImage[];
  readonly costUsd: string | undefined;
  readonly generationId: string | undefined;
};

export type Drawing = {
  readonly signal: AbortSignal;
  readonly onPreview: (preview: File) => void;
};

export async function drawImages(
  { fields, inputs, mask }: ImageRequest,
  { signal, onPreview }: Drawing,
): Promise<Drawn | MediaFailure> {
  const isEdit = inputs.length > 0;
  const path = isEdit ? "images/edits" : "images";
  const answer = await postMedia(path, isEdit ? formOf(fields, inputs, mask) : fields, signal);
  if (answer.kind === "failed") return answer;
  try {
    return await readAnswer(answer, onPreview);
  } catch {
    return lost(answer.requestId);
  }
}

function formOf(fields: ImageFields, inputs: readonly File[], mask: File | undefined): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  for (const input of inputs) form.append("image[]", input);
  if (mask !== undefined) form.append("mask", mask);
  return form;
}

/** For the estimate: as many images, without what they show. */
export function estimateBody({ fields, inputs, mask }: ImageRequest): object {
  return {
    ...fields,
    ...(inputs.length > 0 && { images: inputs.map(() => unseen) }),
    ...(mask !== undefined && { mask: unseen }),
  };
}

const unseen = "data:image/png;base64,AA==";

async function readAnswer(
  { response, requestId, generationId }: MediaAnswer,
  onPreview: Drawing["onPreview"],
): Promise<Drawn | MediaFailure> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  if (!isStream || response.body === null) {
    const { data, usage } = asRecord(await response.json());
    const images = asList(data).flatMap((one, index) => imageOf(asRecord(one), index + 1));
    return { kind: "drawn", images, costUsd: costOfUsage(usage), generationId };
  }
  const images: DrawnImage[] = [];
  let costUsd: string | undefined;
  for await (const payload of readEvents(response.body)) {
    const event = asRecord(JSON.parse(payload));
    const type = String(event.type);
    if (event.error !== undefined) return failure(parseError(event.error), requestId);
    if (type.endsWith(".completed")) images.push(...imageOf(event, images.length + 1));
    else if (type.endsWith(".partial_image")) {
      const [preview] = imageOf(event, 1);
      if (preview?.kind === "file") onPreview(preview.file);
    }
    costUsd = costOfUsage(event.usage) ?? costUsd;
  }
  // A stream that was cut off has no images, and costs nothing.
  return images.length === 0 ? lost(requestId) : { kind: "drawn", images, costUsd, generationId };
}

function failure(error: ChunkError, requestId: string | undefined): MediaFailure {
  return { kind: "failed", failure: { ...error, status: 200, requestId } };
}

function imageOf(
  { b64_json: base64, url }: Record<string, unknown>,
  place: number,
): readonly DrawnImage[] {
  if (typeof base64 === "string") return [{ kind: "file", file: fileOf(base64, place) }];
  if (typeof url === "string" && url.startsWith("https://")) return [{ kind: "address", url }];
  return [];
}

function fileOf(base64: string, place: number): File {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const type = typeOf(base64);
  return new File([bytes], `image-${place}.${type}`, { type: `image/${type}` });
}

/** By how the bytes of each format begin. */
function typeOf(base64: string): "png" | "jpeg" | "webp" {
  if (base64.startsWith("/9j/")) return "jpeg";
  return base64.startsWith("UklGR") ? "webp" : "png";
}
