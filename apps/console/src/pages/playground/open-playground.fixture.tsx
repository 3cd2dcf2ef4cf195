// The Playground in a test, with one model and a server that answers what the test says, when it says it.
import { afterEach, expect } from "bun:test";
import { Route, Router } from "@solidjs/router";
import { render, screen, waitFor } from "@solidjs/testing-library";
import { QueryClient, QueryClientProvider } from "@tanstack/solid-query";
import userEvent from "@testing-library/user-event";
import { modelOf } from "../../../test/model.fixture.ts";
import type { Usage } from "../../product/completions/parse-chunk.ts";
import { type Conversation, type Model, newConversation } from "./conversation/conversation.ts";
import { createPlayground } from "./create-playground.ts";
import { createHistory } from "./history/history.ts";
import { PlaygroundView } from "./playground-view.tsx";

export const model = modelOf("test/one", {
  name: "Model One",
  contextTokens: 1000,
  maxOutputTokens: 100,
  capabilities: ["vision"],
  prices: { inputUsd: "1", cachedInputUsd: "1", cacheWriteUsd: "1", outputUsd: "1" },
});

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

type Call = { url: string; init: RequestInit | undefined };

const noAnswer = () => new Promise<Response>(() => undefined);

/** Answers the playground's route; the console's other queries get no answer, unless `fetchOther` gives one. */
export function serve(
  answer: (signal: AbortSignal | undefined) => Response,
  fetchOther: (url: RequestInfo | URL, init?: RequestInit) => Promise<Response> = noAnswer,
): Call[] {
  const calls: Call[] = [];
  const fake = async (url: RequestInfo | URL, init?: RequestInit) => {
    if (url !== "/console/playground") return await fetchOther(url, init);
    calls.push({ url: String(url), init });
    return answer(init?.signal ?? undefined);
  };
  globalThis.fetch = Object.assign(fake, { preconnect: () => undefined });
  return calls;
}

/** Controlled by the test: nothing arrives until the test sends it. */
export function openStream() {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(opened) {
      controller = opened;
    },
  });
  return {
    answer(signal: AbortSignal | undefined) {
      signal?.addEventListener("abort", () =>
        controller?.error(new DOMException("", "AbortError")),
      );
      return new Response(body, {
        headers: { "x-generation-id": "gen-1", "x-request-id": "req-1" },
      });
    },
    say: (content: string) =>
      controller?.enqueue(
        encoder.encode(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`),
      ),
    finish(finishReason = "stop") {
      const end = { choices: [{ delta: {}, finish_reason: finishReason }] };
      const usage = { prompt_tokens: 12, completion_tokens: 312, cost: 0.000047 };
      const text = [JSON.stringify(end), JSON.stringify({ choices: [], usage }), "[DONE]"]
        .map((payload) => `data: ${payload}\n\n`)
        .join("");
      controller?.enqueue(encoder.encode(text));
      controller?.close();
    },
    breakOff: () => controller?.close(),
  };
}

export const kept = () => createHistory("account").read().conversations;

type Options = {
  readonly askCharge?: (id: string) => Promise<Usage | undefined>;
  readonly initial?: Conversation;
  /** That serve the model. */
  readonly providers?: readonly string[];
  /** One for each of these, instead of the model. */
  readonly compared?: readonly Model[];
};

export function open(options: Options = {}) {
  const { askCharge = async () => undefined, providers = model.providers } = options;
  const { compared = [{ ...model, providers: [...providers] }] } = options;
  const { initial = newConversation(compared.map(({ id }) => id)) } = options;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const Opened = () => {
    const playground = createPlayground({
      history: createHistory("account"),
      initial,
      models: () => compared,
      askCharge,
      onEnd: () => undefined,
    });
    return <PlaygroundView playground={playground} />;
  };
  return render(() => (
    <QueryClientProvider client={client}>
      <Router>
        <Route path="*" component={Opened} />
      </Router>
    </QueryClientProvider>
  ));
}

export async function ask(text: string): Promise<void> {
  await userEvent.type(await screen.findByLabelText("Your message"), text);
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
}

/** Opens it and asks; the test then controls the answer. */
export async function askStreaming(options?: Options) {
  const stream = openStream();
  const calls = serve(stream.answer);
  open(options);
  await ask("Hi");
  await waitFor(() => expect(calls).toHaveLength(1));
  return { ...stream, calls };
}
