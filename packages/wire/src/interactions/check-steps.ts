// What the input of an interaction may look like, after the types of @google/genai: a text, contents, or the steps of a
// conversation. Steps that only Google can have made or can read are refused by name.
import { isObject } from "@turnpike/base";
import { badValue, brokenRule, unsupported, wrongType } from "../checks/body-fault.ts";
import { imageType } from "../checks/check-media.ts";
import {
  anyText,
  boolean,
  isGiven,
  itemPath,
  list,
  object,
  type Rule,
  rule,
  tagged,
  text,
  textOr,
} from "../checks/check-value.ts";
import { publicAddress } from "../gemini/check-contents.ts";

const nonEmptyText = text({ nonEmpty: true });

/** A medium is either in the request or at an address. */
function medium(type: Rule): Rule {
  const fields = object({
    optional: { data: anyText, uri: publicAddress("data"), mime_type: type },
  });
  return rule(fields.bounds, (value, path) => {
    fields(value, path);
    if (!isObject(value)) return;
    const { data, uri, mime_type: stated, resolution } = value;
    if (isGiven(data) === isGiven(uri)) {
      throw brokenRule(path, `'${path}' needs one of 'data' and 'uri'.`);
    }
    if (isGiven(data) && !isGiven(stated)) {
      throw brokenRule(path, `'${path}' needs the 'mime_type' of its 'data'.`);
    }
    if (isGiven(resolution)) {
      throw unsupported(`${path}.resolution`, "How many tokens a medium takes cannot be chosen.");
    }
  });
}

const contentShapes = {
  text: object({ required: { text: anyText } }),
  image: medium(imageType),
  audio: medium(nonEmptyText),
  video: medium(nonEmptyText),
  document: medium(nonEmptyText),
};

/** What is no step, and in a list the input of a user. */
export const contentTypes: ReadonlySet<string> = new Set(Object.keys(contentShapes));

const content = tagged("type", contentShapes);
const contents = textOr(list(content, { of: "objects" }), "objects");

/** Of a result: what it says is a text, contents or any other object. */
const result = rule({ text: {}, ...contents.bounds }, (value, path) => {
  if (!isObject(value)) contents(value, path);
});

const stepShapes = {
  user_input: object({ required: { content: contents } }),
  model_output: object({ optional: { content: contents } }),
  thought: object({
    optional: { signature: anyText, summary: list(content, { of: "objects" }) },
  }),
  function_call: object({
    required: { id: nonEmptyText, name: nonEmptyText },
    optional: { arguments: object({}) },
  }),
  function_result: object({
    required: { call_id: nonEmptyText, result },
    optional: { name: anyText, is_error: boolean },
  }),
};

const item = tagged("type", { ...contentShapes, ...stepShapes });

/** Of tools that Google runs, in Google's own format. */
const googlesStep =
  /^(?:google_search|google_maps|url_context|code_execution|file_search|mcp_server_tool|retrieval|processing|computer_use|tool_search)_(?:call|result)$/;

const knownItem = rule(item.bounds, (value, path) => {
  if (isObject(value) && typeof value.type === "string" && googlesStep.test(value.type)) {
    throw unsupported(
      `${path}.type`,
      "Tools of Google are not run here, so no step of one can be continued. Leave its steps out.",
    );
  }
  item(value, path);
});

const itemsMax = 100_000;
const items = list(knownItem, { min: 1, max: itemsMax, of: "objects" });

/** Source: `InteractionsInput`. */
export const input = rule({ text: { minLength: 1 }, ...items.bounds }, (value, path) => {
  if (typeof value === "string") nonEmptyText(value, path);
  else if (Array.isArray(value)) {
    items(value, path);
    assertAnswered(value, path);
  } else if (isObject(value)) content(value, path);
  else throw wrongType(path, "one of a string, an object or an array of objects", value);
});

/** A step that the model has written. */
const ofModel: readonly unknown[] = ["model_output", "thought", "function_call"];

/** Throws the Fault of a call without a result in the turn behind it, and of a result without a call. */
function assertAnswered(steps: readonly unknown[], path: string): void {
  const open = new Map<unknown, string>();
  let isAnswering = false;
  for (const [index, step] of steps.entries()) {
    if (!isObject(step)) continue;
    const place = itemPath(path, index);
    const isModels = ofModel.includes(step.type);
    if (isModels && isAnswering) assertNoneOpen(open);
    isAnswering = !isModels;
    if (step.type === "function_call") open.set(step.id, place);
    if (step.type !== "function_result" || open.delete(step.call_id)) continue;
    throw badValue(
      `${place}.call_id`,
      "no 'function_call' with this 'id' waits for a result. Send that call, too, or continue the stored interaction that has it.",
    );
  }
  assertNoneOpen(open);
}

function assertNoneOpen(open: ReadonlyMap<unknown, string>): void {
  for (const place of open.values()) {
    throw brokenRule(
      place,
      `'${place}' has no result: each 'function_call' needs a 'function_result' with its 'id' in the next turn.`,
    );
  }
}
