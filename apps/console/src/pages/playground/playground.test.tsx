import { expect, test } from "bun:test";
import { screen, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { answerApi } from "../../../test/answer-api.fixture.ts";
import { wholeText } from "../../../test/whole-text.fixture.ts";
import { newConversation } from "./conversation/conversation.ts";
import {
  ask,
  askStreaming,
  kept,
  model,
  open,
  openStream,
  serve,
} from "./open-playground.fixture.tsx";

async function askRefused(text: string, status: number, error: object): Promise<void> {
  serve(() => Response.json({ error: { message: "It says why.", ...error } }, { status }));
  open();
  await ask(text);
}

test("an answer streams, and ends with its statistics and its log", async () => {
  const stream = await askStreaming();
  expect(JSON.parse(String(stream.calls[0]?.init?.body))).toEqual({
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
  await screen.findByText(wholeText("12 in / 312 out"));
  expect(document.querySelector("[data-cost]")?.textContent).toBe("$0.000047");
  expect(screen.getByRole("link", { name: "View log" }).getAttribute("href")).toBe(
    "/logs?id=gen-1",
  );
  await screen.findByText("Response finished, 312 tokens");
  expect(document.querySelector("[aria-busy='true']")).toBeNull();
});

test("where a model has several providers one can be chosen, which the request names", async () => {
  const { answer } = openStream();
  const calls = serve(answer);
  open({ providers: ["own", "cloud"] });
  const choice = await screen.findByRole("combobox", { name: "Provider" });
  expect([...choice.children].map((each) => each.textContent)).toEqual(["Any", "own", "cloud"]);
  await userEvent.selectOptions(choice, "cloud");
  await ask("Hi");
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(JSON.parse(String(calls[0]?.init?.body))).toMatchObject({ provider: { only: ["cloud"] } });
});

test("where a model has one provider there is nothing to choose", async () => {
  open();
  await screen.findByLabelText("Max tokens");
  expect(screen.queryByRole("combobox", { name: "Provider" })).toBeNull();
});

test("with a provider its own price is shown and counted, and none while it is not known", async () => {
  const routes = [
    { provider: "own", prices: null },
    { provider: "cloud", prices: { ...model.prices, inputUsd: "40", outputUsd: "80" } },
  ];
  const detail = Promise.withResolvers<{ data: unknown }>();
  answerApi({ "models.detail": () => detail.promise });
  serve(openStream().answer, globalThis.fetch);
  open({ providers: ["own", "cloud"] });
  await screen.findByText("$1.00 in · $1.00 out, per 1M tokens");
  await userEvent.type(screen.getByLabelText("Your message"), "four");
  await screen.findByText("Input about $0.000001, output $1.00 / 1M");
  const choice = screen.getByRole("combobox", { name: "Provider" });
  await userEvent.selectOptions(choice, "cloud");
  await screen.findByText("See the model's page for its price");
  expect(screen.queryByText(/^Input about/)).toBeNull();
  detail.resolve({ data: { ...model, routes } });
  await screen.findByText("$40.00 in · $80.00 out, per 1M tokens");
  await screen.findByText(/^Input about \$0.00004\d*, output \$80.00 \/ 1M$/);
  await userEvent.selectOptions(choice, "own");
  await screen.findByText("$1.00 in · $1.00 out, per 1M tokens");
});

test("a comparison offers the providers of all its models, and names those without the chosen one", async () => {
  serve(openStream().answer);
  open({
    compared: [
      { ...model, providers: ["own"] },
      { ...model, id: "test/two", name: "Model Two", providers: ["edge", "cloud"] },
    ],
  });
  await userEvent.click(await screen.findByRole("button", { name: "Parameters" }));
  const choice = await screen.findByRole("combobox", { name: "Provider" });
  expect([...choice.children].map((each) => each.textContent)).toEqual(["Any", "edge", "cloud"]);
  screen.getByText("With Any, another provider answers if one fails.");
  await userEvent.selectOptions(choice, "cloud");
  screen.getByText("Not served by cloud, so that any provider may answer: Model One.");
});

test("a provider that the model lacks stays in its field, which says so and can take it back", async () => {
  const { parameters, ...others } = newConversation([model.id]);
  open({ initial: { ...others, parameters: { ...parameters, provider: "cloud" } } });
  const choice = await screen.findByRole("combobox", { name: "Provider" });
  expect(choice).toHaveProperty("value", "cloud");
  screen.getByText("Not served by cloud, so that any provider may answer: Model One.");
  await userEvent.selectOptions(choice, "Any");
  expect(screen.queryByRole("combobox", { name: "Provider" })).toBeNull();
});

test("where the chosen provider fails, any other can be asked instead", async () => {
  const error = { code: "bad_gateway", message: "It says why." };
  const calls = serve(() => Response.json({ error }, { status: 502 }));
  open({ providers: ["own", "cloud"] });
  const choice = await screen.findByRole("combobox", { name: "Provider" });
  await userEvent.selectOptions(choice, "cloud");
  await ask("Hi");
  await screen.findByText("cloud is unavailable right now.");
  await userEvent.click(screen.getByRole("button", { name: "Use any provider" }));
  await screen.findByText("This model is unavailable right now.");
  const bodies = calls.map(({ init }) => JSON.parse(String(init?.body)));
  expect(bodies.map(({ provider }) => provider)).toEqual([{ only: ["cloud"] }, undefined]);
  expect(choice).toHaveProperty("value", "");
});

test("an insufficient balance keeps the draft and says who adds funds", async () => {
  const metadata = { reason: "balance_too_low", needed_usd: "0.02", available_usd: "0" };
  await askRefused("A long question", 402, { code: "insufficient_quota", metadata });
  await screen.findByText("Your balance is too low for this request.");
  expect(screen.getByText("It needs up to $0.02; $0.00 is available.")).toBeTruthy();
  // Nobody is signed in here: with the permission it is a link.
  screen.getByText("An owner, admin or billing member adds funds.");
  expect(screen.getByLabelText("Your message")).toHaveProperty("value", "A long question");
  expect(screen.queryByRole("heading", { name: "You" })).toBeNull();
});

test("a model that the account may not use offers another one, not another try", async () => {
  await askRefused("Hi", 403, { code: "model_not_allowed" });
  await screen.findByText("This model is not allowed here.");
  expect(screen.getByRole("button", { name: "Choose another model" })).toBeTruthy();
  expect(screen.queryAllByRole("button", { name: "Retry" }).length).toBe(0);
});

test("Stop ends the answer, keeps its text and says what was charged", async () => {
  const asked: string[] = [];
  const stream = await askStreaming({
    async askCharge(id) {
      asked.push(id);
      return { promptTokens: 12, completionTokens: 3, costUsd: "0.0000312" };
    },
  });
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
  const stream = await askStreaming();
  stream.say("Once upon");
  await screen.findByText("Once upon");
  stream.breakOff();
  await screen.findByText("Response interrupted.");
  expect(screen.getByText("Once upon")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Retry" })).toBeTruthy();
});

test("an answer cut at its limit can be continued", async () => {
  const { calls, say, finish } = await askStreaming();
  say("Once upon");
  finish("length");
  await userEvent.click(await screen.findByRole("button", { name: "Continue" }));
  await waitFor(() => expect(calls).toHaveLength(2));
  expect(JSON.parse(String(calls[1]?.init?.body)).messages).toHaveLength(3);
});

test("Up in the empty field edits the last message, and sending it again starts from there", async () => {
  const { calls, say, finish } = await askStreaming();
  say("Hello");
  finish();
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

test("a question that was refused is not kept as a conversation", async () => {
  await askRefused("Hi", 503, { code: "overloaded" });
  await screen.findByRole("alert");
  expect(kept()).toEqual([]);
});

test("a conversation whose messages were all deleted is gone", async () => {
  const stream = await askStreaming();
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
  await askStreaming();
  const button = await screen.findByRole("button", { name: "Stop" });
  expect(document.activeElement).toBe(button);
  await userEvent.keyboard("{Enter}");
  await screen.findByRole("button", { name: "Send" });
  expect(document.activeElement).toBe(button);
});

test("a paragraph stays one paragraph while it streams", async () => {
  const stream = await askStreaming();
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

test("fields say what holds while they are empty, and tools begin with an example", async () => {
  open({ compared: [{ ...model, capabilities: ["tools"] }] });
  const placeholderOf = async (label: string) =>
    (await screen.findByLabelText(label)).getAttribute("placeholder");
  expect(await placeholderOf("Temperature")).toBe("Model's default");
  expect(await placeholderOf("Max tokens")).toBe("Model's default");
  expect(await placeholderOf("Stop sequences")).toBe("None");
  await userEvent.click(screen.getByRole("button", { name: "Use an example tool" }));
  const tools = screen.getByLabelText<HTMLTextAreaElement>("Tools");
  expect(JSON.parse(String(tools.value))).toMatchObject([{ function: { name: "get_weather" } }]);
  screen.getByLabelText("Mock result of get_weather");
  expect(screen.queryByRole("button", { name: "Use an example tool" })).toBeNull();
});
