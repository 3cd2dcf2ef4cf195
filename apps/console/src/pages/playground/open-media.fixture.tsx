// A page of the playground for images or audio, whose routes answer what a test specifies.
import type { Model } from "../../../test/model.fixture.ts";
import { type Answers, openApp } from "../../../test/open-app.fixture.tsx";

type Sent = { readonly path: string; readonly body: unknown };

type Offered = {
  readonly models: readonly Model[];
  /** What the providers of each take. */
  readonly parameters: readonly string[];
  readonly api?: Answers;
};

/** `answers` are by the path below `/console/playground/`. */
export function openMedia(
  address: string,
  { models, parameters, api = {} }: Offered,
  answers: Readonly<Record<string, () => Response>>,
) {
  const detail = (input: unknown) => {
    const [model] = models.filter(({ id }) => JSON.stringify(input).includes(id));
    const rest = { routes: [], serviceTiers: [], priceHistory: [] };
    return { data: { ...model, ...rest, supportedParameters: parameters } };
  };
  const { user } = openApp(address, {
    "models.list": () => ({ data: models }),
    "models.detail": detail,
    ...api,
  });
  const sent: Sent[] = [];
  const others = globalThis.fetch;
  const answer = async (target: string | URL | Request, init?: RequestInit) => {
    const path = String(target).replace("/console/playground/", "");
    const own = answers[path];
    if (own === undefined) return others(target, init);
    const body = init?.body;
    sent.push({ path, body: typeof body === "string" ? JSON.parse(body) : body });
    return own();
  };
  globalThis.fetch = Object.assign(answer, { preconnect: () => undefined });
  return { user, sent };
}
