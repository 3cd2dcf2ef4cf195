// How long an audio file lasts, as far as the browser can tell without decoding it: undefined for what it cannot play, and for
// recordings whose container does not say.

export function readAudioSeconds(file: Blob, signal: AbortSignal): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const address = URL.createObjectURL(file);
  const element = document.createElement("audio");
  const end = (seconds: number | undefined) => {
    URL.revokeObjectURL(address);
    resolve(seconds);
  };
  element.preload = "metadata";
  element.onloadedmetadata = () =>
    end(Number.isFinite(element.duration) && element.duration > 0 ? element.duration : undefined);
  element.onerror = () => end(undefined);
  signal.addEventListener("abort", () => end(undefined), { once: true });
  element.src = address;
  return promise;
}
