// Records from the microphone, within the page: what is recorded goes nowhere until someone sends it. The microphone is given
// back whenever a recording ends, also when its page is left.
import { createSignal, onCleanup } from "solid-js";

export type Recording = { readonly file: File; readonly seconds: number };

export type RecorderState = "idle" | "asking" | "recording";

export type Recorder = {
  readonly state: () => RecorderState;
  readonly seconds: () => number;
  /** 0 is silence, 1 as loud as can be recorded. */
  readonly level: () => number;
  /** Why nothing can be recorded. */
  readonly problem: () => string | undefined;
  readonly start: () => Promise<void>;
  readonly stop: () => void;
};

type RecorderOptions = {
  /** It ends by itself then. */
  readonly maxSeconds: () => number;
  readonly onRecorded: (recording: Recording) => void;
};

const types = [
  { type: "audio/webm;codecs=opus", extension: "webm" },
  { type: "audio/mp4", extension: "m4a" },
  { type: "audio/ogg;codecs=opus", extension: "ogg" },
] as const;
/** Speech sounds the same, and half an hour of it is small enough to be sent. */
const bitsPerSecond = 64_000;
const tickMs = 100;

export function createRecorder({ maxSeconds, onRecorded }: RecorderOptions): Recorder {
  const [state, setState] = createSignal<RecorderState>("idle");
  const [seconds, setSeconds] = createSignal(0);
  const [level, setLevel] = createSignal(0);
  const [problem, setProblem] = createSignal<string>();
  let left = false;
  let finish: (() => void) | undefined;
  onCleanup(() => {
    left = true;
    finish?.();
  });
  const record = (stream: MediaStream) => {
    const startedAt = performance.now();
    const elapsed = () => (performance.now() - startedAt) / 1_000;
    const meter = openMeter(stream);
    const stop = recordStream(stream, (file) => {
      if (!left) onRecorded({ file, seconds: elapsed() });
    });
    const tick = setInterval(() => {
      setSeconds(elapsed());
      setLevel(meter.read());
      if (elapsed() >= maxSeconds()) finish?.();
    }, tickMs);
    finish = () => {
      finish = undefined;
      clearInterval(tick);
      meter.close();
      stop();
      for (const track of stream.getTracks()) track.stop();
      setLevel(0);
      setState("idle");
    };
    setSeconds(0);
    setState("recording");
  };
  return {
    state,
    seconds,
    level,
    problem,
    async start() {
      if (state() !== "idle") return;
      setProblem(undefined);
      setState("asking");
      try {
        const stream = await askMicrophone();
        if (!left) return record(stream);
        for (const track of stream.getTracks()) track.stop();
      } catch (error) {
        setProblem(describeProblem(error));
        setState("idle");
      }
    },
    stop: () => finish?.(),
  };
}

/** Rejects as `getUserMedia` does, and where a page has no microphone at all. */
async function askMicrophone(): Promise<MediaStream> {
  if (!("mediaDevices" in navigator) || typeof MediaRecorder === "undefined") {
    throw new DOMException("no devices", "SecurityError");
  }
  return navigator.mediaDevices.getUserMedia({ audio: true });
}

const problems: Readonly<Record<string, string>> = {
  NotAllowedError:
    "The microphone is blocked. Allow it for this page in your browser, then try again, or choose a file.",
  NotFoundError: "No microphone was found. Connect one and try again, or choose a file.",
  NotReadableError: "The microphone is used by another program. Close it and try again.",
  SecurityError:
    "This browser records only on pages that it reached by https. Choose a file instead.",
};

function describeProblem(error: unknown): string {
  const name = error instanceof DOMException ? error.name : "";
  return problems[name] ?? "The microphone could not be opened. Try again, or choose a file.";
}

/** Returns the function that ends it; then `onEnd` is called once. */
function recordStream(stream: MediaStream, onEnd: (file: File) => void): () => void {
  const known = types.find(({ type }) => MediaRecorder.isTypeSupported(type));
  const recorder = new MediaRecorder(stream, {
    audioBitsPerSecond: bitsPerSecond,
    ...(known !== undefined && { mimeType: known.type }),
  });
  const parts: Blob[] = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  recorder.onstop = () => {
    const [type = ""] = recorder.mimeType.split(";");
    onEnd(new File(parts, `recording.${known?.extension ?? "webm"}`, { type }));
  };
  recorder.start();
  return () => recorder.stop();
}

/** How loud a stream is now. */
function openMeter(stream: MediaStream): {
  readonly read: () => number;
  readonly close: () => void;
} {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  return {
    read() {
      analyser.getFloatTimeDomainData(samples);
      return samples.reduce((loudest, sample) => Math.max(loudest, Math.abs(sample)), 0);
    },
    close: () => void context.close(),
  };
}
