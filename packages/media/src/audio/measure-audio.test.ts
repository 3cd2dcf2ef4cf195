import { expect, test } from "bun:test";
import {
  adtsFile,
  flacFile,
  mp3File,
  oggFile,
  opusPacket,
  repeatBytes,
  uintBE,
  uintLE,
  wavFile,
} from "@turnpike/testing";
import fc from "fast-check";
import { sniffFormat } from "../content/media-format.ts";
import { m4a, webm } from "./container-files.fixture.ts";
import { type AudioFormat, measureAudio } from "./measure-audio.ts";

const join = (...files: readonly Uint8Array[]) => Buffer.concat(files);
/** An empty chunk of another kind. */
const chunk = (name: string, bytes = 0) =>
  join(Buffer.from(name), uintLE(4, bytes), Buffer.alloc(bytes));

/** Its setup is of 192 kHz, its frames are of 16 kHz. */
const flacTrack = {
  codec: "A_FLAC",
  setup: Buffer.from(flacFile(0)).fill("\x2e\xe0\0", 18, 21, "latin1"),
  packet: flacFile(1).subarray(42),
};

/** Three frames of 44.1 kHz. */
const fastMp3 = repeatBytes(3, () => mpegFrame([0xff, 0xfb, 0x90, 0xc0], 417));
/** 8 kbit/s at 8 kHz: 72 ms each. */
const slowMp3 = (frames: number) =>
  repeatBytes(frames, () => mpegFrame([0xff, 0xe3, 0x18, 0xc0], 72));
/** 32 kHz: 12 ms and 36 ms. */
const layerOne = mpegFrame([0xff, 0xff, 0x18, 0xc0], 48);
const layerTwo = mpegFrame([0xff, 0xfd, 0x18, 0xc0], 144);

function mpegFrame(header: readonly number[], bytes: number): Buffer {
  return join(Buffer.from(header), Buffer.alloc(bytes - header.length));
}

function tag(bytes: number): Buffer {
  return join(
    Buffer.from([...Buffer.from("ID3"), 4, 0, 0, 0, 0, bytes >> 7, bytes & 127]),
    Buffer.alloc(bytes),
  );
}

/** Of a first page with 592 bytes, and of a stream of FLAC. */
const oggPageHead = join(
  Buffer.from("OggS\0\x02", "latin1"),
  Buffer.alloc(20),
  Buffer.from([3, 255, 255, 82]),
);
const oggHead = join(oggPageHead, Buffer.from("\x7fFLAC\x01\0\0\x01", "latin1"));

