// Images in the playground: what they may cost is said before, what they cost afterwards, and a failure says what to do.
import { afterEach, expect, test } from "bun:test";
import { screen, waitFor } from "@solidjs/testing-library";
import { modelOf } from "../../../test/model.fixture.ts";
import { openMedia } from "./open-media.fixture.tsx";

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

const media = {
  kind: "image",
  maxImages: 4,
  inputImages: 2,
  sizes: ["1024x1024", "1536x1024"],
  qualities: ["low", "high"],
} as const;
const models = [
  modelOf("acme/chat", { name: "Acme Chat" }),
  modelOf("acme/draw", {
    name: "Acme Draw",
    operation: "image",
    media: { ...media, maxImages: 1, inputImages: 0, qualities: [] },
  }),
  modelOf("acme/paint", { name: "Acme Paint", operation: "image", media }),
];

const open = (address: string, answers: Parameters<typeof openMedia>[2]) =>
  openMedia(address, { models, parameters: ["mask", "partial_images"] }, answers);

const estimate = () => Response.json({ max_cost_usd: "0.08" });
const drawn = () =>
  Response.json(
    { data: [{ b64_json: "iVBORw0K" }, { b64_json: "/9j/4AAQ" }], usage: { cost: 0.0412 } },
    { headers: { "x-generation-id": "gen-1" } },
  );
const png = (name: string) => new File(["png"], name, { type: "image/png" });

test("images say the most they cost before, are shown, and say what they cost", async () => {
  const { user, sent } = open("/playground/images?model=acme/paint", { estimate, images: drawn });
  await user.type(await screen.findByLabelText("Prompt"), "a lighthouse");
  await user.selectOptions(screen.getByLabelText("Images"), "2");
  await screen.findByText("$0.08");
  const body = { model: "acme/paint", prompt: "a lighthouse", size: "1024x1024", n: 2 };
  expect(sent.at(-1)).toEqual({ path: "estimate", body });
  await user.click(screen.getByRole("button", { name: "Draw" }));
  const first = await screen.findByAltText("1: a lighthouse");
  expect(first.getAttribute("src")).toStartWith("blob:");
  screen.getByAltText("2: a lighthouse");
  screen.getByText("$0.0412");
  expect(screen.getByRole("link", { name: "View log" }).getAttribute("href")).toEndWith("id=gen-1");
  screen.getByRole("button", { name: "Download image 2" });
  expect(sent.at(-1)).toEqual({ path: "images", body });
});

test("only what the model has can be chosen, and one that is refused says why", async () => {
  const refusal = {
    code: "insufficient_quota",
    message: "No.",
    metadata: { needed_usd: "0.08", available_usd: "0.01" },
  };
  const images = () => Response.json({ error: refusal }, { status: 402 });
  const { user } = open("/playground/images", { estimate, images });
  const choices = [...(await screen.findByLabelText<HTMLSelectElement>("Model")).options];
  expect(choices.map(({ text }) => text)).toEqual(["Acme Draw", "Acme Paint"]);
  const sizes = [...screen.getByLabelText<HTMLSelectElement>("Size").options];
  expect(sizes.map(({ text }) => text)).toEqual(["1024 × 1024", "1536 × 1024", "Up to the model"]);
  expect(screen.queryByLabelText("Quality")).toBeNull();
  expect(screen.queryByRole("button", { name: "Choose images" })).toBeNull();
  const draw = screen.getByRole<HTMLButtonElement>("button", { name: "Draw" });
  expect(draw.disabled).toBe(true);
  await user.type(screen.getByLabelText("Prompt"), "a lighthouse");
  await user.click(draw);
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Your balance is too low for this request.");
  expect(alert.textContent).toContain("It needs up to $0.08");
});

test("images to edit are counted before, sent as a form, and a result is the next one", async () => {
  const { user, sent } = open("/playground/images?model=acme/paint", {
    estimate,
    "images/edits": drawn,
  });
  await user.type(await screen.findByLabelText("Prompt"), "add a boat");
  await user.upload(screen.getByLabelText("Choose images"), [png("a.png"), png("b.png")]);
  await user.upload(await screen.findByLabelText("Add a mask"), png("mask.png"));
  await waitFor(() => {
    const { body } = sent.at(-1) ?? {};
    expect(body).toMatchObject({ images: [expect.any(String), expect.any(String)] });
    expect(body).toHaveProperty("mask");
  });
  await user.click(screen.getByRole("button", { name: "Edit" }));
  await screen.findByAltText("1: add a boat");
  const { path, body } = sent.at(-1) ?? {};
  expect(path).toBe("images/edits");
  const form = body instanceof FormData ? body : new FormData();
  expect(form.getAll("image[]")).toHaveLength(2);
  expect(form.getAll("mask")).toHaveLength(1);
  expect(form.get("prompt")).toBe("add a boat");
  await user.click(screen.getByRole("button", { name: "Remove b.png" }));
  await user.click(screen.getByRole("button", { name: "Edit image 1" }));
  screen.getByRole("button", { name: "Remove image-1.png" });
});

test("files that are no images, or more than the model takes, are named", async () => {
  const { user } = open("/playground/images?model=acme/paint", { estimate });
  const field = await screen.findByLabelText("Choose images");
  await user.upload(field, [png("a.png"), png("b.png"), png("c.png")]);
  await screen.findByText("This model takes at most 2 images.");
  screen.getByRole("button", { name: "Remove b.png" });
  expect(screen.queryByRole("button", { name: "Remove c.png" })).toBeNull();
});

test("previews are shown while the image is drawn", async () => {
  const event = (type: string, more: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, b64_json: "iVBORw0K", ...more })}\n\n`;
  const first = event("image_generation.partial_image", { partial_image_index: 0 });
  const last = event("image_generation.completed", { usage: { cost: 0.05 } });
  const gate = Promise.withResolvers<void>();
  const images = () => {
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(encoder.encode(first));
        await gate.promise;
        controller.enqueue(encoder.encode(last));
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
  const { user, sent } = open("/playground/images?model=acme/paint", { estimate, images });
  await user.type(await screen.findByLabelText("Prompt"), "a lighthouse");
  await user.click(await screen.findByLabelText(/^Show previews/));
  await user.click(screen.getByRole("button", { name: "Draw" }));
  await screen.findByAltText("Preview of what is being drawn");
  gate.resolve();
  await screen.findByAltText("1: a lighthouse");
  expect(screen.queryByAltText("Preview of what is being drawn")).toBeNull();
  screen.getByText("$0.05");
  expect(sent.at(-1)?.body).toMatchObject({ stream: true, partial_images: 2 });
});
