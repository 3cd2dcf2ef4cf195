// The upstream of the tests: an HTTP server whose requests tell it how to answer and where to break. It
// records what it received and what it delivered.
import type { Socket } from "node:net";
import type { AnswerFormat } from "./answer-format.ts";
import {
  AnswerWriter,
  BrokenOff,
  type Delivered,
  type Ending,
  HttpConnection,
  listenOnLoopback,
} from "./http-connection.ts";
import { formatOf, type ParsedCall, parseCall } from "./parse-call.ts";
import type { ChatBody } from "./parse-chat-body.ts";
import { findScript, type Script, ScriptError } from "./parse-script.ts";
import { type HttpRequest, readHttpRequest } from "./read-http-request.ts";
import { Refusal } from "./refuse-request.ts";
import { sandboxAnswer, sandboxModels } from "./sandbox-answers.ts";
import { layoutOf, sendAnswer } from "./send-answer.ts";

/** One chat request as the upstream saw it. */
export type UpstreamRequest = {
  /** The `id` of the body it is answered with. */
  id: string;
  /** The script's own `tag`. */
  tag: string | undefined;
  path: string;
  headers: HttpRequest["headers"];
  rawHeaders: HttpRequest["rawHeaders"];
  /** The body's text as received. */
  body: string;
  /** Its bytes: a form with files is no text. */
  rawBody: Buffer;
  parsed: unknown;
  chat: ChatBody;
  script: Script;
  delivered: Readonly<Delivered>;
  ending: Ending | undefined;
  /** How the answer ended; always settles. */
  ended: Promise<Ending>;
  /** Resolves when the client disconnects before its answer is complete; stays pending otherwise. */
  gone: Promise<void>;
};

export type ScriptSource = (request: Omit<UpstreamRequest, "script">) => Script | undefined;

export type ScriptedUpstream = {
  url: string;
  /** Ends in `/v1`. */
  baseUrl: string;
  requests: readonly UpstreamRequest[];
  /** Answers requests without their own script, until called again. */
  script(source: Script | ScriptSource | undefined): void;
  /** The first request that matches, already received or still to come. */
  waitFor(matches: (request: UpstreamRequest) => boolean): Promise<UpstreamRequest>;
  /** Lets the gated answers with this tag continue, including later ones. */
  open(tag: string): void;
  /** What the request with this answer id or tag was sent; throws if there was none. */
  delivered(id: string): Readonly<Delivered>;
  close(): Promise<void>;
};

