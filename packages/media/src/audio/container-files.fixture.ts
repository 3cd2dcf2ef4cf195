// Containers with audio made by hand: an M4A with tables that may lie, and a WebM as browsers record it, without a duration.
import { opusPacket, repeatBytes, uintBE } from "@turnpike/testing";
import { aacRates } from "./packet-seconds.ts";

function box(type: string, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  return Buffer.concat([uintBE(4, body.length + 8), Buffer.from(type, "latin1"), body]);
}

/** With a version and flags. */
function fullBox(type: string, ...contents: readonly Uint8Array[]): Buffer {
  return box(type, uintBE(4, 0), ...contents);
}

type M4aOptions = {
  /** Of 64 ms: AAC at 16 kHz. */
  readonly packets: number;
  /** In the table of durations and all headers; default: the truth, 1,024. */
  readonly statedSamples?: number;
  /** How many packets each entry of an edit list plays, from the first; default: no list. */
  readonly edits?: readonly number[];
  /** Of each description of its sound; packets are of the first. */
  readonly rates?: readonly [number, ...number[]];
};

/** Of silence. */
const aacPacket = Buffer.from([0x01, 0x18, 0x20, 0x07]);

export function m4a({
  packets,
  statedSamples = 1_024,
  edits,
  rates = [16_000],
}: M4aOptions): Buffer {
  const rate = 16_000;
  const duration = packets * statedSamples;
  const matrix = uintBE(4, 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
  const type = box("ftyp", Buffer.from("M4A \0\0\0\0M4A isom", "latin1"));
  const headers = (offset: number) =>
    box(
      "moov",
      fullBox(
        "mvhd",
        uintBE(4, 0, 0, rate, duration, 0x10000),
        uintBE(2, 0x100, 0),
        uintBE(4, 0, 0),
        matrix,
        Buffer.alloc(24),
        uintBE(4, 2),
      ),
      box(
        "trak",
        fullBox(
          "tkhd",
          uintBE(4, 0, 0, 1, 0, duration, 0, 0),
          uintBE(2, 0, 0, 0x100, 0),
          matrix,
          uintBE(4, 0, 0),
        ),
        editList(edits?.map((played) => played * 1_024)),
        box(
          "mdia",
          fullBox("mdhd", uintBE(4, 0, 0, rate, duration), uintBE(2, 0x55c4, 0)),
          fullBox("hdlr", uintBE(4, 0), Buffer.from("soun"), Buffer.alloc(13)),
          box(
            "minf",
            fullBox("smhd", uintBE(4, 0)),
            box("dinf", fullBox("dref", uintBE(4, 1), box("url ", uintBE(4, 1)))),
            box(
              "stbl",
              fullBox("stsd", uintBE(4, rates.length), ...rates.map(soundEntry)),
              fullBox("stts", uintBE(4, 1, packets, statedSamples)),
              fullBox("stsc", uintBE(4, 1, 1, packets, 1)),
              fullBox("stsz", uintBE(4, aacPacket.length, packets)),
              fullBox("stco", uintBE(4, 1, offset)),
            ),
          ),
        ),
      ),
    );
  const start = type.length + headers(0).length + 8;
  return Buffer.concat([
    type,
    headers(start),
    box(
      "mdat",
      repeatBytes(packets, () => aacPacket),
    ),
  ]);
}

function editList(durations: readonly number[] | undefined): Buffer {
  if (durations === undefined) return Buffer.alloc(0);
  const entries = durations.map((duration) => uintBE(4, duration, 0, 0x10000));
  return box("edts", fullBox("elst", uintBE(4, durations.length), ...entries));
}

function soundEntry(rate: number): Buffer {
  const descriptor = (tag: number, ...contents: readonly Uint8Array[]) => {
    const body = Buffer.concat(contents);
    return Buffer.concat([uintBE(1, tag, body.length), body]);
  };
  // AAC LC, mono.
  const known: readonly number[] = aacRates;
  const index = known.indexOf(rate);
  const config = descriptor(5, uintBE(2, (2 << 11) | (index << 7) | (1 << 3)));
  const decoder = descriptor(4, Buffer.from([0x40, 0x15, 0, 0, 0]), uintBE(4, 0, 0), config);
  const stream = descriptor(3, uintBE(2, 1), uintBE(1, 0), decoder, descriptor(6, uintBE(1, 2)));
  const head = [
    uintBE(2, 0, 0, 0, 1),
    uintBE(4, 0, 0),
    uintBE(2, 1, 16, 0, 0),
    uintBE(4, rate * 65_536),
  ];
  return box("mp4a", ...head, fullBox("esds", stream));
}

function element(id: number, contents: Uint8Array): Buffer {
  const idBytes = Buffer.from(id.toString(16), "hex");
  const size = uintBE(4, 0x1000_0000 + contents.length);
  return Buffer.concat([idBytes, size, contents]);
}

type WebmOptions = {
  /** Of 20 ms: Opus. */
  readonly packets: number;
  /** Between the times of two packets; default: the truth, 20. */
  readonly statedMs?: number;
  /** Of another codec instead. */
  readonly other?: {
    readonly codec: string;
    readonly setup?: Uint8Array;
    readonly packet: Uint8Array;
  };
};

export function webm({ packets, statedMs = 20, other }: WebmOptions): Buffer {
  const text = (id: number, value: string) => element(id, Buffer.from(value, "latin1"));
  const number = (id: number, value: number) => element(id, uintBE(4, value));
  const rate = Buffer.alloc(4);
  rate.writeFloatBE(48_000);
  const head = Buffer.concat([Buffer.from("OpusHead\x01\x01\0\0\x80\xbb\0\0\0\0\0", "latin1")]);
  const track = element(
    0xae,
    Buffer.concat([
      number(0xd7, 1),
      number(0x73c5, 1),
      number(0x83, 2),
      text(0x86, other?.codec ?? "A_OPUS"),
      element(0x63a2, other ? (other.setup ?? Buffer.alloc(0)) : head),
      element(0xe1, Buffer.concat([element(0xb5, rate), number(0x9f, 1)])),
    ]),
  );
  const perCluster = 50;
  const clusters = repeatBytes(Math.ceil(packets / perCluster), (cluster) => {
    const first = cluster * perCluster;
    const blocks = repeatBytes(Math.min(perCluster, packets - first), (index) =>
      element(
        0xa3,
        Buffer.concat([
          Buffer.from([0x81]),
          uintBE(2, index * statedMs),
          Buffer.from([0x80]),
          other?.packet ?? opusPacket,
        ]),
      ),
    );
    return element(0x1f43b675, Buffer.concat([number(0xe7, first * statedMs), blocks]));
  });
  const ebml = element(
    0x1a45dfa3,
    Buffer.concat([text(0x4282, "webm"), number(0x4287, 4), number(0x4285, 2)]),
  );
  // A segment of unknown size, as of a recording that is still going on.
  const segment = Buffer.from("1853806701ffffffffffffff", "hex");
  const info = element(0x1549a966, number(0x2ad7b1, 1_000_000));
  return Buffer.concat([ebml, segment, info, element(0x1654ae6b, track), clusters]);
}
