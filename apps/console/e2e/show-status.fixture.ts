// Answers `/status.json` with a status that has everything a page can show: models in each state, incidents, and figures
// that are old.
import type { Page } from "playwright-core";

const days = 90;
const history = (share: number, firstTokenMs: number) => ({
  overall: share,
  availability: Array.from({ length: days }, (_, day) =>
    day < 20 ? null : day === 60 ? share - 0.05 : share,
  ),
  firstTokenMs: Array.from({ length: days }, () => firstTokenMs),
});
const unknown = {
  overall: null,
  availability: Array.from({ length: days }, () => null),
  firstTokenMs: Array.from({ length: days }, () => null),
};

const status = {
  state: "degraded",
  ageSeconds: 300,
  from: "2026-08-29",
  models: [
    {
      id: "vendor/large",
      name: "Large",
      state: "operational",
      ...history(0.9999, 420),
      providers: [{ id: "first", state: "operational", ...history(0.9999, 420) }],
    },
    {
      id: "vendor/small",
      name: "Small",
      state: "degraded",
      ...history(0.98, 230),
      providers: [
        { id: "first", state: "outage", ...history(0.91, 230) },
        { id: "second", state: "operational", ...history(0.999, 231) },
      ],
    },
    {
      id: "vendor/new",
      name: "New",
      state: "maintenance",
      ...unknown,
      providers: [{ id: "first", state: "maintenance", ...unknown }],
    },
  ],
  uncalledModels: 12,
  incidents: [
    {
      id: 2,
      title: "Small fails often",
      impact: "degraded",
      state: "identified",
      model: "vendor/small",
      provider: "first",
      resolvedAt: null,
      startedAt: "2026-11-25T10:00:00.000Z",
      updates: [
        { at: "2026-11-25T10:20:00.000Z", state: "identified", text: "A provider is down." },
        { at: "2026-11-25T10:00:00.000Z", state: "investigating", text: "We look into it." },
      ],
    },
    {
      id: 1,
      title: "No answers",
      impact: "outage",
      state: "resolved",
      model: "",
      provider: "",
      resolvedAt: "2026-10-28T09:00:00.000Z",
      startedAt: "2026-10-28T08:00:00.000Z",
      updates: [{ at: "2026-10-28T09:00:00.000Z", state: "resolved", text: "It is over." }],
    },
  ],
};

/** `id`: that of the first model. */
export async function showStatus(page: Page, id = "vendor/large"): Promise<void> {
  const models = status.models.map((model, at) => (at === 0 ? { ...model, id } : model));
  await page.route("**/status.json", (route) => route.fulfill({ json: { ...status, models } }));
}

/** One incident of everything, and as many models as a large catalog has. */
export async function showBusyStatus(page: Page, count: number): Promise<void> {
  const models = Array.from({ length: count }, (_, at) => ({
    id: `vendor/model-${at}`,
    name: `Model ${at}`,
    state: "operational",
    ...history(0.9999, 420),
    providers: [{ id: "first", state: "operational", ...history(0.9999, 420) }],
  }));
  const incident = { ...status.incidents[0], title: "Everything is slow", model: "", provider: "" };
  const json = { ...status, ageSeconds: 0, models, uncalledModels: 0, incidents: [incident] };
  await page.route("**/status.json", (route) => route.fulfill({ json }));
}
