// Reads the body of a call that sends files: bounded while it arrives, its files kept once, told by what they contain and
// measured before anything is held for them. They are gone when the call has ended.
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { type AccountId, Fault, type JsonObject, overloaded, withDeadline } from "@turnpike/base";
import type { BodySlot } from "@turnpike/gateway";
import {
  type AudioMeter,
  audioFormats,
  imageFormats,
  measureImage,
  mediaFormats,
  requireFormat,
} from "@turnpike/media";
import {
  type FileStore,
  type FilesInJson,
  type FormFile,
  type FormProtocol,
  isMultipart,
  type MultipartForm,
  openSpool,
  type ParsedRequest,
  type Protocol,
  readMultipart,
  type UploadedFile,
  type UploadedForm,
} from "@turnpike/wire";
import { type Bounds, createFairQueue } from "../../fair-queue.ts";
import type { Services } from "../../services.ts";
import { decodeBody, receiveBody } from "./read-body.ts";

/** A form whose files are kept until it is closed; `text` says what it is, by their digests. */
export type ReceivedForm = {
  readonly text: string;
  readonly form: UploadedForm;
  readonly close: () => Promise<void>;
};

/** A form of 25 MB over a slow line. */
const formWaitMs = 300_000;
/** Base64 is a third longer than what it stands for. */
const jsonWithFilesMaxBytes = 40 * 1024 * 1024;

/** Of a call that sends a form, or JSON for an endpoint whose JSON has files too. */
export function formProtocolOf<Parsed extends ParsedRequest>(
  { headers }: Request,
  { form }: Protocol<Parsed>,
): FormProtocol<Parsed> | undefined {
  if (form === undefined) return undefined;
  const takesJson = form.filesInJson !== undefined;
  return takesJson || isMultipart(headers.get("content-type")) ? form : undefined;
}

/** Rejects with the Fault of a body that is too large, is no form, or has a file of another kind than it must. */
export async function readForm(
  { audioMeter: meter, uploadDisk }: Pick<Services, "audioMeter" | "uploadDisk">,
  request: Request,
  slot: BodySlot,
  protocol: FormProtocol,
): Promise<ReceivedForm> {
  const isForm = isMultipart(request.headers.get("content-type"));
  if (!isForm && protocol.filesInJson === undefined) {
    throw new Fault("unsupported_media_type", "Send the body as multipart/form-data.");
  }
  const { accountId } = slot;
  const onDisk = (bytes: number) => uploadDisk.add(accountId, bytes);
  const spool = openSpool({ directory: tmpdir(), onDisk });
  try {
    const received = isForm
      ? await receiveForm(request, slot, protocol, spool)
      : await receiveJson(request, slot, protocol, spool);
    const files: UploadedFile[] = [];
    // One after another: each is work for the processor, which other calls wait for.
    const measuring = { meter, accountId, signal: request.signal };
    for (const file of received.files) files.push(await measureFile(file, protocol, measuring));
    const text = JSON.stringify({ ...received.fields, files: received.files.map(digestOf) });
    return { text, form: { fields: received.fields, files }, close: () => spool.close() };
  } catch (thrown) {
    await spool.close();
    throw thrown;
  }
}

function receiveForm(
  request: Request,
  slot: BodySlot,
  { bounds, media }: FormProtocol,
  store: FileStore,
): Promise<MultipartForm> {
  const { body, headers } = request;
  const declared = Number(headers.get("content-length") ?? 0);
  if (body === null || declared > bounds.maxBytes) throw formTooLarge(bounds);
  const late = new AbortController();
  const reading = readMultipart(body, headers.get("content-type"), {
    ...bounds,
    store,
    checkHead: (param, head) =>
      requireFormat(head, media[param] === "image" ? imageFormats : audioFormats, param),
    onGrowth: (memoryBytes) => slot.resize(memoryBytes),
    signal: late.signal,
  });
  return withDeadline(reading, formWaitMs, () => {
    late.abort();
    throw new Fault("request_timeout", `The form did not arrive within ${formWaitMs / 1_000} s.`, {
      headers: { connection: "close" },
    });
  });
}

/** OpenRouter's form: JSON whose files are in base64. */
async function receiveJson(
  request: Request,
  slot: BodySlot,
  { filesInJson, bounds }: FormProtocol,
  store: FileStore,
): Promise<MultipartForm> {
  const text = decodeBody(await receiveBody(request, jsonWithFilesMaxBytes, slot), slot);
  const { fields, files } = filesInJson?.(text) ?? noFiles;
  const stored: FormFile[] = [];
  for (const { field, filename, base64 } of files) {
    const most = bounds.files[field]?.maxBytes ?? 0;
    const bytes = Buffer.from(base64, "base64");
    if (bytes.byteLength > most) throw tooLarge(most, field);
    const writer = store.openFile();
    await writer.write(bytes);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    stored.push({ field, filename, type: undefined, bytes: await writer.end(), sha256 });
  }
  slot.resize(store.memoryBytes);
  return { fields, files: stored };
}

const noFiles: FilesInJson = { fields: {}, files: [] };

type Measuring = {
  readonly meter: AudioMeter;
  readonly accountId: AccountId;
  readonly signal: AbortSignal;
};

/** Accounts take turns at the meter's threads. */
const measurements = createFairQueue(2);
const turns: Bounds = {
  most: Number.POSITIVE_INFINITY,
  waitMaxMs: 60_000,
  refusal: overloaded("measuring").message,
};

async function measureFile(
  file: FormFile,
  { media }: FormProtocol,
  { meter, accountId, signal }: Measuring,
): Promise<UploadedFile> {
  const { bytes, field: param } = file;
  if (media[param] === "image") {
    const { format, width, height } = await measureImage(bytes, { param, formats: imageFormats });
    const { type, extension } = mediaFormats[format];
    return { ...file, mediaType: type, extension, size: { width, height } };
  }
  const measure = () => meter.measure(bytes, { param, formats: audioFormats, signal });
  const { format, durationMs, holdMs } = await measurements.run(accountId, turns, measure);
  const { extension, ...facts } = mediaFormats[format];
  const mediaType = "audioType" in facts ? facts.audioType : facts.type;
  return { ...file, mediaType, extension, durationMs, holdMs };
}

/** What distinguishes two calls with the same fields. */
function digestOf({ field, bytes, sha256 }: FormFile): JsonObject {
  return { field, bytes: bytes.size, sha256 };
}

/** Where a form has one file, that is what is too large. */
function formTooLarge({ files, maxBytes }: FormProtocol["bounds"]): Fault {
  const [only, ...others] = Object.entries(files);
  if (only === undefined || others.length > 0) return tooLarge(maxBytes);
  const [field, bounds] = only;
  return tooLarge(bounds.maxBytes, field);
}

function tooLarge(maxBytes: number, param?: string): Fault {
  const what = param === undefined ? "The request body" : `The file in '${param}'`;
  return new Fault("request_too_large", `${what} is larger than ${maxBytes / 1_048_576} MiB.`, {
    ...(param !== undefined && { param }),
  });
}
