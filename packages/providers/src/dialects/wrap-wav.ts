// A WAV file around samples that have no head: 16 bits, mono.
// Source: "Multimedia Programming Interface and Data Specifications 1.0", Microsoft and IBM, 1991.

const bytesPerSample = 2;
const pcm = 1;
const channels = 1;
const headBytes = 44;
/** What players take for "until the end", in a file that is sent while it is made. */
const unknownBytes = 0xffff_ffff;

export function wrapWav(samples: Uint8Array, samplesPerSecond: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(headBytes + samples.byteLength);
  file.set(wavHead(samplesPerSecond, samples.byteLength));
  file.set(samples, headBytes);
  return file;
}

/** Of a file whose samples follow; `dataBytes` is how many bytes they have, if that is known. */
export function wavHead(samplesPerSecond: number, dataBytes?: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(headBytes);
  const head = new DataView(bytes.buffer);
  const writeText = (at: number, text: string) => bytes.set(Buffer.from(text, "latin1"), at);
  writeText(0, "RIFF");
  head.setUint32(4, dataBytes === undefined ? unknownBytes : headBytes - 8 + dataBytes, true);
  writeText(8, "WAVEfmt ");
  head.setUint32(16, 16, true);
  head.setUint16(20, pcm, true);
  head.setUint16(22, channels, true);
  head.setUint32(24, samplesPerSecond, true);
  head.setUint32(28, samplesPerSecond * bytesPerSample * channels, true);
  head.setUint16(32, bytesPerSample * channels, true);
  head.setUint16(34, bytesPerSample * 8, true);
  writeText(36, "data");
  head.setUint32(40, dataBytes ?? unknownBytes, true);
  return bytes;
}
