// A WAV file around samples that have no head: 16 bits, mono.
// Source: "Multimedia Programming Interface and Data Specifications 1.0", Microsoft and IBM, 1991.

const bytesPerSample = 2;
const pcm = 1;
const channels = 1;
const headBytes = 44;

export function wrapWav(samples: Uint8Array, samplesPerSecond: number): Uint8Array<ArrayBuffer> {
  const file = new Uint8Array(headBytes + samples.byteLength);
  const head = new DataView(file.buffer);
  const writeText = (at: number, text: string) => file.set(Buffer.from(text, "latin1"), at);
  writeText(0, "RIFF");
  head.setUint32(4, headBytes - 8 + samples.byteLength, true);
  writeText(8, "WAVEfmt ");
  head.setUint32(16, 16, true);
  head.setUint16(20, pcm, true);
  head.setUint16(22, channels, true);
  head.setUint32(24, samplesPerSecond, true);
  head.setUint32(28, samplesPerSecond * bytesPerSample * channels, true);
  head.setUint16(32, bytesPerSample * channels, true);
  head.setUint16(34, bytesPerSample * 8, true);
  writeText(36, "data");
  head.setUint32(40, samples.byteLength, true);
  file.set(samples, headBytes);
  return file;
}
