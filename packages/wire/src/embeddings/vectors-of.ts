// The vectors of a whole answer to an embeddings request, for protocols whose list of them differs from OpenAI's, which every dialect
// writes.
import { isObject } from "@turnpike/base";
import type { AnswerContent } from "../protocol/pivot.ts";

export function vectorsOf(content: AnswerContent): unknown[] {
  if (content.kind !== "body") throw new Error("an answer of deltas to an embeddings request");
  const { data: copied } = content.copied ?? {};
  const list: unknown = copied === undefined ? content.body.data : JSON.parse(copied);
  return Array.isArray(list) ? list.filter(isObject).map(({ embedding }) => embedding) : [];
}
