// An HTTP upstream for the tests of this package: each call has its own address and answer.

import { Fault } from "@turnpike/base";
import { sampleCall } from "../dialects/openai/sample-call.fixture.ts";
import type { StreamEvent, UpstreamAnswer } from "../provider.ts";
import { streamLimits, type UpstreamLimits } from "../upstream-limits.ts";
import { callUpstream } from "./call-upstream.ts";
import type { Patience } from "./deadlines.ts";

export type Answering = (request: Request) => Response | Promise<Response>;

export type SampleUpstream = {
  readonly server: Bun.Server<undefined>;
  /** Calls an upstream that responds with `answer`. */
  call(
    body: Record<string, unknown>,
    answer: Answering,
    options?: CallSetting,
  ): Promise<UpstreamAnswer>;
};

export type CallSetting = {
  readonly limits?: Partial<UpstreamLimits>;
  /** The signal of the client that disconnects. */
  readonly signal?: AbortSignal;
  readonly continuesWithoutClient?: boolean;
  readonly onAccepted?: () => void;
  readonly allowPrivate?: boolean;
  readonly patience?: Patience;
};

export function startSampleUpstream(): SampleUpstream {
  const answers = new Map<string, Answering>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request) {
      const answer = answers.get(new URL(request.url).pathname);
      return answer ? answer(request) : new Response(null, { status: 404 });
    },
  });
  return {
    server,
    call(body, answer, setting = {}) {
      const path = `/${answers.size}`;
      answers.set(`${path}/chat/completions`, answer);
      return callUpstream({
        ...sampleCall({ baseUrl: `http://127.0.0.1:${server.port}${path}`, body }),
        endSignal: new AbortController().signal,
        client: {
          signal: setting.signal ?? new AbortController().signal,
          continuesWithoutClient: () => setting.continuesWithoutClient ?? false,
        },
        log: {
          sent: () => undefined,
          sendsAgain: () => undefined,
          accepted: setting.onAccepted ?? (() => undefined),
          answered: () => undefined,
          failed: () => undefined,
        },
        limits: { ...streamLimits, ...setting.limits },
        allowPrivate: setting.allowPrivate ?? true,
        patience: setting.patience,
      });
    },
  };
}

/** The Fault a call ends in; anything else is an error of the test. */
export async function faultOf(answer: Promise<unknown>): Promise<Fault> {
  const thrown = await answer.then(
    () => new Error("it answered"),
    (reason: unknown) => reason,
  );
  if (thrown instanceof Fault) return thrown;
  throw thrown;
}

export type Drained = { readonly events: StreamEvent[]; readonly fault: Fault | undefined };

/** All events of a stream, and the fault that ended them if one did. */
export async function drainEvents(answer: UpstreamAnswer): Promise<Drained> {
  if (answer.kind !== "stream") throw new Error("not a stream");
  const events: StreamEvent[] = [];
  try {
    for await (const batch of answer.events) events.push(...batch);
    return { events, fault: undefined };
  } catch (thrown) {
    if (!(thrown instanceof Fault)) throw thrown;
    return { events, fault: thrown };
  }
}