test.each<[string, AudioFormat, Buffer, number]>([
  ["WAV", "wav", wavFile({ seconds: 10 }), 10],
  ["WAV whose header says 100 bytes", "wav", wavFile({ seconds: 10, statedBytes: 100 }), 10],
  [
    "WAV of unknown length, by ffmpeg",
    "wav",
    wavFile({ seconds: 10, statedBytes: 0xffff_ffff }),
    10,
  ],
  ["WAV of unknown length, by others", "wav", wavFile({ seconds: 10, statedBytes: 0 }), 10],
  ["WAV whose header says more", "wav", wavFile({ seconds: 1, statedBytes: 96_000 }), 2],
  ["WAV with a forged byte rate", "wav", wavFile({ seconds: 10, statedRate: 48_000_000 }), 10],
  [
    "WAV with other chunks first",
    "wav",
    wavFile({ seconds: 3, before: join(chunk("LIST", 26), chunk("fact", 4)) }),
    3,
  ],
  ["MP3", "mp3", mp3File(500), 18],
  ["MP3 whose Xing header says 10 frames", "mp3", mp3File(500, { statedFrames: 10 }), 18 - 0.036],
  ["MP3 after MP3", "mp3", join(mp3File(100), mp3File(200)), 10.8],
  ["MP3 that changes its rate", "mp3", join(fastMp3, slowMp3(20_000)), 1_440.078],
  ["MP3 after a long tag", "mp3", join(tag(9_000), mp3File(500)), 18],
  ["FLAC after a long tag", "mp3", join(tag(9_000), flacFile(50)), 12.8],
  ["MP3 of layers I and II after III", "mp3", join(mp3File(2), layerOne, layerTwo), 0.12],
  ["AAC", "aac", adtsFile(200), 12.8],
  ["AAC with four blocks in a frame", "aac", adtsFile(200, 4), 51.2],
  ["AAC that changes its rate", "aac", join(adtsFile(3), adtsFile(200, 4)), 51.392],
  ["FLAC", "flac", flacFile(50), 12.8],
  ["FLAC whose header says 100 samples", "flac", flacFile(50, { statedSamples: 100 }), 12.8],
  ["FLAC after FLAC", "flac", join(flacFile(50), flacFile(25)), 19.2],
  ["FLAC in Ogg", "ogg", join(oggHead, flacFile(50)), 12.8],
  [
    "FLAC after Opus in Ogg",
    "ogg",
    join(oggFile({ packets: 500 }), oggHead, flacFile(50), oggFile({ packets: 50, stream: 8 })),
    23.8,
  ],
  ["Ogg Opus", "ogg", oggFile({ packets: 500 }), 10],
  [
    "Ogg Opus whose last position is that of a second",
    "ogg",
    oggFile({ packets: 500, statedSamples: 48_000 }),
    10,
  ],
  [
    "Ogg after Ogg",
    "ogg",
    join(oggFile({ packets: 50 }), oggFile({ packets: 500, stream: 8 })),
    11,
  ],
  [
    "Ogg after something else",
    "ogg",
    join(oggFile({ packets: 50 }), Buffer.from("OggS?!"), oggFile({ packets: 500 })),
    11,
  ],
  [
    "Ogg Opus with three frames in a packet",
    "ogg",
    oggFile({ packets: 100, packet: Buffer.from([(9 << 3) | 3, 3, 0]) }),
    6,
  ],
  ["M4A", "m4a", m4a({ packets: 300 }), 19.2],
  [
    "M4A whose tables say one sample a packet",
    "m4a",
    m4a({ packets: 300, statedSamples: 1 }),
    19.2,
  ],
  ["M4A that says its rate twice", "m4a", m4a({ packets: 300, rates: [16_000, 16_000] }), 19.2],
  ["M4A that plays a part of itself", "m4a", m4a({ packets: 300, edits: [100] }), 19.2],
  [
    "M4A that plays itself four times",
    "m4a",
    m4a({ packets: 300, edits: [300, 300, 0, 9_999] }),
    76.8,
  ],
  ["WebM without a duration", "webm", webm({ packets: 500 }), 10],
  ["WebM whose packets are all at zero", "webm", webm({ packets: 500, statedMs: 0 }), 10],
  [
    "WebM with MP3 of a lower rate",
    "webm",
    webm({ packets: 500, other: { codec: "A_MPEG/L3", packet: slowMp3(1) } }),
    36,
  ],
  ["WebM with FLAC of a lower rate", "webm", webm({ packets: 50, other: flacTrack }), 12.8],
  ["WebM after WebM", "webm", join(webm({ packets: 50 }), webm({ packets: 500 })), 11],
])("the duration of %s is that of what it holds", async (_, format, bytes, seconds) => {
  expect(sniffFormat(bytes.subarray(0, 4_096))).toBe(format);
  const measure = await measureAudio(bytes, format);
  expect(measure?.seconds).toBeCloseTo(seconds, 2);
  expect(measure?.boundSeconds).toBeCloseTo(seconds, 2);
});

test("what is sent with more than 320 kbit/s is held for as what that many bytes would be", async () => {
  const packet = Buffer.concat([opusPacket, Buffer.alloc(250)]);
  const bytes = oggFile({ packets: 100, packet: Buffer.from(packet.subarray(0, 250)) });
  const padded = join(bytes, Buffer.alloc(400_000));
  const measure = await measureAudio(padded, "ogg");
  expect(measure?.seconds).toBeCloseTo(2, 2);
  expect(measure?.boundSeconds).toBeCloseTo(padded.length / 40_000, 2);
});

test.each<[string, AudioFormat, Buffer, number]>([
  ["MP3", "mp3", mp3File(500, { garbage: 3_000 }), 18],
  ["AAC", "aac", join(adtsFile(100), Buffer.alloc(1_000, 0xff), adtsFile(100)), 12.8],
])(
  "%s is measured over something else in it, and held for at 8 kbit/s of that",
  async (_, format, bytes, seconds) => {
    const measure = await measureAudio(bytes, format);
    expect(measure?.seconds).toBeCloseTo(seconds, 2);
    expect(measure?.boundSeconds).toBeCloseTo(seconds + (format === "mp3" ? 3 : 1), 2);
  },
);

test("frames that another one hides from some decoders are held for", async () => {
  // Layer II, 160 kbit/s at 8 kHz.
  const long = Buffer.from([0xff, 0xe5, 0xe8, 0xc0]);
  const hiding = join(long, slowMp3(39), Buffer.alloc(2_880 - 4 - 39 * 72));
  const measure = await measureAudio(join(fastMp3, ...Array(20).fill(hiding)), "mp3");
  expect(measure?.seconds).toBeCloseTo(0.078 + 20 * 0.144, 2);
  expect(measure?.boundSeconds).toBeGreaterThan(20 * 39 * 0.072);
});

