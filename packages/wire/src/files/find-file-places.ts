// Where a request of any language names files that were uploaded here, and the request with their contents there instead. Everything
// that reads the request afterwards finds what a caller could have sent inline, so no upstream ever sees an id of ours. A request
// without one is neither parsed nor changed.
import { type Fault, isObject, type JsonObject, type ObjectId, parseFileId } from "@turnpike/base";
import { badValue, brokenRule, unsupported } from "../checks/body-fault.ts";
import { agentBounds } from "../json/edit-json-object.ts";
import { parseJsonBody } from "../json/parse-json-body.ts";
import { type JsonPlace, replaceInside } from "../json/replace-inside.ts";
import {
  type NamedFile,
  type NamingPart,
  readNamingImage,
  readNamingPart,
} from "./naming-parts.ts";
import type { FilePurpose } from "./parse-file-fields.ts";

/** Bounds the work of looking them up. */
const placesMax = 100;

/** Of files that models are to read. */
const readPurposes: ReadonlySet<string> = new Set<FilePurpose>(["user_data", "vision"]);

const anyFileId = /file-[0-9a-f]{32}/;

export type FilePlace = Omit<NamingPart, "param" | "besides"> & {
  /** Of the part that names the file, and is replaced. */
  readonly place: JsonPlace;
  /** Of the id. */
  readonly param: string;
};

/** Undefined if it names none. Throws the Fault of a body that is not JSON, or names a file where none can be named. */
export function findFilePlaces(raw: string): readonly FilePlace[] | undefined {
  if (!mayNameFiles(raw)) return undefined;
  const { parsed } = parseJsonBody(raw, agentBounds);
  const places: FilePlace[] = [];
  const add = (place: FilePlace) => {
    if (places.length === placesMax) {
      throw badValue(place.param, `a request can name ${placesMax} files at most.`);
    }
    places.push(place);
  };
  assertNotNamed(parsed, "");
  for (const key of rootKeys) visit(parsed[key], { place: [key], path: key }, readNamingPart, add);
  for (const key of imageKeys)
    visit(parsed[key], { place: [key], path: key }, readNamingImage, add);
  return places.length === 0 ? undefined : places;
}

function mayNameFiles(raw: string): boolean {
  return raw.includes("file-") && anyFileId.test(raw);
}

/** The request with the contents of the files; `files` has each that a place names. */
export function fillFilePlaces(
  raw: string,
  places: readonly FilePlace[],
  files: ReadonlyMap<ObjectId, NamedFile>,
): string {
  const replacements = places.flatMap(({ place, id, write }) => {
    const file = files.get(id);
    return file === undefined ? [] : [{ place, json: JSON.stringify(write(file)) }];
  });
  return replaceInside(raw, replacements);
}

/** Members of a request that have parts, or messages and items with parts. */
const rootKeys = [
  "system",
  "messages",
  "input",
  "contents",
  "systemInstruction",
  "system_instruction",
  "generateContentRequest",
  "generate_content_request",
];
/** Of a request for images. */
const imageKeys = ["images", "image", "input_references", "mask"];
/** Members of those that have parts. The others are the caller's own data, or texts. */
const innerKeys = [
  "content",
  "contents",
  "parts",
  "source",
  "output",
  "systemInstruction",
  "system_instruction",
  "functionResponse",
  "function_response",
];

type Visited = { readonly place: JsonPlace; readonly path: string };

function visit(
  value: unknown,
  { place, path }: Visited,
  read: typeof readNamingPart,
  add: (place: FilePlace) => void,
): void {
  if (Array.isArray(value)) {
    value.forEach((item: unknown, index) => {
      visit(item, { place: [...place, index], path: `${path}[${index}]` }, read, add);
    });
    return;
  }
  if (!isObject(value)) return;
  const naming = read(value);
  if (naming !== undefined) {
    const { param, besides, ...rest } = naming;
    if (besides !== undefined) throw sentTwice(path, param, besides);
    add({ ...rest, place, param: `${path}.${param}` });
    return;
  }
  assertNotNamed(value, path);
  const visitInner = (key: string) =>
    visit(value[key], { place: [...place, key], path: `${path}.${key}` }, read, add);
  for (const key of innerKeys) visitInner(key);
  // Of an interaction: what is no list is the caller's own object.
  if (Array.isArray(value.result)) visitInner("result");
}

/** It could reach an upstream that takes fields we do not know. */
function assertNotNamed(value: JsonObject, path: string): void {
  const { file_id: id } = value;
  if (typeof id !== "string" || parseFileId(id) === undefined) return;
  const param = path === "" ? "file_id" : `${path}.file_id`;
  throw unsupported(param, "A file cannot be named here.");
}

function sentTwice(path: string, param: string, besides: string): Fault {
  const sentence = `'${path}' names a file in '${param}' and has '${besides}'. Send one of them.`;
  return brokenRule(path, sentence);
}

/** A file that is kept for something else, or contains something else than its place takes. */
export function whyNotTaken(
  { param, takes, taken }: FilePlace,
  { purpose, mediaType }: { readonly purpose: string; readonly mediaType: string },
): Fault | undefined {
  if (!readPurposes.has(purpose)) {
    const sentence = `the file has the purpose '${purpose}'. Upload it for 'user_data' or 'vision'.`;
    return badValue(param, sentence);
  }
  if (takes(mediaType)) return undefined;
  return badValue(param, `the file contains ${mediaType}, but here it must be ${taken}.`);
}
