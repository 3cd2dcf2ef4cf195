// Reads a request of Gemini's embedContent or batchEmbedContents as the embeddings request that every dialect supports. Its
// model is in its address, and each content is one text.
import { isObject, type JsonObject, parseText } from "@turnpike/base";
import { brokenRule, missing, tooShort, unsupported } from "../checks/body-fault.ts";
import { anyText, integer, isGiven, list, object } from "../checks/check-value.ts";
import {
  type EmbeddingsRequest,
  parseEmbeddingsRequest,
} from "../embeddings/parse-embeddings-request.ts";
import { agentBounds } from "../json/edit-json-object.ts";
import { assertStorableText, parseJsonBody } from "../json/parse-json-body.ts";
import { canonicalEmbedNames } from "./canonical-names.ts";
import { content } from "./check-contents.ts";

export type EmbedTarget = { readonly model: string; readonly isBatch: boolean };

const fields = {
  required: { content },
  optional: {
    taskType: anyText,
    title: anyText,
    outputDimensionality: integer(1, 100_000),
  },
};
const one = object(fields);
/** Google's limit of one batch is a hundred; other providers take more. */
const requests = list(one, { min: 1, max: 2_048, of: "objects" });

/** What all contents of a batch share, because it is asked for at once. */
const shared = ["taskType", "title", "outputDimensionality"];

/** Source: `EmbedContentRequest` of https://ai.google.dev/api/embeddings. Throws Fault. */
export function parseEmbedRequest(raw: string, target: EmbedTarget): EmbeddingsRequest {
  const { parsed } = parseJsonBody(raw, agentBounds);
  assertStorableText(raw, parsed);
  const asked = renameItems(canonicalEmbedNames(parsed));
  const items = itemsOf(asked, target.isBatch);
  const [first] = items;
  const body: JsonObject = { model: target.model, input: items.map(({ text }) => text) };
  for (const name in asked) if (isOurs.has(name)) body[name] = asked[name];
  body.encoding_format = "float";
  const { taskType, title, outputDimensionality } = first?.item ?? {};
  if (typeof outputDimensionality === "number") body.dimensions = outputDimensionality;
  const request = parseEmbeddingsRequest(JSON.stringify(body));
  const task = { taskType: parseText(taskType), title: parseText(title) };
  return {
    ...request,
    ...(hasTask(task) && { task }),
    callerParam: (param) => callerParam(param, items),
  };
}

const isOurs: ReadonlySet<string> = new Set(["provider", "max_cost"]);

function hasTask({ taskType, title }: NonNullable<EmbeddingsRequest["task"]>): boolean {
  const isStated = taskType !== undefined && taskType !== "TASK_TYPE_UNSPECIFIED";
  return isStated || title !== undefined;
}

/** Names of items are renamed with those of the body. */
function renameItems(body: JsonObject): JsonObject {
  if (!Array.isArray(body.requests)) return body;
  const renamed = body.requests.map((item: unknown) =>
    isObject(item) ? canonicalEmbedNames(item) : item,
  );
  return { ...body, requests: renamed };
}

type Item = { readonly item: JsonObject; readonly path: string; readonly text: string };

function itemsOf(body: JsonObject, isBatch: boolean): Item[] {
  if (!isBatch) {
    if (body.content === undefined) throw missing("content");
    content(body.content, "content");
    for (const [name, check] of Object.entries(fields.optional)) {
      if (isGiven(body[name])) check(body[name], name);
    }
    return [{ item: body, path: "content", text: textOf(body.content, "content") }];
  }
  if (body.requests === undefined) throw missing("requests");
  requests(body.requests, "requests");
  const items = Array.isArray(body.requests) ? body.requests.filter(isObject) : [];
  const [first] = items;
  return items.map((item, index) => {
    for (const name of shared) {
      if (item[name] === first?.[name]) continue;
      const place = `requests[${index}].${name}`;
      throw brokenRule(place, `'${place}' differs from that of the first request of the batch.`);
    }
    const path = `requests[${index}].content`;
    return { item, path, text: textOf(item.content, path) };
  });
}

function textOf(value: unknown, path: string): string {
  const parts: readonly unknown[] =
    isObject(value) && Array.isArray(value.parts) ? value.parts : [];
  let text = "";
  for (const [index, part] of parts.entries()) {
    if (!isObject(part)) continue;
    const place = `${path}.parts[${index}]`;
    if (typeof part.text !== "string") throw unsupported(place, "Only texts are embedded.");
    text += part.text;
  }
  if (text === "") throw tooShort(path);
  return text;
}

const itemParam = /^input(?:\[(\d+)\])?$/;

function callerParam(param: string, items: readonly Item[]): string {
  if (param === "dimensions") return "outputDimensionality";
  const found = itemParam.exec(param);
  return found === null ? param : (items[Number(found[1] ?? 0)]?.path ?? param);
}