test("bytes of the sound of an M4A that look like an edit list are ignored", async () => {
  const list = Buffer.from("\0\0\0\0elst\0\0\0\0\0\0\0\x02", "latin1");
  const sound = join(uintBE(4, 8 + list.length + 48), Buffer.from("mdat"), list, Buffer.alloc(48));
  const measure = await measureAudio(join(m4a({ packets: 300 }), sound), "m4a");
  expect(measure?.seconds).toBeCloseTo(19.2, 2);
});

test("boxes without end and in themselves end in a measure or in none", async () => {
  const nested = repeatBytes(100_000, () => Buffer.from("\0\0\0\0moov", "latin1"));
  const measure = await measureAudio(join(m4a({ packets: 300 }), nested), "m4a");
  expect(measure?.seconds).toBeCloseTo(19.2, 2);
});

test("another codec in Ogg is not measured as the frames of FLAC that are hidden in it", async () => {
  const bytes = join(oggPageHead, Buffer.from("\x01vorbis"), flacFile(5), Buffer.alloc(2_000));
  const measure = await measureAudio(bytes, "ogg");
  expect(measure).toBeUndefined();
});

test("sound that is not compressed is held for as it is measured", async () => {
  const bytes = wavFile({ seconds: 10 });
  expect(bytes.length / 40_000).toBeGreaterThan(11);
  expect((await measureAudio(bytes, "wav"))?.boundSeconds).toBe(10);
});

test.each<[string, AudioFormat, Buffer]>([
  ["WAV that is compressed", "wav", wavFile({ seconds: 1, tag: 0x55 })],
  [
    "WAV with two formats",
    "wav",
    wavFile({ seconds: 1, before: wavFile({ seconds: 0 }).subarray(12, 36) }),
  ],
  [
    "WAV without a format",
    "wav",
    join(wavFile({ seconds: 1 }).subarray(0, 12), chunk("data", 100)),
  ],
  [
    "WAV of more chunks than any has",
    "wav",
    wavFile({ seconds: 1, before: join(...Array.from({ length: 80 }, () => chunk("JUNK"))) }),
  ],
  [
    "WAV of empty chunks, 25 MB of them",
    "wav",
    join(wavFile({ seconds: 0 }).subarray(0, 36), Buffer.alloc(25_000_000)),
  ],
  ["AAC that is MP3 for the most part", "aac", join(adtsFile(10), slowMp3(100))],
  [
    "MP3 in free format",
    "mp3",
    join(
      mp3File(2),
      repeatBytes(20, () => mpegFrame([0xff, 0xfb, 0x00, 0xc0], 600)),
    ),
  ],
  ["AAC without a frame", "aac", Buffer.alloc(1_000, 0xff)],
  ["M4A that changes its rate", "m4a", m4a({ packets: 300, rates: [7_350, 16_000] })],
  ["FLAC without a frame", "flac", flacFile(0)],
  ["Ogg without a packet", "ogg", oggFile({ packets: 0 })],
  [
    "65 WebMs after each other",
    "webm",
    join(...Array.from({ length: 65 }, () => webm({ packets: 1 }))),
  ],
])("%s is not measured", async (_, format, bytes) => {
  expect(await measureAudio(bytes, format)).toBeUndefined();
});

test("files that are cut, changed or filled with anything end in a measure or in none", async () => {
  const files: readonly (readonly [AudioFormat, Buffer])[] = [
    ["wav", wavFile({ seconds: 0.01 })],
    ["aac", adtsFile(20)],
    ["mp3", join(fastMp3, slowMp3(20))],
    ["flac", flacFile(20)],
    ["ogg", oggFile({ packets: 60 })],
  ];
  const change = fc.array(fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.nat(255)), {
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...files),
      change,
      fc.double({ min: 0, max: 1, noNaN: true }),
      async ([format, file], changes, kept) => {
        const bytes = Buffer.from(file.subarray(0, Math.ceil(file.length * kept)));
        for (const [place, value] of changes) bytes[Math.floor(bytes.length * place)] = value;
        const measure = await measureAudio(bytes, format);
        if (measure === undefined) return;
        expect(Number.isFinite(measure.seconds)).toBe(true);
        expect(measure.boundSeconds).toBeGreaterThanOrEqual(measure.seconds);
      },
    ),
    { numRuns: 1_000 },
  );
});
