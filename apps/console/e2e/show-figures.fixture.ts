// Answers for two models with measured figures and for all others without, whatever the server under test has measured.
import type { Page } from "playwright-core";
import { models } from "./catalog.fixture.ts";

type Json = Readonly<Record<string, unknown>>;

const figures: Readonly<Record<string, Json>> = {
  [models.large]: {
    firstTokenMs: 640,
    tokensPerSecond: 62.4,
    recentAvailability: 0.9991,
    monthAvailability: 0.9987,
  },
  [models.mini]: {
    firstTokenMs: 210,
    tokensPerSecond: 148,
    recentAvailability: 1,
    monthAvailability: 0.964,
  },
};

const unknown: Json = {
  firstTokenMs: null,
  tokensPerSecond: null,
  recentAvailability: null,
  monthAvailability: null,
};

function measured(model: Json): Json {
  const known = figures[String(model.id)] ?? unknown;
  const routes = Array.isArray(model.routes)
    ? { routes: model.routes.map((route) => ({ ...route, ...known })) }
    : {};
  return { ...model, figures: known, ...routes };
}

/** `data` of a procedure that answers models. */
function withFigures(name: string, data: unknown, patch: Json): unknown {
  if (name === "models.list" && Array.isArray(data)) return data.map(measured);
  const isModel = name === "models.detail" && typeof data === "object" && data !== null;
  return isModel ? measured({ ...data, ...patch }) : data;
}

/** `patch`: what else the page of a model is told. */
export async function showFigures(page: Page, patch: Json = {}): Promise<void> {
  await page.route(/\/trpc\/[^?]*models\.(list|detail)/, async (route) => {
    const answer = await route.fetch();
    const names = new URL(route.request().url()).pathname.replace("/trpc/", "").split(",");
    const parts: readonly { readonly result?: { readonly data: unknown } }[] = await answer.json();
    const json = parts.map((part, index) =>
      part.result === undefined
        ? part
        : { result: { data: withFigures(names[index] ?? "", part.result.data, patch) } },
    );
    await route.fulfill({ response: answer, json });
  });
}
