// Images for a model that cannot see: refused here, because their bytes are not held as text and an
// upstream that reads them as text would read them at the operator's expense.
import { Fault } from "@turnpike/base";
import type { Model } from "@turnpike/catalog";
import type { ChatRequest } from "@turnpike/wire";

/** Throws `unsupported_value` with the path of the first image. */
export function refuseImages(model: Model, chat: ChatRequest): void {
  if (chat.firstImage === undefined || model.capabilities.includes("vision")) return;
  throw new Fault(
    "unsupported_value",
    `Invalid content type: 'image_url' is only supported by models with vision, and \`${model.id}\` is none.`,
    { param: chat.firstImage },
  );
}
