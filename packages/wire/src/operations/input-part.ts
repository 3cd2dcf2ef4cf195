// A part of an input that is a text or an image, as moderations and embeddings take it.
import { isObject } from "@turnpike/base";
import { badValue, missing, wrongType } from "../checks/body-fault.ts";
import { imageAddress } from "../checks/check-media.ts";

export type InputPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

/** Throws the Fault that names what is wrong with it. */
export function parseInputPart(entry: unknown, path: string): InputPart {
  if (!isObject(entry)) throw wrongType(path, "an object", entry);
  if (entry.type === "text") {
    if (typeof entry.text !== "string") throw missing(`${path}.text`);
    return { type: "text", text: entry.text };
  }
  if (entry.type === "image_url") {
    const url = isObject(entry.image_url) ? entry.image_url.url : undefined;
    if (typeof url !== "string") throw missing(`${path}.image_url.url`);
    if (!/^(?:https:\/\/|data:image\/)/i.test(url)) {
      throw badValue(`${path}.image_url.url`, "expected an https address or a data URL.");
    }
    imageAddress(url, `${path}.image_url.url`);
    return { type: "image_url", image_url: { url } };
  }
  throw badValue(`${path}.type`, "expected `text` or `image_url`.");
}
