// One line of the file of a batch: a name, and a request to the endpoint of the batch. What is wrong with it is said in OpenAI's words,
// and never repeats what the line says.
import { isNestedDeeper, isObject, jsonDepthMax, parseObject } from "@turnpike/base";
import type { BatchError } from "@turnpike/db";

export type LineRequest = {
  readonly customId: string;
  /** The body of the call. */
  readonly body: string;
};

export type LineProblem = Omit<BatchError, "line">;

const customIdMaxChars = 512;

/** `text` is undefined for a line that cannot be read. */
export function parseLine(text: string | undefined, endpoint: string): LineRequest | LineProblem {
  if (text === undefined) {
    return problem("invalid_json_line", "This line is not UTF-8, or it is larger than 20 MiB.");
  }
  if (isNestedDeeper(text, jsonDepthMax + 1)) {
    return problem("invalid_json_line", "The JSON of this line is nested too deep.");
  }
  const line = parseObject(text);
  if (line === undefined) {
    return problem("invalid_json_line", "This line is not parseable as valid JSON object.");
  }
  const { custom_id: customId, method, url, body } = line;
  if (customId === undefined) return missing("custom_id");
  if (typeof customId !== "string" || customId === "" || customId.length > customIdMaxChars) {
    return problem(
      "invalid_custom_id",
      `The 'custom_id' must be a text of 1 to ${customIdMaxChars} characters.`,
      "custom_id",
    );
  }
  if (method === undefined) return missing("method");
  if (method !== "POST") return problem("invalid_method", "The 'method' must be POST.", "method");
  if (url === undefined) return missing("url");
  if (url !== endpoint) {
    return problem(
      "invalid_url",
      `The 'url' must be the endpoint of the batch: ${endpoint}.`,
      "url",
    );
  }
  if (body === undefined) return missing("body");
  if (!isObject(body)) return problem("invalid_type", "The 'body' must be an object.", "body");
  if (body.stream === true) {
    return problem("unsupported_parameter", "Nothing is streamed in a batch.", "body.stream");
  }
  return { customId, body: JSON.stringify(body) };
}

function missing(param: string): LineProblem {
  return problem("missing_required_parameter", `Missing required parameter: '${param}'.`, param);
}

function problem(code: string, message: string, param: string | null = null): LineProblem {
  return { code, message, param };
}
