// What differs between services that are asked for images at an address of OpenAI's API: their requests, and what these cannot
// say. Their answers are read alike.
import type { Fault } from "@turnpike/base";
import type { ImageRequest } from "@turnpike/wire";
import type { DialectRequest, OpenaiProvider, UpstreamCall } from "../../provider.ts";

export type ImagesForm = {
  readonly buildRequest: (call: UpstreamCall<ImageRequest, OpenaiProvider>) => DialectRequest;
  /** Parameters that are refused or left out, whatever their value. */
  readonly lost: ReadonlySet<string>;
  readonly whyUntranslatable: (request: ImageRequest) => Fault | undefined;
};
