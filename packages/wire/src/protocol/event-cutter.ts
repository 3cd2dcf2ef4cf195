// Cuts the bytes of a stream of server-sent events into its events, each as it was sent. Comments belong to no event: they only keep a
// client waiting.

const comments = /^(?::[^\n]*\n)+/;
const end = "\n\n";

export class EventCutter {
  readonly #decoder = new TextDecoder();
  /** The beginning of an event whose end has not arrived, without a last CR. */
  #rest = "";
  /** Perhaps the first half of a line's end. */
  #carriageReturn = "";

  /** The events that are complete with `bytes`, each with the blank line behind it. */
  push(bytes: Uint8Array): string[] {
    const events: string[] = [];
    let searchFrom = Math.max(0, this.#rest.length - 1);
    const text = this.#rest + this.#unify(this.#decoder.decode(bytes, { stream: true }));
    let start = 0;
    for (;;) {
      const at = text.indexOf(end, searchFrom);
      if (at === -1) break;
      const event = text.slice(start, at + end.length).replace(comments, "");
      if (event.trim() !== "") events.push(event);
      start = at + end.length;
      searchFrom = start;
    }
    this.#rest = text.slice(start);
    return events;
  }

  #unify(decoded: string): string {
    const text = this.#carriageReturn + decoded;
    this.#carriageReturn = text.endsWith("\r") ? "\r" : "";
    const whole = this.#carriageReturn === "" ? text : text.slice(0, -1);
    return whole.includes("\r") ? whole.replaceAll("\r\n", "\n") : whole;
  }
}
