import { afterEach, expect, test } from "bun:test";
import { Route, Router } from "@solidjs/router";
import { render, screen, waitFor } from "@solidjs/testing-library";
import { QueryClient, QueryClientProvider } from "@tanstack/solid-query";
import userEvent from "@testing-library/user-event";
import { modelOf } from "../../../test/model.fixture.ts";
import type { Usage } from "../shared/read-chunk.ts";
import { newConversation } from "./conversation.ts";
import { createPlayground } from "./create-playground.ts";
import { openHistory } from "./history.ts";
import { PlaygroundView } from "./playground-view.tsx";

const model = modelOf("test/one", {
  name: "Model One",
  contextTokens: 1000,
  maxOutputTokens: 100,
  capabilities: [],
  prices: { inputUsd: "1", cachedInputUsd: "1", cacheWriteUsd: "1", outputUsd: "1" },
});

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

type Call = { url: string; init: RequestInit | undefined };

/** Answers the playground's route; the console's other queries get no answer. */
function serve(answer: (signal: AbortSignal | undefined) => Response): Call[] {
  const calls: Call[] = [];
  const fake = async (url: RequestInfo | URL, init?: RequestInit) => {
    if (url !== "/console/playground") return await new Promise<Response>(() => undefined);
    calls.push({ url: String(url), init });
    return answer(init?.signal ?? undefined);
  };
  globalThis.fetch = Object.assign(fake, { preconnect: () => undefined });
  return calls;
}

/** Controlled by the test: nothing arrives until the test sends it. */
function openStream() {
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

function open(askCharge: (id: string) => Promise<Usage | undefined> = async () => undefined) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(() => {
    const playground = createPlayground({
      history: openHistory("account"),
      initial: newConversation([model.id]),
      modelOf: () => model,
      askCharge,
      onEnd: () => undefined,
    });
    return (
      <QueryClientProvider client={client}>
        <Router>
          <Route
            path="*"
            component={() => <PlaygroundView playground={playground} models={[model]} />}
          />
        </Router>
      </QueryClientProvider>
    );
  });
}

async function ask(text: string): Promise<void> {
  await userEvent.type(await screen.findByLabelText("Your message"), text);
  await userEvent.click(screen.getByRole("button", { name: "Send" }));
}

test("an answer streams, and ends with its statistics and its log", async () => {
  const stream = openStream();
  const calls = serve(stream.answer);
  open();
  await ask("Hi");
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(JSON.parse(String(calls[0]?.init?.body))).toEqual({
    model: "test/one",
    messages: [{ role: "user", content: "Hi" }],
    stream: true,
    stream_options: { include_usage: true },
  });
  stream.say("Good **mor");
  await screen.findByText(/Good/);
  expect(document.querySelector("[aria-busy='true']")).not.toBeNull();
  stream.say("ning**");
  await waitFor(() => expect(document.querySelector("strong")?.textContent).toBe("morning"));
  stream.finish();
  await screen.findByText("12 in / 312 out");
  expect(document.querySelector("[data-cost]")?.textContent).toBe("$0.000047");
  expect(screen.getByRole("link", { name: "View log" }).getAttribute("href")).toBe(
    "/logs?id=gen-1",
  );
  await screen.findByText("Response finished, 312 tokens");
  expect(document.querySelector("[aria-busy='true']")).toBeNull();
});

