// The form of an edit of images: its fields, one or several images, and a mask.
import { withCommonShapes } from "../fields/operations/operation-field.ts";
import type { FormProtocol } from "../protocol/protocol.ts";
import {
  assertEdits,
  type ImageRequest,
  parseImageRequest,
  referencesMax,
} from "./parse-image-request.ts";

const mebibyte = 1024 * 1024;

/** Source: OpenAI's `CreateImageEditRequest`. */
export const imageForm: FormProtocol<ImageRequest> = {
  bounds: {
    maxBytes: 100 * mebibyte,
    files: {
      image: { maxBytes: 50 * mebibyte, maxCount: referencesMax },
      mask: { maxBytes: 4 * mebibyte },
    },
    shapes: withCommonShapes({
      n: "number",
      output_compression: "number",
      partial_images: "number",
      seed: "number",
      stream: "boolean",
    }),
  },
  media: { image: "image", mask: "image" },
  parse(form, text) {
    const request = parseImageRequest(JSON.stringify(form.fields));
    const images = form.files.filter(({ field }) => field === "image");
    const mask = form.files.find(({ field }) => field === "mask");
    return assertEdits({
      ...request,
      raw: text,
      references: [...request.references, ...images.map((file) => ({ file }))],
      mask: mask === undefined ? request.mask : { file: mask },
    });
  },
};
