// Ids of tool calls as a provider accepts them. A conversation may have begun with another provider, whose ids have
// other characters, are longer, or are counted from the beginning in every turn.
import { digestOf } from "./fit-identifier.ts";

type IdShape = {
  readonly accepts: RegExp;
  readonly prefix: string;
  /** Of the digest that replaces an id. */
  readonly digestChars: number;
  /** Whether no other call of the conversation may have it; calls of one turn never share one. */
  readonly isUnique: boolean;
};

/** By the names of the quirk `toolCallIds`, and those of other APIs. Sources: `conversation-rules.ts`. */
const idShapes = {
  any: { accepts: /^/, prefix: "", digestChars: 32, isUnique: false },
  forty_characters: { accepts: /^.{1,40}$/s, prefix: "", digestChars: 40, isUnique: false },
  sixty_four_characters: { accepts: /^.{1,64}$/s, prefix: "", digestChars: 64, isUnique: false },
  nine_alphanumerics: { accepts: /^[A-Za-z0-9]{9}$/, prefix: "", digestChars: 9, isUnique: true },
  letters_digits: {
    accepts: /^[A-Za-z0-9_-]+$/,
    prefix: "call_",
    digestChars: 24,
    isUnique: true,
  },
} as const satisfies Readonly<Record<string, IdShape>>;

export type IdShapeName = keyof typeof idShapes;

/** The id of a result; a repeated one answers a call that has its result. */
export type ResultId = { readonly sent: string; readonly isRepeated: boolean };

/**
 * The ids of one conversation, asked for in its order: the same beginning of a conversation always has the same ids,
 * and different calls never share one.
 */
export class CallIds {
  readonly #shape: IdShape;
  /** What was sent, and for which of the caller's ids. */
  readonly #taken = new Map<string, string>();
  /** Where the next digest of a repeated id begins: those before are taken. */
  readonly #tries = new Map<string, number>();
  /** Calls of the last turn in their order, and how many of them have a result, by the caller's id. */
  readonly #open = new Map<string, { readonly sent: string[]; answered: number }>();
  /** The last call of the turn that has a result, by the caller's id. */
  readonly #answered = new Map<string, string>();
  readonly #ofTurn = new Set<string>();

  constructor(shape: IdShapeName) {
    this.#shape = idShapes[shape];
  }

  beginTurn(): void {
    this.#open.clear();
    this.#answered.clear();
    this.#ofTurn.clear();
    if (!this.#shape.isUnique) this.#tries.clear();
  }

  call(own: string): string {
    const sent = this.#free(own);
    this.#taken.set(sent, own);
    this.#ofTurn.add(sent);
    const open = this.#open.get(own);
    if (open === undefined) this.#open.set(own, { sent: [sent], answered: 0 });
    else open.sent.push(sent);
    return sent;
  }

  /** Undefined if no call of the last turn has this id. */
  result(own: string): ResultId | undefined {
    const open = this.#open.get(own);
    const sent = open?.sent[open.answered];
    if (open !== undefined && sent !== undefined) {
      open.answered += 1;
      this.#answered.set(own, sent);
      return { sent, isRepeated: false };
    }
    const answered = this.#answered.get(own);
    return answered === undefined ? undefined : { sent: answered, isRepeated: true };
  }

  #free(own: string): string {
    const { accepts } = this.#shape;
    let tries = this.#tries.get(own) ?? 0;
    let sent = tries === 0 && accepts.test(own) ? own : this.#digestFor(own, tries);
    while (this.#isTaken(sent, own)) {
      tries += 1;
      sent = this.#digestFor(own, tries);
    }
    if (tries > 0) this.#tries.set(own, tries + 1);
    return sent;
  }

  #isTaken(sent: string, own: string): boolean {
    const holder = this.#taken.get(sent);
    if (holder === undefined) return false;
    return this.#shape.isUnique || holder !== own || this.#ofTurn.has(sent);
  }

  #digestFor(own: string, tries: number): string {
    const text = tries === 0 ? own : `${own}\n${tries}`;
    return this.#shape.prefix + digestOf(text, this.#shape.digestChars);
  }
}
