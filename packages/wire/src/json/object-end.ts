// Where a JSON object that arrives in fragments ends. Each character is examined once, and only when the
// end is asked for.

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

export class ObjectEnd {
  #unread = "";
  /** Undefined until its first character, which distinguishes an object from other text. */
  #isObject: boolean | undefined;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #hasEnded = false;

  add(fragment: string): void {
    if (!this.#hasEnded) this.#unread += fragment;
  }

  /** Whether the brace that closes the object was among the fragments. */
  get isReached(): boolean {
    const text = this.#isObject === undefined ? this.#unread.trimStart() : this.#unread;
    this.#unread = "";
    if (text !== "") this.#isObject ??= text.charCodeAt(0) === openBrace;
    for (let at = 0; at < text.length && this.#isObject && !this.#hasEnded; at += 1) {
      this.#read(text.charCodeAt(at));
    }
    return this.#hasEnded;
  }

  #read(code: number): void {
    if (this.#inString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (code === backslash) this.#isEscaped = true;
      else if (code === quote) this.#inString = false;
    } else if (code === quote) this.#inString = true;
    else if (code === openBrace || code === openBracket) this.#depth += 1;
    else if (code === closeBrace || code === closeBracket) {
      this.#depth -= 1;
      this.#hasEnded = this.#depth === 0;
    }
  }
}
