// How much a request of any operation but chat asks to be read.

/** How much a request asks to be read. */
export type InputSize = {
  /** How many inputs are processed on their own: of embeddings, one vector each. */
  readonly inputCount: number;
  /** UTF-8 bytes of all text inputs, before JSON escapes, as often as each is read. */
  readonly textBytes: number;
  /** The text inputs, one entry each. */
  readonly texts: readonly string[];
  /** How many tokens each input has that is an array of tokens. */
  readonly tokenCounts: readonly number[];
  /** A text that is read with each input, such as the query of a reranker. */
  readonly repeatedText?: string;
  /** Where a longer input is cut by a provider that can. */
  readonly inputTokensMax?: number;
};
