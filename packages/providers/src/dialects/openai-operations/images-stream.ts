// Reads streamed images: previews are passed on as they come, and each finished image is an event of its own, which counts.
import { isObject, type JsonObject, parseObject, parseText } from "@turnpike/base";
import { isSseDone, type TokenUsage } from "@turnpike/wire";
import type { Provider, StreamEvent, StreamOptions } from "../../provider.ts";
import { isErrorBody } from "../../refusals/parse-error-body.ts";
import { refusedInside } from "../../refusals/refuse.ts";
import { PayloadStream } from "../payload-stream.ts";
import { countImages, parseImagesUsage } from "./image-counts.ts";

export class ImagesStream extends PayloadStream {
  readonly #provider: Provider;
  readonly #headers: Headers;
  readonly #asked: number;
  #images = 0;
  #usage: TokenUsage | undefined;
  #form: JsonObject = {};

  constructor(provider: Provider, imageCount: number, options: StreamOptions) {
    super(options);
    this.#provider = provider;
    this.#headers = options.headers;
    this.#asked = imageCount;
  }

  /** Some servers end after the last image without saying so. */
  override get finished(): boolean {
    return this.done || this.#images > 0;
  }

  protected read(payload: string, events: StreamEvent[], isNamedError: boolean): void {
    const source = parseObject(payload);
    if (isSseDone(payload)) this.#complete(events);
    if (source === undefined) return;
    const type = parseText(source.type) ?? "";
    if (isNamedError || type === "error" || isErrorBody(source)) throw this.refused(source);
    if (!type.endsWith(".partial_image") && !type.endsWith(".completed")) return;
    const { usage, ...image } = source;
    events.push({
      kind: "chunk",
      json: JSON.stringify(image),
      name: type,
      tokens: 0,
      isShown: true,
    });
    if (!type.endsWith(".completed")) return;
    this.#images += 1;
    this.#form = image;
    if (isObject(usage)) this.#addUsage(parseImagesUsage(usage, undefined));
    if (this.#images >= this.#asked) this.#complete(events);
  }

  /** Each finished image reports its own. */
  #addUsage(usage: TokenUsage | undefined): void {
    const before = this.#usage;
    if (usage === undefined || before === undefined) this.#usage = usage ?? before;
    else {
      const { imagePromptTokens = 0, imageCompletionTokens = 0 } = before;
      this.#usage = {
        ...usage,
        promptTokens: usage.promptTokens + before.promptTokens,
        completionTokens: usage.completionTokens + before.completionTokens,
        cachedTokens: usage.cachedTokens + before.cachedTokens,
        imagePromptTokens: (usage.imagePromptTokens ?? 0) + imagePromptTokens,
        imageCompletionTokens: (usage.imageCompletionTokens ?? 0) + imageCompletionTokens,
      };
    }
  }

  protected refused(source: JsonObject) {
    return refusedInside(source, this.#provider, this.#headers);
  }

  protected override complete(events: StreamEvent[]): void {
    this.#complete(events);
  }

  #complete(events: StreamEvent[]): void {
    if (this.#images === 0) throw this.whyIncomplete();
    const units = [countImages(this.#images, this.#form)];
    events.push({ kind: "delivered", units });
    if (this.#usage !== undefined) events.push({ kind: "usage", usage: { ...this.#usage, units } });
    super.complete(events);
  }
}
