// Markdown of a model while it streams: the part parsed so far as elements. The rest, usually less than a
// word, is shown with the next parse, or as plain text if that is late; all of it is plain text if parsing
// takes too long. The page never waits for the parser.
import type { Token } from "marked";
import type { JSX } from "solid-js";
import { batch, createEffect, createMemo, createSignal, onCleanup, Show } from "solid-js";
import { lexOffThread } from "../../lib/markdown/lex-off-thread.ts";
import { MarkdownTokens } from "./markdown.tsx";

type Read = { readonly text: string; readonly tokens: readonly Token[] };

/** A growing text is parsed at most this often. */
const pauseMs = 60;
/** From then on the rest does not wait for the parser. */
const lateMs = 250;
const nothing: Read = { text: "", tokens: [] };

export function ModelMarkdown(props: { text: string }): JSX.Element {
  const [read, setRead] = createSignal(nothing);
  const [late, setLate] = createSignal(false);
  const [tooHard, setTooHard] = createSignal(false);
  keepReading(() => props.text, { onRead: setRead, onLate: setLate, onTooHard: setTooHard });
  const shown = () => (!tooHard() && props.text.startsWith(read().text) ? read() : nothing);
  const showsAll = () => shown().tokens.length === 0 || late();
  // What was once visible stays visible: a parse that began before it arrives without it.
  const revealedChars = createMemo<number>(
    (chars) => (showsAll() ? props.text.length : Math.min(chars, props.text.length)),
    0,
  );
  const rest = () => props.text.slice(shown().text.length, revealedChars());
  return (
    <div class="flex min-w-0 flex-col gap-3">
      <Show when={shown().tokens.length > 0}>
        <MarkdownTokens tokens={shown().tokens} />
      </Show>
      <Show when={rest()}>
        <p class="leading-relaxed whitespace-pre-wrap wrap-anywhere">{rest()}</p>
      </Show>
      <Show when={tooHard()}>
        <p class="text-sm text-muted">
          Shown as plain text: its formatting takes too long to read.
        </p>
      </Show>
    </div>
  );
}

type Reports = {
  readonly onRead: (read: Read) => void;
  readonly onLate: (late: boolean) => void;
  readonly onTooHard: (tooHard: true) => void;
};

/** Parses one text at a time, then the newest; stops after the first that cannot be parsed. */
function keepReading(text: () => string, { onRead, onLate, onTooHard }: Reports): void {
  let state: "idle" | "reading" | "ended" = "idle";
  let last = "";
  const readOn = async () => {
    const wanted = text();
    if (state !== "idle" || wanted === last) return;
    state = "reading";
    const lateness = setTimeout(() => onLate(true), lateMs);
    const tokens = await lexOffThread(wanted);
    clearTimeout(lateness);
    if (isEnded()) return;
    last = wanted;
    if (tokens === undefined) {
      state = "ended";
      return onTooHard(true);
    }
    batch(() => {
      onRead({ text: wanted, tokens });
      onLate(false);
    });
    setTimeout(() => {
      if (isEnded()) return;
      state = "idle";
      void readOn();
    }, pauseMs);
  };
  const isEnded = () => state === "ended";
  createEffect(() => {
    text();
    void readOn();
  });
  onCleanup(() => {
    state = "ended";
  });
}
