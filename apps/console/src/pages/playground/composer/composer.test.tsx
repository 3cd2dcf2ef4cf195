import { expect, test } from "bun:test";
import { fireEvent, screen, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { open, openStream, serve } from "../open-playground.fixture.tsx";

const field = () => screen.findByLabelText("Your message");

test("Enter sends; Shift+Enter begins a line and sends nothing", async () => {
  const calls = serve(openStream().answer);
  open();
  await userEvent.type(await field(), "one{Shift>}{Enter}{/Shift}two");
  expect(await field()).toHaveProperty("value", "one\ntwo");
  expect(calls).toHaveLength(0);
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(JSON.parse(String(calls[0]?.init?.body)).messages).toEqual([
    { role: "user", content: "one\ntwo" },
  ]);
  expect(await field()).toHaveProperty("value", "");
});

test("Enter that ends the input of a character does not send", async () => {
  const calls = serve(openStream().answer);
  open();
  await userEvent.type(await field(), "にほん");
  fireEvent.keyDown(await field(), { key: "Enter", isComposing: true });
  expect(calls).toHaveLength(0);
});

test("a pasted image is attached and sent; pasted text stays text", async () => {
  const calls = serve(openStream().answer);
  open();
  const image = new File([Uint8Array.of(1, 2, 3)], "dot.png", { type: "image/png" });
  const box = await field();
  expect(fireEvent.paste(box, { clipboardData: { files: [], getData: () => "text" } })).toBe(true);
  // The browser would paste the name of the file as text.
  expect(fireEvent.paste(box, { clipboardData: { files: [image] } })).toBe(false);
  await screen.findByRole("img", { name: "dot.png" });
  await userEvent.type(box, "What is it?{Enter}");
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(JSON.parse(String(calls[0]?.init?.body)).messages[0].content).toEqual([
    { type: "text", text: "What is it?" },
    { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
  ]);
});
