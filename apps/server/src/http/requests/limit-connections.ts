// How many concurrent requests one network may have. In HTTP/1.1 each needs its own connection, so this
// bounds the connections that cost us something, including those of trickling bodies.
import { customerNetwork, Fault } from "@turnpike/base";

/** One request's share of its network's bound. */
type Share = { readonly release: () => void; streaming: boolean };

export type ConnectionLimit = {
  /**
   * Runs `answer` with a share, which is returned once the answer is ready. Rejects with `throttled`
   * if the network of `address` has no share left.
   */
  readonly run: (
    request: Request,
    address: string,
    answer: (request: Request) => Response | Promise<Response>,
  ) => Response | Promise<Response>;
  /** The answer to `request` is a stream: its share is kept until `sent` resolves. */
  readonly keepUntilSent: (request: Request, sent: Promise<void>) => void;
};

/**
 * A proxy on this machine forwards requests of everyone; clients behind a trusted one have their own
 * address.
 */
export function createConnectionLimit(max: number): ConnectionLimit {
  const underWay = new Map<string, number>();
  const shares = new WeakMap<Request, Share>();
  const take = (network: string): Share => {
    const count = underWay.get(network) ?? 0;
    if (count >= max) throw tooMany();
    underWay.set(network, count + 1);
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      const left = (underWay.get(network) ?? 0) - 1;
      if (left > 0) underWay.set(network, left);
      else underWay.delete(network);
    };
    return { release, streaming: false };
  };
  return {
    run(request, address, answer) {
      if (isLoopback(address)) return answer(request);
      const share = take(customerNetwork(address));
      shares.set(request, share);
      return releaseAfter(share, request, answer);
    },
    keepUntilSent(request, sent) {
      const share = shares.get(request);
      if (share === undefined) return;
      share.streaming = true;
      void sent.then(share.release);
    },
  };
}

async function releaseAfter(
  share: Share,
  request: Request,
  answer: (request: Request) => Response | Promise<Response>,
): Promise<Response> {
  let streaming = false;
  try {
    const response = await answer(request);
    streaming = share.streaming;
    return response;
  } finally {
    if (!streaming) share.release();
  }
}

function tooMany(): Fault {
  return new Fault("throttled", "Too many concurrent requests from your address.", {
    retryAfterMs: 1_000,
    metadata: { limit_source: "address" },
    headers: { connection: "close" },
  });
}

/** `address` in any spelling that a connection may report. */
export function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.");
}
