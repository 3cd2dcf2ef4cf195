// A request as the world makes it: by the public address, over TLS with verification, on a connection of its own.
import { type IncomingHttpHeaders, request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";

const waitMs = 10_000;
const textMax = 10_000;

export type OutsideAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
};

export type OutsideRequest = {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** Tests only: an authority to trust beside the system's. */
export type Trust = { readonly ca?: string };

/** Follows no redirect. Rejects after ten seconds. */
export function askOutside(
  url: URL,
  { method = "GET", headers = {}, body }: OutsideRequest,
  { ca }: Trust,
): Promise<OutsideAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<OutsideAnswer>();
  const send = url.protocol === "https:" ? secureRequest : plainRequest;
  const trust = ca === undefined ? {} : { ca };
  const signal = AbortSignal.timeout(waitMs);
  const sent = send(url, { method, headers, signal, agent: false, ...trust }, (answer) => {
    let text = "";
    answer.setEncoding("utf8");
    answer.on("data", (part: string) => {
      if (text.length < textMax) text += part;
    });
    answer.on("end", () =>
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
    );
    answer.on("error", fail);
  });
  const fail = (thrown: unknown) =>
    reject(signal.aborted ? new Error("no answer within ten seconds") : thrown);
  signal.addEventListener("abort", fail);
  sent.on("error", fail);
  sent.end(body);
  return promise;
}

export type OutsideConnection = {
  /** Of this machine, as the other side sees it if nothing translates it. */
  readonly localAddress: string;
  /** When the certificate ends; undefined without TLS. */
  readonly validTo: Date | undefined;
};

/** Rejects where a connection, or its certificate, cannot be had. */
export function connectOutside(url: URL, { ca }: Trust): Promise<OutsideConnection> {
  const { promise, resolve, reject } = Promise.withResolvers<OutsideConnection>();
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const finish = (socket: Socket, validTo: Date | undefined) => {
    resolve({ localAddress: socket.localAddress ?? "", validTo });
    socket.destroy();
  };
  const watch = (socket: Socket) => {
    socket.setTimeout(waitMs, () => socket.destroy(new Error("no connection within ten seconds")));
    socket.on("error", reject);
  };
  if (url.protocol === "https:") {
    const trust = ca === undefined ? {} : { ca };
    const port = Number(url.port || 443);
    const socket = connectSecurely({ host, port, servername: host, ...trust }, () =>
      finish(socket, new Date(socket.getPeerCertificate().valid_to)),
    );
    watch(socket);
  } else {
    const socket = connectPlain(Number(url.port || 80), host, () => finish(socket, undefined));
    watch(socket);
  }
  return promise;
}
