// The boundary of a multipart/form-data body, from its content type. Only what RFC 2046 allows is one: programs
// that read another boundary in the same header would divide the same body into other parts.
import { Fault } from "@turnpike/base";
import { brokenMultipart } from "./multipart-fault.ts";

const formType = /^multipart\/form-data\s*(?:;|$)/i;
/** RFC 9110: a parameter is a token or a quoted string. */
const parameter = /;\s*([^\s;=]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]*))\s*/gy;
/** RFC 2046, section 5.1.1. */
const validBoundary = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;

/** True for a request that is sent as a form with files. */
export function isMultipart(contentType: string | null): boolean {
  return contentType !== null && formType.test(contentType.trim());
}

/** Throws `unsupported_media_type`, or `malformed_request` without exactly one valid boundary. */
export function parseBoundary(contentType: string | null): string {
  const type = contentType?.trim() ?? "";
  if (!formType.test(type)) {
    throw new Fault("unsupported_media_type", "Send the body as multipart/form-data.");
  }
  const boundaries = parseParameters(type)
    .filter(([name]) => name === "boundary")
    .map(([, value]) => value);
  const [boundary = ""] = boundaries;
  if (boundaries.length !== 1 || !validBoundary.test(boundary)) {
    throw brokenMultipart(
      "its content type has to name one boundary of 1 to 70 characters (RFC 2046)",
    );
  }
  return boundary;
}

/** Names in lower case; empty where the whole is not well-formed. */
function parseParameters(type: string): readonly (readonly [name: string, value: string])[] {
  const start = type.indexOf(";");
  if (start === -1) return [];
  const found: [string, string][] = [];
  parameter.lastIndex = start;
  for (let end = start; end < type.length; end = parameter.lastIndex) {
    const match = parameter.exec(type);
    if (match === null) return [];
    const [, name = "", quoted, plain = ""] = match;
    found.push([name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? plain]);
  }
  return found;
}
