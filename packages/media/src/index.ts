// What uploaded files contain: their format by content, the size of images, the duration of audio.
export type { AudioFormat } from "./audio/measure-audio.ts";
export {
  type AudioDuration,
  type AudioFile,
  type AudioMeter,
  type AudioRequest,
  type MeterOptions,
  openAudioMeter,
} from "./audio/open-audio-meter.ts";
export { SoundClock, type SoundFormat } from "./audio/sound-clock.ts";
export type { Chunks } from "./content/byte-reader.ts";
export {
  audioFormats,
  type FormatFacts,
  imageFormats,
  type MediaFormat,
  mediaFormats,
  requireFormat,
  sniffFormat,
} from "./content/media-format.ts";
export {
  type ImageSize,
  type MediaBytes,
  measureImage,
  megapixelsMax,
} from "./images/measure-image.ts";
