// Calls that name uploaded files instead of sending them. Their contents take the place of the ids before anything else reads the
// call: from there on it is a call that sent them itself, so prices, bounds, digests and caches are those of its contents.
import { Fault, type ObjectId } from "@turnpike/base";
import type { BodySlot, Principal } from "@turnpike/gateway";
import { queryOwner, type ReadableObject, readObjectsById } from "@turnpike/objects";
import {
  type FilePlace,
  fillFilePlaces,
  findFilePlaces,
  type NamedFile,
  whyNotTaken,
} from "@turnpike/wire";
import type { Services } from "../../services.ts";
import { bodyMaxBytes, memoryOfText } from "../requests/read-body.ts";

type FileServices = Pick<Services, "objects" | "readFiles">;
type Slot = Pick<BodySlot, "resize">;

/** `text` itself if it names none. Throws and rejects with the Fault to answer with instead. */
export function fillFiles(
  services: FileServices,
  principal: Principal,
  text: string,
  slot: Slot,
): string | Promise<string> {
  const places = findFilePlaces(text);
  return places === undefined ? text : fillPlaces(services, principal, { text, places, slot });
}

type NamingCall = {
  readonly text: string;
  readonly places: readonly FilePlace[];
  readonly slot: Slot;
};

async function fillPlaces(
  services: FileServices,
  principal: Principal,
  { text, places, slot }: NamingCall,
): Promise<string> {
  const found = await findFiles(services, principal, places);
  reserveFor(text, places, found, slot);
  const files = new Map<ObjectId, NamedFile>();
  for (const [id, readable] of found) files.set(id, await readFile(readable));
  const filled = fillFilePlaces(text, places, files);
  const bytes = Buffer.byteLength(filled);
  if (bytes > bodyMaxBytes) throw tooLarge(places[0]?.param);
  slot.resize(memoryOfText(filled, bytes));
  return filled;
}

/** Each that a place names. */
async function findFiles(
  { objects, readFiles }: FileServices,
  { accountId, keyId }: Principal,
  places: readonly FilePlace[],
): Promise<ReadonlyMap<ObjectId, ReadableObject>> {
  const ids = [...new Set(places.map(({ id }) => id))];
  const found =
    // The playground has no key, and so no project.
    objects === undefined || keyId === null
      ? new Map<ObjectId, ReadableObject>()
      : await readFiles(accountId, async (db) => {
          const owner = await queryOwner(db, accountId, keyId);
          return owner && readObjectsById(db, objects, owner, "file", ids);
        });
  for (const place of places) {
    const file = found?.get(place.id);
    if (file === undefined) throw noFile(place.param);
    const refusal = whyNotTaken(place, file.object);
    if (refusal !== undefined) throw refusal;
  }
  return found ?? new Map();
}

/** Counted before anything is read: one large file may be named many times. */
function reserveFor(
  text: string,
  places: readonly FilePlace[],
  files: ReadonlyMap<ObjectId, ReadableObject>,
  slot: Slot,
): void {
  let bytes = Buffer.byteLength(text);
  const width = memoryOfText(text, bytes) / text.length;
  for (const { id, param } of places) {
    bytes += base64Bytes(files.get(id)?.object.size ?? 0);
    if (bytes > bodyMaxBytes) throw tooLarge(param);
  }
  slot.resize(bytes * width);
}

function base64Bytes(bytes: number): number {
  return 4 * Math.ceil(bytes / 3);
}

async function readFile({ object, chunks }: ReadableObject): Promise<NamedFile> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  const { filename, mediaType } = object;
  return { filename, mediaType, base64: Buffer.concat(parts).toString("base64") };
}

/** For an id of somebody else, of a file that has expired, and for one that never existed. */
export function noFile(param: string): Fault {
  const sentence =
    "No file of the project of this key has this id. GET /v1/files lists those there are.";
  return new Fault("not_found", sentence, { param });
}

function tooLarge(param: string | undefined): Fault {
  const most = bodyMaxBytes / (1024 * 1024);
  const sentence = `The request is larger than ${most} MiB with the files that it names.`;
  return new Fault("request_too_large", sentence, param === undefined ? {} : { param });
}
