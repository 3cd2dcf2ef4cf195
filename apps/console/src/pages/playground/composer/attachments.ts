// Images and PDFs attached to a message: which a model accepts, how they are read, and what they become in
// a request. The history of the browser stores only their names; files and shared conversations have them whole.
import type { Answers } from "../../../lib/api.ts";

type Model = Answers["models"]["list"][number];

export type Attachment = {
  readonly name: string;
  /** `image/…` or `application/pdf`. */
  readonly mimeType: string;
  /** Empty after a reload: only the name is stored. */
  readonly dataUrl: string;
};

const images = ["image/png", "image/jpeg", "image/webp", "image/gif"];
const documents = ["application/pdf"];
export const acceptableTypes: readonly string[] = [...images, ...documents];

export const attachmentsMax = 4;
/** Base64 grows a file by a third, and four of them must fit into one request. */
const bytesMax = 3 * 1024 * 1024;

/** For the `accept` attribute of a file field; empty if the model reads only text. */
export function acceptedTypes(model: Model | undefined): readonly string[] {
  const can = model?.capabilities ?? [];
  return [...(can.includes("vision") ? images : []), ...(can.includes("files") ? documents : [])];
}

export type Picked = {
  readonly attached: readonly Attachment[];
  /** Why some were rejected. */
  readonly problem: string | undefined;
};

/** Adds the files that the model accepts to those already attached. */
export async function addFiles(
  attached: readonly Attachment[],
  files: readonly File[],
  model: Model | undefined,
): Promise<Picked> {
  const accepted = acceptedTypes(model);
  const fitting = files.filter(({ type, size }) => accepted.includes(type) && size <= bytesMax);
  const room = attachmentsMax - attached.length;
  const read = await Promise.all(fitting.slice(0, room).map(readFile));
  return {
    attached: [...attached, ...read],
    problem: describeProblem(files, accepted, fitting.length > room),
  };
}

function describeProblem(
  files: readonly File[],
  accepted: readonly string[],
  tooMany: boolean,
): string | undefined {
  const strange = files.find(({ type }) => !accepted.includes(type));
  if (strange) return `This model does not accept ${strange.name}.`;
  const large = files.find(({ size }) => size > bytesMax);
  if (large) return `${large.name} is larger than 3 MB.`;
  return tooMany ? `Attach at most ${attachmentsMax} files.` : undefined;
}

function readFile(file: File): Promise<Attachment> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () =>
      resolve({ name: file.name, mimeType: file.type, dataUrl: String(reader.result) });
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** Content parts of a chat-completions message; files lost by a reload are omitted. */
export function partsOf(attachments: readonly Attachment[]): readonly Record<string, unknown>[] {
  return attachments
    .filter(({ dataUrl }) => dataUrl !== "")
    .map(({ name, mimeType, dataUrl }) =>
      images.includes(mimeType)
        ? { type: "image_url", image_url: { url: dataUrl } }
        : { type: "file", file: { filename: name, file_data: dataUrl } },
    );
}

/** For displayed code: without megabytes of base64. */
export function shorten(attachment: Attachment): Attachment {
  const { mimeType, dataUrl } = attachment;
  return dataUrl === "" ? attachment : { ...attachment, dataUrl: `data:${mimeType};base64,...` };
}

/** For history: only the name. */
export function forget(attachment: Attachment): Attachment {
  return { ...attachment, dataUrl: "" };
}
