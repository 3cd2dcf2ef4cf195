// The name of a call, which some upstreams send in pieces and others again with each piece of its arguments. It is
// shown once, when it is complete: when it is that of an offered tool, or when its arguments begin.
import { isObject } from "@turnpike/base";
import type { ChatRequest } from "@turnpike/wire";

export class CallName {
  #held: string | undefined;
  #isKnown = false;

  /** Whether it was shown. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Whether there is something of it that was not shown. */
  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** The next piece; the same text once more, or the text so far with more behind it, is no piece. */
  add(piece: string | undefined): void {
    if (piece === undefined || this.#isKnown) return;
    const held = this.#held ?? "";
    this.#held = piece.startsWith(held) ? piece : held + piece;
  }

  /** The name to show now, once; undefined while it may continue. */
  take(offered: ReadonlySet<string>, hasEnded: boolean): string | undefined {
    const held = this.#held;
    if (held === undefined || !(hasEnded || isComplete(held, offered))) return undefined;
    this.#held = undefined;
    this.#isKnown = true;
    return held;
  }
}

/** Without tools there is nothing to compare it with. */
function isComplete(name: string, offered: ReadonlySet<string>): boolean {
  if (offered.size === 0) return true;
  if (!offered.has(name)) return false;
  for (const other of offered) if (other !== name && other.startsWith(name)) return false;
  return true;
}

/** By its tools; of a call there are many deltas. */
const namesOf = new WeakMap<object, ReadonlySet<string>>();
const none: ReadonlySet<string> = new Set();

/** The names of the tools of a request. */
export function offeredNames({ parsed }: ChatRequest): ReadonlySet<string> {
  const { tools } = parsed;
  if (!Array.isArray(tools)) return none;
  let names = namesOf.get(tools);
  if (names === undefined) {
    names = new Set(tools.flatMap(nameOf));
    namesOf.set(tools, names);
  }
  return names;
}

function nameOf(tool: unknown): string[] {
  if (!isObject(tool)) return [];
  const inner = isObject(tool.custom) ? tool.custom : tool.function;
  return isObject(inner) && typeof inner.name === "string" ? [inner.name] : [];
}
