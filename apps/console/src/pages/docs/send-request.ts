// Sends a request of the API reference with the reader's own key, which is kept nowhere. Nothing is thrown.
import type { Operation } from "./open-api.ts";

export type Answer = {
  readonly status: number | undefined;
  readonly milliseconds: number;
  readonly text: string;
};

type Filled = {
  readonly operation: Operation;
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
  readonly key: string;
};

const shownMax = 100_000;

export async function sendRequest(filled: Filled): Promise<Answer> {
  const started = performance.now();
  const took = () => Math.round(performance.now() - started);
  try {
    const response = await fetch(addressOf(filled), {
      method: filled.operation.method,
      headers: headersOf(filled),
      // The key decides, not the session.
      credentials: "omit",
      ...(filled.operation.hasBody && { body: filled.body }),
    });
    const text = pretty(await response.text()).slice(0, shownMax);
    return { status: response.status, milliseconds: took(), text };
  } catch {
    return { status: undefined, milliseconds: took(), text: "The server could not be reached." };
  }
}

export function addressOf({ operation, values }: Pick<Filled, "operation" | "values">): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ""),
  );
  const query = new URLSearchParams();
  for (const { name } of operation.parameters.filter((one) => one.in === "query")) {
    const value = values[name] ?? "";
    if (value !== "") query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

function headersOf({ operation, values, key }: Filled): Record<string, string> {
  const named = operation.parameters
    .filter((one) => one.in === "header" && (values[one.name] ?? "") !== "")
    .map((one) => [one.name, values[one.name] ?? ""]);
  return {
    ...(key !== "" && { authorization: `Bearer ${key}` }),
    ...(operation.hasBody && { "content-type": "application/json" }),
    ...Object.fromEntries(named),
  };
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
