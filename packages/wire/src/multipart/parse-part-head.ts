// The headers of one part (RFC 7578): the field it is for, and whether it is a file. A head that two programs could
// read differently is refused.
import { brokenMultipart } from "./multipart-fault.ts";

export type PartHead = {
  /** As sent, with brackets: `image[]`. */
  readonly name: string;
  /** As sent; undefined for a text. */
  readonly filename: string | undefined;
  /** What the client says it is, in lower case without parameters: it proves nothing. */
  readonly type: string | undefined;
};

const decoder = new TextDecoder("utf-8", { fatal: true });
const headerLine = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):(.*)$/;
const parameter = /^[ \t]*;[ \t]*([^\s;=*"]+\*?)=(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/;
/** RFC 5987, which RFC 7578 forbids and some clients send beside `filename`. */
const extendedValue = /^utf-8'[^']*'([^']*)$/i;

/** Throws `malformed_request`. */
export function parsePartHead(block: Uint8Array): PartHead {
  const headers = parseHeaders(block);
  const disposition = headers.get("content-disposition") ?? "";
  if (!/^form-data(?=$|[ \t;])/i.test(disposition)) {
    throw brokenMultipart("a part has no content-disposition of form-data");
  }
  const parameters = parseParameters(disposition);
  const name = parameters.get("name");
  if (name === undefined || name === "") throw brokenMultipart("a part has no name");
  const encoding = headers.get("content-transfer-encoding")?.toLowerCase() ?? "binary";
  if (!["binary", "8bit", "7bit"].includes(encoding)) {
    throw brokenMultipart("a content-transfer-encoding is not supported; it is that", name);
  }
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type?.startsWith("multipart/")) {
    throw brokenMultipart("parts within parts are not supported; they are those", name);
  }
  return { name, filename: parseFilename(parameters), type: type === "" ? undefined : type };
}

/** By name in lower case. */
function parseHeaders(block: Uint8Array): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const line of decodeHead(block).split("\r\n")) {
    if (line === "") continue;
    const [, name, value = ""] = headerLine.exec(line) ?? [];
    if (name === undefined || hasControl(value)) {
      throw brokenMultipart("a part has a header that is not well-formed");
    }
    const key = name.toLowerCase();
    if (headers.has(key)) throw brokenMultipart("a part has the same header twice");
    headers.set(key, value.trim());
  }
  return headers;
}

function decodeHead(block: Uint8Array): string {
  try {
    return decoder.decode(block);
  } catch (cause) {
    if (cause instanceof TypeError) throw brokenMultipart("the headers of a part are not UTF-8");
    throw cause;
  }
}

function hasControl(value: string): boolean {
  return /(?!\t)\p{Cc}/u.test(value);
}

function parseParameters(disposition: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  let rest = disposition.trimEnd().replace(/;$/, "").slice("form-data".length);
  while (rest.trimEnd() !== "") {
    const match = parameter.exec(rest);
    const [, name = "", quoted, plain = ""] = match ?? [];
    const key = name.toLowerCase();
    if (match === null || parameters.has(key)) {
      throw brokenMultipart("the content-disposition of a part is not well-formed");
    }
    parameters.set(key, quoted === undefined ? plain : unquote(quoted));
    rest = rest.slice(match[0].length);
  }
  return parameters;
}

/** Browsers escape by percent, other clients by backslash; backslashes elsewhere are those of a path. */
function unquote(quoted: string): string {
  return quoted
    .replace(/\\(["\\])/g, "$1")
    .replace(/%(22|0D|0A)/gi, (_, code: string) => (code === "22" ? '"' : " "));
}

function parseFilename(parameters: ReadonlyMap<string, string>): string | undefined {
  const [, encoded] = extendedValue.exec(parameters.get("filename*") ?? "") ?? [];
  if (encoded === undefined) return parameters.get("filename");
  try {
    return decodeURIComponent(encoded);
  } catch (cause) {
    if (cause instanceof URIError) return parameters.get("filename") ?? "";
    throw cause;
  }
}
