// How a process ends what it does: work of its own is no longer begun once it drains, and answers end when they must. Answers that begin
// after others were ended have a signal of their own.
import type { Gateway } from "@turnpike/gateway";

export type Endings = {
  /** Ends every running answer: clients get an error event, what was delivered is billed. */
  readonly endAnswers: (why: string) => void;
  /** Aborts when the process is about to end: it begins no more work of its own. */
  readonly draining: AbortSignal;
  readonly beginDrain: () => void;
};

export function createEndings(): Endings & Pick<Gateway, "endSignal"> {
  const drainStart = new AbortController();
  let answers = new AbortController();
  const endSignal = { current: answers.signal };
  return {
    endSignal,
    draining: drainStart.signal,
    beginDrain: () => drainStart.abort(),
    endAnswers(why) {
      answers.abort(why);
      answers = new AbortController();
      endSignal.current = answers.signal;
    },
  };
}
