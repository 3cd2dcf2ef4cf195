// The order of an Anthropic stream's events, for callers who get them unchanged: a message begins once,
// and its blocks follow one another. A missing end is added; any other order, which no client could
// follow, is a broken answer.
import { Fault, isObject, type JsonObject, parseText } from "@turnpike/base";

export class BlockOrder {
  #begun = false;
  #stopped = false;
  #blocks = 0;
  #isOpen = false;

  /**
   * Processes one event; true if the open block has to end before it. Throws the Fault of an event that
   * is not allowed at this point.
   */
  follow(name: string, source: JsonObject): boolean {
    if (this.#begun === (name === "message_start") || !eventName.test(name)) throw outOfOrder();
    this.#begun = true;
    switch (name) {
      case "content_block_start":
        return this.#begin(source);
      case "content_block_delta":
        this.#check(source, isObject(source.delta));
        return false;
      case "content_block_stop":
        this.#check(source, true);
        this.#isOpen = false;
        return false;
      case "message_delta":
        this.#stopped = true;
        return this.#end();
      default:
        return false;
    }
  }

  /** The index of the block that began last. */
  get last(): number {
    return this.#blocks - 1;
  }

  #begin({ index, content_block: block }: JsonObject): boolean {
    if (index !== this.#blocks || this.#stopped || !isBlock(block)) throw outOfOrder();
    const wasOpen = this.#end();
    this.#blocks += 1;
    this.#isOpen = true;
    return wasOpen;
  }

  #check({ index }: JsonObject, isWhole: boolean): void {
    if (!this.#isOpen || index !== this.last || !isWhole) throw outOfOrder();
  }

  #end(): boolean {
    const wasOpen = this.#isOpen;
    this.#isOpen = false;
    return wasOpen;
  }
}

function isBlock(block: unknown): boolean {
  return isObject(block) && parseText(block.type) !== undefined;
}

/** What can be written as the name of an event. */
export const eventName = /^[\w.]{1,100}$/;

export function outOfOrder(): Fault {
  return new Fault("bad_gateway", "The upstream provider sent its answer out of order.");
}
