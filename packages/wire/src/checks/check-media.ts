// Where the images and files of a request may come from, for every protocol: its own text, or an address
// that anyone could read. An image must be an image, and no video is accepted as a file.
import { isObject, isPrivateHost } from "@turnpike/base";
import { badValue, unsupported } from "./body-fault.ts";
import { anyText, rule } from "./check-value.ts";
import { headOfAddress, kindOfFile, kindOfType, mediaTypeOf } from "./media-type.ts";

const notBase64 = /[^a-z0-9+/=]/i;
/** Private hosts that could be base64, but hardly ever are. */
const bareHost = /^\/\/(?:localhost|0x[0-9a-f]+|\d{8,})(?:\/|$)/i;

/**
 * `gs:`, `s3:` or `file:` would be read with the rights of the operator, or on the upstream's machine, and a private
 * address in the network of an upstream that the operator runs.
 */
export const mediaAddress = rule({ text: {} }, (value, path) => {
  anyText(value, path);
  if (typeof value !== "string") return;
  const head = headOfAddress(value);
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(head)?.[1]?.toLowerCase();
  if (scheme === undefined && isWithoutScheme(head)) return assertPublic(`http:${head}`, path);
  if (scheme === undefined || scheme === "data") return;
  if (scheme === "http" || scheme === "https") return assertPublic(value, path);
  throw badValue(
    path,
    `addresses that begin with '${scheme.slice(0, 32)}:' are not supported. Send the content as a data URI, or its http(s) address.`,
  );
});

/** Whether it is a host without a scheme (`//host/path`). The base64 of MP3 files and UTF-16 begins with `//`, too. */
function isWithoutScheme(head: string): boolean {
  return /^[/\\]{2}/.test(head) && (notBase64.test(head) || bareHost.test(head));
}

/** The host with what precedes it, as far as all URL parsers agree on it. */
const plainAuthority = /^https?:[\\/]*[^/?#@\\]*(?:@[^/?#@\\]*)?/i;

/**
 * Whether URL parsers find the same host. That of `http://public.example\@127.0.0.1/` is the first for some and the
 * second for others.
 */
function isUnambiguous(address: string): boolean {
  const head = headOfAddress(address);
  const [authority = ""] = plainAuthority.exec(head) ?? [];
  const next = head[authority.length];
  return next === undefined ? head === address.trim() : /[/?#]/.test(next);
}

function assertPublic(address: string, path: string): void {
  const host = URL.parse(address)?.hostname;
  if (host === undefined || !isUnambiguous(address)) {
    throw badValue(path, "it is not a valid address. Write it as 'https://host/path'.");
  }
  if (!isPrivateHost(host)) return;
  throw badValue(
    path,
    `'${host.slice(0, 100)}' is an address of a private network. Send the content as a data URI, or a public address.`,
  );
}

/** The media type of an image. OpenAI refuses all others too (`invalid_image_format`). */
export const imageType = rule({ text: {} }, (value, path) => {
  anyText(value, path);
  const type = String(value).trim().toLowerCase();
  if (kindOfType(type) === "image") return;
  throw badValue(
    path,
    `an image must have a media type that begins with 'image/', but got '${type.slice(0, 100)}' instead.`,
  );
});

export const imageAddress = rule({ text: {} }, (value, path) => {
  mediaAddress(value, path);
  if (typeof value !== "string" || !/^data:/i.test(headOfAddress(value))) return;
  imageType(mediaTypeOf(value), path);
});

/** For an object with `file_data`, `file_url` and `filename`: video is priced by its seconds. */
export const noVideo = rule({}, (value, path) => {
  if (!isObject(value) || kindOfFile(value) !== "video") return;
  throw unsupported(path, "Videos are not accepted. Send images, documents or audio.");
});
