// An image that the model drew, as the item of the tool for it. It comes whole, so that its item begins and ends at once.
import type { JsonObject } from "@turnpike/base";
import { imageCallType } from "./image-tool.ts";
import {
  itemAdded,
  itemDone,
  type OpenItem,
  type OutputEvent,
  type Place,
} from "./output-events.ts";

const events = ["in_progress", "generating", "completed"] as const;

export class ImageItem implements OpenItem {
  readonly item: JsonObject;
  readonly #place: Place;

  /** `url` is a data URL, or where the image can be fetched. */
  constructor(place: Place, url: string) {
    this.#place = place;
    const shown = url.startsWith("data:")
      ? { result: url.slice(url.indexOf(",") + 1) }
      : { result: null, image_url: url };
    this.item = { id: place.item_id, type: imageCallType, status: "completed", ...shown };
  }

  open(): OutputEvent[] {
    return [
      itemAdded(this.#place, { ...this.item, status: "in_progress", result: null }),
      ...events.map((what) => ({ type: `response.${imageCallType}.${what}`, ...this.#place })),
    ];
  }

  close(): OutputEvent[] {
    return [itemDone(this.#place, this.item)];
  }
}
