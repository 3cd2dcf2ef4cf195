// One call to one upstream, without the caller's headers and with every wait bounded. In any case the
// caller gets an answer or a Fault, and the connection is released.

import { Fault } from "@turnpike/base";
import type { ParsedRequest } from "@turnpike/wire";
import { authorizeRequest, forgetToken } from "../credentials/authorize-request.ts";
import { type ActiveCredential, addCredential, isActive } from "../credentials/credential.ts";
import { dialectOf } from "../dialects/dialect-of.ts";
import type {
  AttemptLog,
  Dialect,
  DialectRequest,
  Provider,
  UpstreamAnswer,
  UpstreamCall,
} from "../provider.ts";
import type { UpstreamLimits } from "../upstream-limits.ts";
import { whyBaseUrlRefused } from "./check-base-url.ts";
import { AnswerForms, isJsonType, parseAnswer } from "./convert-answer.ts";
import { post } from "./post.ts";
import { countDeclared, readBody, readShort, readShortBody } from "./read-body.ts";
import { readStream } from "./read-stream.ts";
import { MemberScan } from "./scan-members.ts";
import { type ConnectionOptions, UpstreamConnection } from "./upstream-connection.ts";

/** A body up to this size is read in one piece. */
const shortBodyBytes = 64 * 1024;
/** Enough of a refusal to understand it. */
const maxErrorBytes = 64 * 1024;

/** One attempt at a call: what is sent where, how long it may take, and who follows it. */
export type UpstreamAttempt<Request extends ParsedRequest = ParsedRequest> = UpstreamCall<Request> &
  ConnectionOptions & {
    readonly log: AttemptLog;
    readonly allowPrivate: boolean;
    /** Sent to the upstream, for a call that is traced. */
    readonly traceparent?: string | undefined;
  };

/**
 * Sends the call and resolves with the whole answer, or with a stream once its first token (or its
 * end) has arrived, so that every earlier refusal still has an HTTP status. Rejects only with a Fault:
 * upstream_timeout, client_closed_request, bad_gateway, or what the dialect makes of a refusal.
 */
export function callUpstream(attempt: UpstreamAttempt): Promise<UpstreamAnswer> {
  return callDialect(dialectOf(attempt), attempt);
}

async function callDialect<Request extends ParsedRequest>(
  dialect: Dialect<Request>,
  attempt: UpstreamAttempt<Request>,
): Promise<UpstreamAnswer> {
  const { log } = attempt;
  const connection = new UpstreamConnection(attempt, attempt.provider.baseUrl);
  try {
    requireSafeAddresses(attempt);
    const dialectRequest = dialect.buildRequest(attempt);
    let response = await exchange(dialectRequest, attempt, connection);
    if (!isAccepted(response)) {
      response = await sendInstead(dialect, attempt, connection, { dialectRequest, response });
    }
    connection.answered();
    log.accepted();
    if (attempt.request.stream && response.body) {
      // One JSON costs what its usage says, whether it is read or not.
      const isJson = isJsonType(response.headers);
      if (!isJson) connection.streamBegins();
      const forms = new AnswerForms(dialect, attempt, response.headers);
      const stream = await readStream(forms, response.body, connection, attempt);
      log.answered(stream);
      return stream;
    }
    // An answer announced as short is read in one piece, which costs far less.
    const read = isShort(response, attempt.limits)
      ? readShort(await readShortBody(response, connection), connection)
      : await readBody(
          response.body,
          attempt.limits.maxBodyBytes,
          connection,
          new MemberScan(),
          countDeclared(response, attempt.client, attempt.limits),
        );
    const answer = parseAnswer(dialect, attempt, response.headers, read);
    connection.close();
    log.answered(answer);
    return answer;
  } catch (thrown) {
    connection.abort();
    const fault = connection.explain(thrown);
    log.failed(fault);
    throw fault;
  }
}

function requireSafeAddresses(attempt: UpstreamAttempt): void {
  const refused = whyRefused(attempt.provider, attempt);
  if (refused === undefined) return;
  const cause = new Error(`provider ${attempt.provider.id}: its ${refused}`);
  throw new Fault("bad_gateway", "The upstream provider is not configured properly.", { cause });
}

/** Providers whose base URL has been accepted; the value is `allowPrivate` then. */
const accepted = new WeakMap<Provider, boolean>();

/** Which of a provider's addresses may not be called, and why; undefined if all may. */
function whyRefused(
  provider: Provider,
  options: Pick<UpstreamAttempt, "allowPrivate">,
): string | undefined {
  if (accepted.get(provider) === options.allowPrivate) return undefined;
  const { baseUrl, credential } = provider;
  const base = whyBaseUrlRefused(baseUrl, options);
  if (base !== undefined) return `base URL ${base}`;
  const token =
    "tokenUrl" in credential ? whyBaseUrlRefused(credential.tokenUrl, options) : undefined;
  if (token !== undefined) return `token URL ${token}`;
  accepted.set(provider, options.allowPrivate);
  return undefined;
}

type Accept = DialectRequest["accept"];

