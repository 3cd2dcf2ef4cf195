// The facts of an installation that the docs are filled in with, and what a snippet of the docs is.
import type { Snippet } from "../../ui/code-snippet.tsx";

export type DocFacts = {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** One that can call tools. */
  readonly toolsModel: string;
  readonly product: string;
};

export type DocSnippet = Snippet & {
  /** The program that tests run it with; omitted for configuration that is only read. */
  readonly runner?: "bash" | "python" | "node";
};
