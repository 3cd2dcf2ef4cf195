// Divides long work on texts into slices, with a turn of the event loop for other work between them.
import { setImmediate } from "node:timers/promises";

/** A slice takes a few milliseconds. */
const sliceBytes = 262_144;

/** To be awaited after each piece of work, with its bytes. */
export type AfterWork = (bytes: number) => Promise<void> | undefined;

export function createSlices(): AfterWork {
  let done = 0;
  return (bytes) => {
    done += bytes;
    if (done < sliceBytes) return undefined;
    done = 0;
    return setImmediate();
  };
}