test("an insufficient balance keeps the draft and offers the Wallet", async () => {
  serve(() =>
    Response.json(
      {
        error: {
          message: "This request needs at least $0.02",
          type: "insufficient_quota",
          code: "insufficient_quota",
          param: null,
          metadata: { reason: "balance_too_low", needed_usd: "0.02", available_usd: "0" },
        },
      },
      { status: 402 },
    ),
  );
  open();
  await ask("A long question");
  await screen.findByText("Your balance is too low for this request.");
  expect(screen.getByText("It needs up to $0.02; $0.00 is available.")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Add funds" }).getAttribute("href")).toBe("/wallet");
  expect(screen.getByLabelText("Your message")).toHaveProperty("value", "A long question");
  expect(screen.queryByRole("heading", { name: "You" })).toBeNull();
});

test("Stop ends the answer, keeps its text and says what was charged", async () => {
  const stream = openStream();
  serve(stream.answer);
  const asked: string[] = [];
  open(async (id) => {
    asked.push(id);
    return { promptTokens: 12, completionTokens: 3, costUsd: "0.0000312" };
  });
  await ask("Hi");
  stream.say("Once upon");
  await screen.findByText("Once upon");
  await userEvent.click(screen.getByRole("button", { name: "Stop" }));
  await screen.findByText("Stopped. You were charged $0.000031.");
  // The same amount, not another precision of it.
  expect(screen.getByText("$0.000031").dataset.exact).toBe("$0.0000312");
  expect(asked).toEqual(["gen-1"]);
  expect(screen.getByText("Once upon")).toBeTruthy();
});

test("an interrupted answer keeps its text and offers Retry", async () => {
  const stream = openStream();
  serve(stream.answer);
  open();
  await ask("Hi");
  stream.say("Once upon");
  await screen.findByText("Once upon");
  stream.breakOff();
  await screen.findByText("Response interrupted.");
  expect(screen.getByText("Once upon")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Retry" })).toBeTruthy();
});

test("an answer cut at its limit can be continued", async () => {
  const streams = [openStream(), openStream()];
  const calls = serve((signal) => streams[calls.length - 1]?.answer(signal) ?? new Response());
  open();
  await ask("Hi");
  await waitFor(() => expect(calls).toHaveLength(1));
  streams[0]?.say("Once upon");
  streams[0]?.finish("length");
  await userEvent.click(await screen.findByRole("button", { name: "Continue" }));
  await waitFor(() => expect(calls).toHaveLength(2));
  expect(JSON.parse(String(calls[1]?.init?.body)).messages).toHaveLength(3);
});

test("Up in the empty field edits the last message, and sending it again starts from there", async () => {
  const streams = [openStream(), openStream()];
  const calls = serve((signal) => streams[calls.length - 1]?.answer(signal) ?? new Response());
  open();
  await ask("Hi");
  await waitFor(() => expect(calls).toHaveLength(1));
  streams[0]?.say("Hello");
  streams[0]?.finish();
  await screen.findByText("View log");
  await userEvent.type(screen.getByLabelText("Your message"), "{ArrowUp}");
  const editor = await screen.findByLabelText("Message");
  await userEvent.clear(editor);
  await userEvent.type(editor, "Bye");
  await userEvent.click(screen.getByRole("button", { name: "Send again" }));
  await waitFor(() => expect(calls).toHaveLength(2));
  expect(JSON.parse(String(calls[1]?.init?.body)).messages).toEqual([
    { role: "user", content: "Bye" },
  ]);
});

const kept = () => openHistory("account").read().conversations;

test("a question that was refused is not kept as a conversation", async () => {
  serve(() => Response.json({ error: { code: "overloaded", message: "" } }, { status: 503 }));
  open();
  await ask("Hi");
  await screen.findByRole("alert");
  expect(kept()).toEqual([]);
});

test("a conversation whose messages were all deleted is gone", async () => {
  const stream = openStream();
  serve(stream.answer);
  open();
  await ask("Hi");
  stream.say("Hello");
  stream.finish();
  await screen.findByText("View log");
  expect(kept()).toHaveLength(1);
  for (const button of screen.getAllByRole("button", { name: "Delete message" })) {
    await userEvent.click(button);
  }
  expect(kept()).toEqual([]);
});

test("Send and Stop are one button, which keeps the focus", async () => {
  const stream = openStream();
  serve(stream.answer);
  open();
  await ask("Hi");
  const button = await screen.findByRole("button", { name: "Stop" });
  expect(document.activeElement).toBe(button);
  await userEvent.keyboard("{Enter}");
  await screen.findByRole("button", { name: "Send" });
  expect(document.activeElement).toBe(button);
});

test("a paragraph stays one paragraph while it streams", async () => {
  const stream = openStream();
  serve(stream.answer);
  open();
  await ask("Hi");
  const most: number[] = [];
  const drawn = new MutationObserver(() => {
    most.push(document.querySelectorAll("[aria-busy='true'] p").length);
  });
  drawn.observe(document.body, { subtree: true, childList: true, characterData: true });
  stream.say("Once");
  await screen.findByText("Once");
  for (const text of ["Once upon", "Once upon a time", "Once upon a time there was"]) {
    stream.say(text.slice(text.lastIndexOf(" ")));
    await screen.findByText(new RegExp(text.slice(text.lastIndexOf(" ") + 1)));
  }
  drawn.disconnect();
  expect(Math.max(...most)).toBe(1);
});
