// A form that a caller sent, its files told by what they contain and measured.
import type { JsonObject } from "@turnpike/base";
import type { FormFile } from "../multipart/read-multipart.ts";

/** A file of a form, with what it turned out to be. */
export type UploadedFile = Omit<FormFile, "sha256"> & {
  /** By content, such as `image/png`. */
  readonly mediaType: string;
  /** Of this type, without a dot. */
  readonly extension: string;
  /** Of an image, in pixels. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Of audio, as it was measured, and as long as a provider may find it to be. */
  readonly durationMs?: number;
  readonly holdMs?: number;
};

export type UploadedForm = {
  readonly fields: JsonObject;
  readonly files: readonly UploadedFile[];
};
