// Images in the playground: what they may cost is said before, what they cost afterwards, and a failure says what to do.
import { afterEach, expect, test } from "bun:test";
import { screen } from "@solidjs/testing-library";
import { modelOf } from "../../../test/model.fixture.ts";
import { openApp } from "../../../test/open-app.fixture.tsx";

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

const models = [
  modelOf("acme/chat", { name: "Acme Chat" }),
  modelOf("acme/draw", { name: "Acme Draw", operation: "image" }),
  modelOf("acme/paint", { name: "Acme Paint", operation: "image" }),
];

type Sent = { readonly path: string; readonly body: unknown };

/** Opens the page, and answers its routes with `answers`. */
function open(address: string, answers: Readonly<Record<string, () => Response>>) {
  const { user } = openApp(address, { "models.list": () => ({ data: models }) });
  const sent: Sent[] = [];
  const others = globalThis.fetch;
  const answer = async (target: string | URL | Request, init?: RequestInit) => {
    const path = String(target);
    const own = answers[path.replace("/console/playground/", "")];
    if (own === undefined) return others(target, init);
    sent.push({ path, body: JSON.parse(String(init?.body)) });
    return own();
  };
  globalThis.fetch = Object.assign(answer, { preconnect: () => undefined });
  return { user, sent };
}

const estimate = () => Response.json({ max_cost_usd: "0.08" });

test("images say the most they cost before, are shown, and say what they cost", async () => {
  const images = () =>
    Response.json({
      data: [{ b64_json: "iVBORw0K" }, { b64_json: "/9j/4AAQ" }],
      usage: { cost: 0.0412 },
    });
  const { user, sent } = open("/playground/images?model=acme/paint", { estimate, images });
  await user.type(await screen.findByLabelText("Prompt"), "a lighthouse");
  await user.selectOptions(screen.getByLabelText("Images"), "2");
  await screen.findByText("At most $0.08");
  const body = { model: "acme/paint", prompt: "a lighthouse", size: "1024x1024", n: 2 };
  expect(sent.at(-1)).toEqual({ path: "/console/playground/estimate", body });
  await user.click(screen.getByRole("button", { name: "Draw" }));
  const first = await screen.findByAltText("1: a lighthouse");
  expect(first.getAttribute("src")).toBe("data:image/png;base64,iVBORw0K");
  expect(screen.getByAltText("2: a lighthouse").getAttribute("src")).toStartWith("data:image/jpeg");
  screen.getByText("Cost: $0.0412");
  screen.getByRole("button", { name: "Download image 2" });
  expect(sent.at(-1)).toEqual({ path: "/console/playground/images", body });
});

test("only models for images can be chosen, and one that is refused says why", async () => {
  const refusal = {
    code: "insufficient_quota",
    message: "No.",
    metadata: { needed_usd: "0.08", available_usd: "0.01" },
  };
  const images = () => Response.json({ error: refusal }, { status: 402 });
  const { user } = open("/playground/images", { estimate, images });
  const choices = [...(await screen.findByLabelText<HTMLSelectElement>("Model")).options];
  expect(choices.map(({ text }) => text)).toEqual(["Acme Draw", "Acme Paint"]);
  const draw = screen.getByRole<HTMLButtonElement>("button", { name: "Draw" });
  expect(draw.disabled).toBe(true);
  await user.type(screen.getByLabelText("Prompt"), "a lighthouse");
  await user.click(draw);
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("Your balance is too low for this request.");
  expect(alert.textContent).toContain("It needs up to $0.08");
});
