// Text of a stream outside of its events, of which only an error is of interest: the text after its last
// blank line. Bounded, and keeps only a reference to each read while events arrive.

const maxStrayBytes = 64 * 1024;

export class StrayText {
  #reads: Uint8Array[] = [];
  #size = 0;

  /** One read; with `endsEvent` everything before it is part of events. */
  push(bytes: Uint8Array, endsEvent: boolean): void {
    if (endsEvent) {
      this.#reads = [];
      this.#size = 0;
    }
    if (this.#size > maxStrayBytes) return;
    this.#reads.push(bytes);
    this.#size += bytes.length;
  }

  get text(): string {
    const text = new TextDecoder().decode(Buffer.concat(this.#reads)).replaceAll(/\r\n?/g, "\n");
    const events = text.lastIndexOf("\n\n");
    return text.slice(events === -1 ? 0 : events + 2).trim();
  }
}
