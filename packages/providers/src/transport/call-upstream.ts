// The only `fetch` of the house: one call to one upstream, without redirects, compression or
// headers of the caller, every wait bounded. Whatever happens, the caller gets an answer or a Fault,
// and the connection is let go.

import { Fault } from "@turnpike/base";
import { ask } from "../dialects/openai/ask.ts";
import {
  isErrorBody,
  readUnread,
  readWhole,
  refusedInside,
} from "../dialects/openai/read-whole.ts";
import { parseObject } from "../json-object.ts";
import type {
  Provider,
  UnreadAnswer,
  UpstreamAnswer,
  UpstreamCall,
  UpstreamClient,
  UpstreamLimits,
  WholeAnswer,
} from "../provider.ts";
import { refuse } from "../refusals/refuse.ts";
import { whyBaseUrlRefused } from "./check-base-url.ts";
import { readBody, readShortBody } from "./read-body.ts";
import { readStream } from "./read-stream.ts";
import { MemberScan } from "./scan-members.ts";
import { UpstreamLine } from "./upstream-line.ts";

/** A body up to this size is read in one piece. */
const shortBodyBytes = 64 * 1024;
/** Enough of a refusal to understand it. */
const maxErrorBytes = 64 * 1024;

export type CallOptions = {
  /** Its abort ends the call at once. */
  readonly endSignal: AbortSignal;
  readonly client: UpstreamClient;
  /** Called when the upstream answers 200, before its body is read. */
  readonly onAccepted?: () => void;
  readonly limits: UpstreamLimits;
  readonly allowPrivate: boolean;
};

/**
 * Sends the call and resolves with the whole answer, or with a stream once its first token (or its
 * end) is there, so that every earlier refusal still has an HTTP status. Rejects with a Fault only:
 * upstream_timeout, client_closed_request, bad_gateway, or what `refuse` makes of the answer.
 */
export async function callUpstream(
  call: UpstreamCall,
  options: CallOptions,
): Promise<UpstreamAnswer> {
  const refused = whyRefused(call.provider, options);
  if (refused !== undefined) {
    const cause = new Error(`provider ${call.provider.id}: its base URL ${refused}`);
    throw new Fault("bad_gateway", "The upstream provider is not configured properly.", { cause });
  }
  const line = new UpstreamLine(options);
  try {
    const response = await send(call, line);
    options.onAccepted?.();
    if (call.chat.stream && response.body && !isJson(response)) {
      return await readStream(call, response.body, line, options.limits);
    }
    const answer = await receiveWhole(call, response, line, options.limits);
    line.close();
    return answer;
  } catch (thrown) {
    line.cut();
    throw line.explain(thrown);
  }
}

/** Providers whose base URL has been accepted; the value is `allowPrivate` then. */
const accepted = new WeakMap<Provider, boolean>();

function whyRefused(provider: Provider, options: CallOptions): string | undefined {
  if (accepted.get(provider) === options.allowPrivate) return undefined;
  const refused = whyBaseUrlRefused(provider.baseUrl, options);
  if (refused === undefined) accepted.set(provider, options.allowPrivate);
  return refused;
}

/** A 200 whose body may be read; everything else is thrown. Our headers never come from a caller. */
async function send(call: UpstreamCall, line: UpstreamLine): Promise<Response> {
  const { url, headers, body } = ask(call);
  const response = await fetch(url, {
    method: "POST",
    headers,
    body,
    redirect: "error",
    decompress: false,
    // Bun's own idle timer would end a thinking model; the line's deadlines decide instead.
    timeout: false,
    signal: line.signal,
  });
  const encoding = response.headers.get("content-encoding");
  if (encoding !== null && encoding.trim().toLowerCase() !== "identity") {
    throw new Fault("bad_gateway", "The upstream provider sent a compressed answer.");
  }
  if (response.status === 200) return response;
  const { text } = await readBody(response.body, maxErrorBytes, line);
  throw refuse(call.provider, response.status, text, response.headers);
}

/** Announced as short enough to be kept, whoever reads it. */
function isShort(response: Response, { maxBodyBytes }: UpstreamLimits): boolean {
  const declared = response.headers.get("content-length");
  return declared !== null && Number(declared) <= Math.min(shortBodyBytes, maxBodyBytes);
}

function isJson(response: Response): boolean {
  return /^application\/json\b/i.test(response.headers.get("content-type") ?? "");
}

/** A body that comes as one JSON: the answer, or an error in place of a stream. */
async function receiveWhole(
  call: UpstreamCall,
  response: Response,
  line: UpstreamLine,
  limits: UpstreamLimits,
): Promise<WholeAnswer | UnreadAnswer> {
  const scan = new MemberScan();
  const read = isShort(response, limits)
    ? await readShortBody(response, line, scan)
    : await readBody(response.body, limits.maxBodyBytes, line, scan);
  if (!read.complete) {
    throw new Fault("bad_gateway", "The upstream provider's answer is too large.");
  }
  if (read.scanned) return readUnread(call, scan.members);
  const { text } = read;
  if (!call.chat.stream) return readWhole(call, text);
  const source = parseObject(text);
  if (source && isErrorBody(source)) throw refusedInside(source, call.provider);
  throw new Fault("bad_gateway", "The upstream provider did not stream its answer.");
}
