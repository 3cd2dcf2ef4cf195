// An event stream as received: every event, every comment, and whether it ended as it should.
import { asObject, type JsonObject } from "./ask-server.ts";

export type ReadStream = {
  readonly text: string;
  /** The JSON events in order, without `[DONE]`. */
  readonly events: readonly JsonObject[];
  /** Comment lines without their colon. */
  readonly comments: readonly string[];
  /** True if `data: [DONE]` and a blank line were the last bytes. */
  readonly done: boolean;
};

/** Reads a stream to its end; throws for a line that is neither an event, a comment nor blank. */
export async function readEvents(response: Response): Promise<ReadStream> {
  return parseEvents(await response.text());
}

export function parseEvents(text: string): ReadStream {
  const events: JsonObject[] = [];
  const comments: string[] = [];
  for (const line of text.split("\n")) {
    if (line === "" || line === "data: [DONE]") continue;
    if (line.startsWith(": ")) comments.push(line.slice(2));
    else if (line.startsWith("data: ")) events.push(asObject(JSON.parse(line.slice(6))));
    else throw new Error(`not a line of an event stream: ${line.slice(0, 200)}`);
  }
  return { text, events, comments, done: text.endsWith("\n\ndata: [DONE]\n\n") };
}

/** The events alone: a comment is a line, with or without a blank one behind it. */
export function withoutComments(text: string): string {
  return text.replace(/^:.*\n/gm, "");
}

/** The content of all deltas of choice 0. */
export function contentOf({ events }: ReadStream): string {
  return events
    .flatMap((event) => (Array.isArray(event.choices) ? event.choices : []))
    .map((choice) => asObject(choice))
    .filter((choice) => choice.index === 0)
    .map((choice) => asObject(choice.delta).content ?? "")
    .join("");
}
