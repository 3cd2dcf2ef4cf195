// What a key may not do whatever its money: models outside its list.
import { Fault } from "@turnpike/base";
import type { Model } from "@turnpike/catalog";
import type { Spender } from "./gateway.ts";

/** Throws `model_not_allowed`. */
export function refuseByKey(spender: Spender, model: Model): void {
  const { allowedModels } = spender.limits;
  if (allowedModels === undefined || allowedModels.includes(model.id)) return;
  throw new Fault("model_not_allowed", `This API key may not use the model \`${model.id}\`.`);
}
