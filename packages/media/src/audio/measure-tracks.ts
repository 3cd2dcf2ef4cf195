// The duration of sound in containers, by a library that walks their packets. Used in a thread of its own only, which is
// ended if it takes too long. Of several tracks the longest counts: which one a provider hears is not known.
import {
  BufferSource,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  type InputFormat,
  MP3,
  MP4,
  OGG,
  WEBM,
} from "mediabunny";
import { aacSeconds, flacSecondsMax, opusSeconds, vorbisSecondsMax } from "./packet-seconds.ts";

export type TracksMeasure = {
  /** What the packets and the container say, whichever is longer. */
  readonly seconds: number;
  /** Never less; of a codec that cannot be bounded undefined. */
  readonly boundSeconds: number | undefined;
  readonly audioBytes: number;
  readonly hasVideo: boolean;
};

export type TracksFormat = "mp3" | "m4a" | "mp4" | "ogg" | "webm";

const formats: Readonly<Record<TracksFormat, InputFormat>> = {
  mp3: MP3,
  m4a: MP4,
  mp4: MP4,
  ogg: OGG,
  webm: WEBM,
};

/** Undefined without any sound; throws what the library throws for a file that it cannot read. */
export async function measureTracks(
  bytes: Uint8Array,
  format: TracksFormat,
): Promise<TracksMeasure | undefined> {
  const input = new Input({ source: new BufferSource(bytes), formats: [formats[format]] });
  try {
    const tracks = await input.getAudioTracks();
    const measured: TrackMeasure[] = [];
    for (const track of tracks) measured.push(await measureTrack(track));
    const seconds = Math.max(0, ...measured.map((track) => track.seconds));
    if (seconds === 0) return undefined;
    const bounds = measured.map(({ boundSeconds }) => boundSeconds ?? Number.NaN);
    const bound = Math.max(seconds, ...bounds);
    return {
      seconds,
      boundSeconds: Number.isNaN(bound) ? undefined : bound,
      audioBytes: measured.reduce((sum, track) => sum + track.audioBytes, 0),
      hasVideo: (await input.getVideoTracks()).length > 0,
    };
  } finally {
    input.dispose();
  }
}

type TrackMeasure = {
  readonly seconds: number;
  readonly boundSeconds: number | undefined;
  readonly audioBytes: number;
};

async function measureTrack(track: InputAudioTrack): Promise<TrackMeasure> {
  const computed = await track.computeDuration();
  const codec = await track.getCodec();
  const rate = Math.max(1, await track.getSampleRate());
  const config = bytesOf((await track.getDecoderConfig())?.description);
  const isOpus = codec === "opus";
  let packets = 0;
  let audioBytes = 0;
  let opus = 0;
  const sink = new EncodedPacketSink(track);
  const options = isOpus ? {} : { metadataOnly: true };
  for await (const packet of sink.packets(undefined, undefined, options)) {
    packets += 1;
    audioBytes += packet.byteLength;
    if (isOpus) opus += opusSeconds(packet.data[0], packet.data[1]);
  }
  if (isOpus) return { seconds: Math.max(computed, opus), boundSeconds: opus, audioBytes };
  if (codec === "aac") {
    const seconds = Math.max(computed, packets * aacSeconds(config, rate));
    return { seconds, boundSeconds: seconds, audioBytes };
  }
  const boundSeconds = boundOf({ codec, config, rate, packets, computed });
  return { seconds: computed, boundSeconds, audioBytes };
}

type Counted = {
  readonly codec: string | null;
  readonly config: Uint8Array | undefined;
  readonly rate: number;
  readonly packets: number;
  readonly computed: number;
};

/** Of codecs whose packets are not read: as many as there are, each of the longest kind. */
function boundOf({ codec, config, rate, packets, computed }: Counted): number | undefined {
  // Source: ISO/IEC 13818-3: at lower rates a frame has half as many samples.
  if (codec === "mp3") return Math.max(computed, (packets * (rate < 32_000 ? 576 : 1_152)) / rate);
  const most =
    codec === "vorbis"
      ? vorbisSecondsMax(config, rate)
      : codec === "flac"
        ? flacSecondsMax(config, rate)
        : undefined;
  return most === undefined ? undefined : Math.max(computed, packets * most);
}

function bytesOf(
  description: ArrayBufferLike | ArrayBufferView | undefined,
): Uint8Array | undefined {
  if (description === undefined) return undefined;
  if (!ArrayBuffer.isView(description)) return new Uint8Array(description);
  return new Uint8Array(description.buffer, description.byteOffset, description.byteLength);
}
