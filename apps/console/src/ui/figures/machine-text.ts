// Which texts a browser that translates the page must leave as they are. Lists whose values are words as well as amounts,
// ids and names of models ask for each value.

const amount = /^[-+−]?\$[\d.,]+$/;
const machine =
  /^(?:[\da-f]{8}-[\da-f]{4}-[\da-f-]{22}|(?:gen|req|chatcmpl)[-_][\da-f]{8,}|sk-\S+|[\w.-]+\/[\w.:-]+)$/;

/** The attribute `translate` of an element that shows nothing but this. */
export function translateOf(shown: unknown): "no" | undefined {
  if (typeof shown !== "string") return undefined;
  return amount.test(shown) || machine.test(shown) ? "no" : undefined;
}
