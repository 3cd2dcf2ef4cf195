// How the scripted upstream answers `/v1/images/edits`, as a form or as JSON: like a generation, with the images it was given
// counted in its usage.
import { imageCall, tokenImageChecks } from "./answer-images.ts";
import type { OperationCall, ParseOperation } from "./operation-call.ts";
import { fieldsOf } from "./parse-chat-body.ts";
import { type FormFile, readForm, typed } from "./read-form.ts";
import {
  badValue,
  type Check,
  checkFields,
  isList,
  isOneOf,
  Refusal,
  wrongType,
} from "./refuse-request.ts";

const imagesMax = 16;
const imageMaxBytes = 50 * 1024 * 1024;
const maskMaxBytes = 4 * 1024 * 1024;

const { moderation: _, ...formChecks } = tokenImageChecks;
const editChecks = { ...formChecks, input_fidelity: isOneOf("high", "low") };

const reference: Check = (value, param) => {
  const { image_url: url, file_id: id } = fieldsOf(value);
  if (id !== undefined)
    throw new Refusal(`No such file: '${String(id)}'.`, "image_file_not_found", param);
  if (typeof url !== "string") throw wrongType(param, "an object with `image_url`");
  if (/^https:\/\//.test(url)) return;
  if (!/^data:image\/(?:png|jpeg|webp);base64,/.test(url)) throw badValue(param, "not an image.");
};
const jsonChecks = {
  ...editChecks,
  moderation: tokenImageChecks.moderation,
  images: isList(reference, { max: imagesMax }),
  mask: reference,
};

export const parseImageEdit: ParseOperation = (request) =>
  request.contentType.toLowerCase().startsWith("application/json")
    ? parseJsonEdit(request.body, request.origin)
    : parseFormEdit(request.body, request.contentType, request.origin);

function parseJsonEdit(body: Buffer, origin: string): OperationCall {
  const parsed: unknown = JSON.parse(body.toString());
  const fields = fieldsOf(parsed);
  checkFields(fields, jsonChecks, ["model", "prompt", "images"]);
  const images: readonly unknown[] = Array.isArray(fields.images) ? fields.images : [];
  const inputs = images.flatMap((image) => {
    const [, data] = String(fieldsOf(image).image_url).split(";base64,");
    return data === undefined ? [] : [sizeOf(Buffer.from(data, "base64"), "images")];
  });
  return imageCall(parsed, { fields, isPiece: false, origin, inputs, event: "image_edit" });
}

async function parseFormEdit(body: Buffer, type: string, origin: string): Promise<OperationCall> {
  const form = await readForm(body, type);
  const numbers = ["n", "output_compression", "partial_images"];
  const fields = typed(form.fields, numbers, ["stream"]);
  checkFields(fields, editChecks, ["model", "prompt"]);
  const { image: images = [], mask = [], ...others } = form.files;
  const [unknown] = Object.keys(others);
  if (unknown) throw new Refusal(`Unknown parameter: '${unknown}'.`, "unknown_parameter", unknown);
  if (images.length === 0) {
    throw new Refusal(
      "Missing required parameter: 'image'.",
      "missing_required_parameter",
      "image",
    );
  }
  if (images.length > imagesMax) {
    throw new Refusal("Invalid 'image': array too long.", "array_above_max_length", "image");
  }
  for (const file of images) assertImage(file, "image", imageMaxBytes);
  for (const file of mask) {
    assertImage(file, "mask", maskMaxBytes);
    if (file.type !== "image/png") throw badValue("mask", "a mask is a PNG.");
  }
  const inputs = images.map((file) => sizeOf(file.bytes, "image"));
  const parsed = {
    ...fields,
    image: images.map(({ filename, type, bytes }) => ({ filename, type, size: bytes.length })),
  };
  return imageCall(parsed, { fields, isPiece: false, origin, inputs, event: "image_edit" });
}

const extensions: Readonly<Record<string, readonly string[]>> = {
  "image/png": ["png"],
  "image/jpeg": ["jpg", "jpeg"],
  "image/webp": ["webp"],
};

/** The name, the type and the content have to agree. */
function assertImage({ filename, type, bytes }: FormFile, param: string, maxBytes: number): void {
  const names = Object.hasOwn(extensions, type) ? extensions[type] : undefined;
  const extension = /\.([a-z]+)$/.exec(filename)?.[1] ?? "";
  if (!names?.includes(extension)) {
    const sentence = `Invalid file '${param}': unsupported mimetype ('${type}') of '${filename}'. Supported file formats are 'image/jpeg', 'image/png', and 'image/webp'.`;
    throw new Refusal(sentence, "unsupported_file_mimetype", param);
  }
  if (bytes.length > maxBytes) {
    throw new Refusal(`Invalid '${param}': file too large.`, "image_file_too_large", param, 413);
  }
  if (typeOf(bytes) !== type)
    throw new Refusal(`Invalid '${param}'.`, "invalid_image_format", param);
}

function typeOf(bytes: Buffer): string | undefined {
  if (bytes.toString("latin1", 1, 4) === "PNG") return "image/png";
  if (bytes.toString("hex", 0, 3) === "ffd8ff") return "image/jpeg";
  return bytes.toString("latin1", 8, 12) === "WEBP" ? "image/webp" : undefined;
}

/** Of the simplest forms of each format. */
function sizeOf(bytes: Buffer, param: string): { readonly width: number; readonly height: number } {
  const type = typeOf(bytes);
  if (type === "image/png" && bytes.length >= 24) {
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (type === "image/webp" && bytes.toString("latin1", 12, 16) === "VP8L") {
    const bits = bytes.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  for (
    let at = 2;
    type === "image/jpeg" && at + 9 <= bytes.length;
    at += 2 + bytes.readUInt16BE(at + 2)
  ) {
    const marker = bytes.readUInt16BE(at);
    if (marker < 0xffc0 || marker > 0xffc2) continue;
    return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
  }
  throw new Refusal(`Invalid '${param}': the image could not be read.`, "image_parse_error", param);
}