/** Starts an upstream on the loopback address; it remembers the last `keepRequests` requests. */
export async function startScriptedUpstream({
  keepRequests = Number.POSITIVE_INFINITY,
}: {
  keepRequests?: number;
} = {}): Promise<ScriptedUpstream> {
  const log = new RequestLog(keepRequests);
  let source: ScriptSource = () => undefined;
  const server = await listenOnLoopback(0, (socket) => {
    void serveConnection(socket, log, (request) => source(request));
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    baseUrl: `${url}/v1`,
    requests: log.requests,
    script: (next) => {
      source = typeof next === "function" ? next : () => next;
    },
    waitFor: (matches) => log.waitFor(matches),
    open: (tag) => log.gate(tag).resolve(),
    delivered: (id) => {
      const found = log.requests.find((request) => request.id === id || request.tag === id);
      if (!found) throw new Error(`the upstream saw no request ${id}`);
      return found.delivered;
    },
    close: () => server.close(),
  };
}

class RequestLog {
  readonly requests: UpstreamRequest[] = [];
  #count = 0;
  #waiting: ((request: UpstreamRequest) => void)[] = [];

  constructor(readonly keep: number) {}

  readonly #gates = new Map<string, PromiseWithResolvers<void>>();

  gate(tag: string): PromiseWithResolvers<void> {
    const gate = this.#gates.get(tag) ?? Promise.withResolvers<void>();
    this.#gates.set(tag, gate);
    return gate;
  }

  nextId(): string {
    this.#count += 1;
    return `chatcmpl-upstream-${this.#count}`;
  }

  add(request: UpstreamRequest): void {
    this.requests.push(request);
    if (this.requests.length > this.keep) this.requests.shift();
    for (const tell of this.#waiting) tell(request);
  }

  waitFor(matches: (request: UpstreamRequest) => boolean): Promise<UpstreamRequest> {
    const found = this.requests.find(matches);
    if (found) return Promise.resolve(found);
    return new Promise((resolve) => {
      const tell = (request: UpstreamRequest) => {
        if (!matches(request)) return;
        this.#waiting = this.#waiting.filter((other) => other !== tell);
        resolve(request);
      };
      this.#waiting.push(tell);
    });
  }
}

async function serveConnection(socket: Socket, log: RequestLog, source: ScriptSource) {
  const connection = new HttpConnection(socket);
  for (;;) {
    const request = await readHttpRequest(connection.reader, () => {
      socket.write("HTTP/1.1 100 Continue\r\n\r\n");
    });
    if (!request) return;
    if (!(await serveRequest(connection, request, log, source))) return;
  }
}

/** Answers one request; false when the connection has ended with it. */
async function serveRequest(
  connection: HttpConnection,
  request: HttpRequest,
  log: RequestLog,
  source: ScriptSource,
): Promise<boolean> {
  const path = request.path.replace(/\?.*$/, "");
  const format = formatOf(path);
  if (request.method === "POST" && format !== undefined) {
    return answerCall(connection, request, { log, source, format });
  }
  if (request.method === "GET" && path === "/v1/models") {
    const data = sandboxModels.map((id) => ({ id, object: "model", created: 0, owned_by: "test" }));
    return sendJson(connection, 200, { object: "list", data });
  }
  const drawn = /^\/v1\/images\/drawn\/([\w-]+)$/.exec(path)?.[1];
  if (request.method === "GET" && drawn !== undefined) {
    return sendBytes(connection, 200, "image/png", Buffer.from(drawn, "base64url"));
  }
  const message = `Unknown request URL: ${request.method} ${path}.`;
  return sendJson(connection, 404, errorBody(message, "unknown_url"));
}

function errorBody(message: string, code: string) {
  return { error: { message, type: "invalid_request_error", param: null, code } };
}

async function sendJson(connection: HttpConnection, status: number, body: unknown) {
  return sendBytes(connection, status, "application/json", Buffer.from(JSON.stringify(body)));
}

function sendBytes(connection: HttpConnection, status: number, type: string, bytes: Uint8Array) {
  const writer = new AnswerWriter(connection, {});
  return finish(connection, async () => {
    const length = String(bytes.length);
    await writer.head(status, { "content-type": type, "content-length": length });
    await writer.write(bytes);
    return writer.end();
  });
}

type AnswerTerms = {
  readonly log: RequestLog;
  readonly source: ScriptSource;
  readonly format: AnswerFormat;
};

async function answerCall(
  connection: HttpConnection,
  request: HttpRequest,
  { log, source, format }: AnswerTerms,
): Promise<boolean> {
  const ended = Promise.withResolvers<Ending>();
  const gone = Promise.withResolvers<void>();
  const body = request.body.toString();
  let record: UpstreamRequest;
  let writer: AnswerWriter;
  let call: ParsedCall;
  try {
    call = await parseCall(request, format);
    const { parsed, chat } = call;
    const { path, headers, rawHeaders } = request;
    const seen = {
      id: log.nextId(),
      path,
      headers,
      rawHeaders,
      body,
      rawBody: request.body,
      parsed,
      chat,
      ending: undefined,
      ended: ended.promise,
      gone: gone.promise,
    };
    const own = findScript(seen.chat.lastUserText);
    const nothing = { deltas: 0, tokens: 0, bytes: 0 };
    const asked = { ...seen, tag: own?.tag, delivered: nothing };
    const script = own ?? source(asked) ?? (call.operation ? {} : sandboxAnswer(seen.chat));
    writer = new AnswerWriter(connection, layoutOf(script));
    record = { ...seen, tag: script.tag, script, delivered: writer.delivered };
  } catch (error) {
    if (error instanceof Refusal) return sendJson(connection, error.status, error.body);
    if (!(error instanceof ScriptError) && !(error instanceof SyntaxError)) throw error;
    return sendJson(connection, 400, errorBody(error.message, "bad_script"));
  }
  log.add(record);
  const { id, chat, script } = record;
  const { embeddings, operation } = call;
  return finish(
    connection,
    () =>
      sendAnswer({
        id,
        chat,
        format,
        embeddings,
        operation,
        script,
        writer,
        opened:
          script.gate || script.headGate ? log.gate(script.tag ?? id).promise : Promise.resolve(),
      }),
    (ending) => {
      record.ending = ending;
      ended.resolve(ending);
      if (ending === "gone") gone.resolve();
    },
  );
}

/** Runs an answer to its end, in any way; true if the connection can serve another request. */
async function finish(
  connection: HttpConnection,
  send: () => Promise<boolean>,
  tell: (ending: Ending) => void = () => undefined,
): Promise<boolean> {
  try {
    const reusable = await send();
    tell("answered");
    return reusable;
  } catch (error) {
    if (!(error instanceof BrokenOff)) throw error;
    tell(await connection.breakOff(error.how));
    return false;
  }
}