/** What is the same for every call of a provider; a reload of the catalog creates new providers. */
const headersByProvider = new WeakMap<Provider, Record<Accept, Headers>>();

function headersOf(provider: Provider, accept: Accept): Headers {
  let headers = headersByProvider.get(provider);
  if (headers === undefined) {
    headers = {
      "application/json": buildHeaders(provider, "application/json"),
      "text/event-stream": buildHeaders(provider, "text/event-stream"),
      "*/*": buildHeaders(provider, "*/*"),
    };
    headersByProvider.set(provider, headers);
  }
  return headers[accept];
}

function withHeaders(base: Headers, own: DialectRequest["headers"]): Headers {
  if (own === undefined) return base;
  const headers = new Headers(base);
  for (const name in own) headers.set(name, own[name] ?? "");
  return headers;
}

function buildHeaders({ credential }: Provider, accept: Accept): Headers {
  const headers = new Headers({
    "content-type": "application/json",
    accept,
    "accept-encoding": "identity",
    "user-agent": "Turnpike/0.1",
  });
  addCredential(headers, credential);
  return headers;
}

/**
 * The answer to a request whose headers never come from a caller, whatever its status; an active
 * credential authorizes each request individually.
 */
function exchange(
  dialectRequest: DialectRequest,
  attempt: UpstreamAttempt,
  connection: UpstreamConnection,
): Promise<Response> {
  const { credential } = attempt.provider;
  const own = withHeaders(
    headersOf(attempt.provider, dialectRequest.accept),
    dialectRequest.headers,
  );
  const { traceparent } = attempt;
  const headers = traceparent === undefined ? own : withHeaders(own, { traceparent });
  return isActive(credential)
    ? exchangeAuthorized(credential, dialectRequest, headers, attempt, connection)
    : send(dialectRequest, headers, attempt, connection);
}

function send(
  { path, body, upload, ignored }: DialectRequest,
  headers: Headers,
  { provider, freshConnection = false, log }: UpstreamAttempt,
  { signal }: UpstreamConnection,
): Promise<Response> {
  signal.throwIfAborted();
  log.sent(ignored);
  const url = provider.baseUrl + path;
  if (upload === undefined) return post(url, headers, body, signal, freshConnection);
  const own = {
    "content-type": upload.contentType,
    "content-length": String(upload.contentLength),
  };
  return post(url, withHeaders(headers, own), upload.stream(), signal, freshConnection);
}

/** A token may be revoked before it expires. The provider has not run what it refused. */
async function exchangeAuthorized(
  credential: ActiveCredential,
  dialectRequest: DialectRequest,
  headers: Headers,
  attempt: UpstreamAttempt,
  connection: UpstreamConnection,
): Promise<Response> {
  const request = {
    url: attempt.provider.baseUrl + dialectRequest.path,
    headers,
    body: dialectRequest.body,
  };
  const authorize = () => connection.until(authorizeRequest(credential, request));
  const authorized = await authorize();
  const response = await send(dialectRequest, authorized, attempt, connection);
  if (response.status !== 401) return response;
  const hasOther = forgetToken(credential, authorized);
  if (!hasOther || attempt.client.signal.aborted) return response;
  attempt.log.sendsAgain();
  await readBody(response.body, maxErrorBytes, connection);
  connection.askAgain();
  return send(dialectRequest, await authorize(), attempt, connection);
}

/** Whether it is a 200; throws if its body could not be read. */
function isAccepted(response: Response): boolean {
  const encoding = response.headers.get("content-encoding");
  if (encoding !== null && encoding.trim().toLowerCase() !== "identity") {
    throw new Fault("bad_gateway", "The upstream provider sent a compressed answer.");
  }
  return response.status === 200;
}

/** A request, and its refusal. */
type Refused = { readonly dialectRequest: DialectRequest; readonly response: Response };

/** The answer to the request in another form, where the dialect has one; everything but a 200 is thrown. */
async function sendInstead<Request extends ParsedRequest>(
  dialect: Dialect<Request>,
  attempt: UpstreamAttempt<Request>,
  connection: UpstreamConnection,
  { dialectRequest, response }: Refused,
): Promise<Response> {
  const { client, log } = attempt;
  let refusal = response;
  let { text } = await readBody(refusal.body, maxErrorBytes, connection);
  // Once: what is refused again is the caller's to mend.
  const other = dialect.retryAfterRefusal?.(attempt, dialectRequest, refusal.status, text);
  if (other !== undefined && !client.signal.aborted) {
    log.sendsAgain();
    connection.askAgain();
    refusal = await exchange(other, attempt, connection);
    if (isAccepted(refusal)) return refusal;
    ({ text } = await readBody(refusal.body, maxErrorBytes, connection));
  }
  throw dialect.refuse(attempt.provider, refusal.status, text, refusal.headers);
}

/** Announced as short enough to be kept anyway. */
function isShort(response: Response, { maxBodyBytes }: UpstreamLimits): boolean {
  const declared = response.headers.get("content-length");
  return declared !== null && Number(declared) <= Math.min(shortBodyBytes, maxBodyBytes);
}
