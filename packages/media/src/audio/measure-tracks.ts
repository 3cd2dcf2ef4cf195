// The duration of sound in containers, by a library that walks their packets. Used in a thread of its own only, which is
// ended if it takes too long. Of several tracks the longest counts: which one a provider hears is not known.
import {
  BufferSource,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  type InputFormat,
  MP4,
  OGG,
  WEBM,
} from "mediabunny";
import { flacSeconds } from "./measure-flac.ts";
import { mpegSeconds } from "./measure-frames.ts";
import { aacSeconds, opusSeconds, vorbisSecondsMax } from "./packet-seconds.ts";

export type TracksMeasure = {
  /** What the packets and the container say, whichever is longer. */
  readonly seconds: number;
  /** Never less; of a codec that cannot be bounded undefined. */
  readonly boundSeconds: number | undefined;
  readonly audioBytes: number;
  readonly hasVideo: boolean;
};

export type TracksFormat = "m4a" | "mp4" | "ogg" | "webm";

const formats: Readonly<Record<TracksFormat, InputFormat>> = {
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

/** Of codecs whose packets say themselves how long they are. */
const packetMeters: ReadonlyMap<string | null, PacketMeter> = new Map<string, PacketMeter>([
  ["opus", (packet) => opusSeconds(packet[0], packet[1])],
  ["mp3", mpegSeconds],
  ["flac", flacSeconds],
]);
type PacketMeter = (packet: Buffer, rate: number) => number;

async function measureTrack(track: InputAudioTrack): Promise<TrackMeasure> {
  const computed = await track.computeDuration();
  const codec = await track.getCodec();
  const rate = Math.max(1, await track.getSampleRate());
  const config = bytesOf((await track.getDecoderConfig())?.description);
  const secondsOf = packetMeters.get(codec);
  let packets = 0;
  let audioBytes = 0;
  let seconds = 0;
  const sink = new EncodedPacketSink(track);
  const options = secondsOf ? {} : { metadataOnly: true };
  for await (const packet of sink.packets(undefined, undefined, options)) {
    packets += 1;
    audioBytes += packet.byteLength;
    if (secondsOf) seconds += secondsOf(bufferOf(packet.data), rate);
  }
  if (secondsOf) return { seconds: Math.max(computed, seconds), boundSeconds: seconds, audioBytes };
  if (codec === "aac") {
    const most = Math.max(computed, packets * aacSeconds(config, rate));
    return { seconds: most, boundSeconds: most, audioBytes };
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
  const most = codec === "vorbis" ? vorbisSecondsMax(config, rate) : undefined;
  return most === undefined ? undefined : Math.max(computed, packets * most);
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function bytesOf(
  description: ArrayBufferLike | ArrayBufferView | undefined,
): Uint8Array | undefined {
  if (description === undefined) return undefined;
  if (!ArrayBuffer.isView(description)) return new Uint8Array(description);
  return new Uint8Array(description.buffer, description.byteOffset, description.byteLength);
}
