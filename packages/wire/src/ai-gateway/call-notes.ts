// What the translation of a call of the AI SDK found besides its result: whose field became which, renamed tools, and what the
// answer has to warn of because it was not honored.
import { Fault, type JsonObject } from "@turnpike/base";
import { renameParam } from "../caller/name-for-caller.ts";
import { TranslationNotes } from "../messages/translate-blocks.ts";
import { messageOrigin } from "../protocol/message-origin.ts";

/** The AI SDK's specification of models: 2 is that of AI SDK 5, 3 of 6 and 4 of 7. */
export type Specification = 2 | 3 | 4;

/** Something that a call asks for and its answer goes without. */
export type CallWarning = { readonly feature: string; readonly details: string };

/** A body may have a quarter of a million members: an answer names the first of those that are not known, and not in full. */
const warningsMax = 100;
const nameMaxChars = 200;

export class CallNotes extends TranslationNotes {
  readonly warnings: CallWarning[] = [];
  /** The caller's own paths, by those in the translation. */
  readonly #paths = new Map<string, string>();

  warn(feature: string, details: string): void {
    if (this.warnings.length >= warningsMax) return;
    const [named, said] = [feature.slice(0, nameMaxChars), details.slice(0, 2 * nameMaxChars)];
    this.warnings.push({ feature: named, details: said });
  }

  /** Notes that `name` of the translation is `path` in the caller's own body. */
  name(name: string, path: string): void {
    this.#paths.set(name, path);
  }

  /** The caller's own path of a field of `translation`; members inside keep their names. */
  callerParam(param: string, translation: JsonObject): string {
    const origin = messageOrigin(param, translation, this.origins);
    if (origin !== undefined) return origin;
    let prefix = param;
    while (prefix !== "") {
      const path = this.#paths.get(prefix);
      if (path !== undefined) return path + param.slice(prefix.length);
      prefix = prefix.slice(0, Math.max(prefix.lastIndexOf("."), prefix.lastIndexOf("["), 0));
    }
    return param;
  }

  /** What `parse` returns; a refusal of it names the caller's own field. */
  naming<Result>(translation: JsonObject, parse: () => Result): Result {
    try {
      return parse();
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.details.param === undefined) throw thrown;
      const { param } = thrown.details;
      throw renameParam(thrown, param, this.callerParam(param, translation));
    }
  }
}

/** As the specification of the caller writes it. */
export function presentWarnings(
  warnings: readonly CallWarning[],
  specification: Specification,
): JsonObject[] {
  return warnings.map(({ feature, details }) =>
    specification === 2
      ? { type: "unsupported-setting", setting: feature, details }
      : { type: "unsupported", feature, details },
  );
}
