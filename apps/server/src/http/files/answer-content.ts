// Answers with what a file contains, so that no browser shows or runs it.
import type { ReadableObject, StoredObject } from "@turnpike/objects";
import { answerHeaders, type CallIds } from "../answers/answer-fault.ts";
import { streamChunks } from "../answers/stream-chunks.ts";

/** Rejects with what is wrong with the contents at their beginning: that does not become an answer that is cut. */
export async function answerContent(
  { method }: Pick<Request, "method">,
  ids: CallIds,
  { object, chunks }: ReadableObject,
): Promise<Response> {
  const first = await chunks.next();
  const headers = { ...answerHeaders(ids), ...contentHeaders(object) };
  if (method !== "HEAD") return new Response(streamChunks(first, chunks), { headers });
  await chunks.return(undefined);
  return new Response(null, { headers });
}

function contentHeaders({ filename, mediaType, size }: StoredObject): Record<string, string> {
  const plain = filename.replace(/[^A-Za-z0-9._ -]/g, "_");
  const disposition = `attachment; filename="${plain}"; filename*=UTF-8''${encodeStrictly(filename)}`;
  return {
    "content-type": mediaType,
    "content-length": String(size),
    "content-disposition": disposition,
    "content-security-policy": "sandbox",
    "x-content-type-options": "nosniff",
    "cache-control": "private, no-store",
  };
}

/** Source: RFC 8187, 3.2.1. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
