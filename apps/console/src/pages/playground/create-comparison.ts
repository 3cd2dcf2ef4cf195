// Up to three conversations that get the same messages with the same settings, each with its own model.
// They are not stored.
import { type Accessor, createSignal, mapArray } from "solid-js";
import type { Attachment } from "./attachments.ts";
import { newConversation, type Parameters } from "./conversation.ts";
import type { AnsweringOptions } from "./create-answering.ts";
import { createPlayground, type Playground } from "./create-playground.ts";
import type { History } from "./history.ts";

export const comparedMax = 4;

export type Column = { readonly id: string; readonly playground: Playground };
export type Comparison = ReturnType<typeof createComparison>;

const noHistory: History = {
  read: () => ({ conversations: [], draft: "" }),
  write: () => undefined,
  clear: () => undefined,
};

export function createComparison(models: readonly string[], options: AnsweringOptions) {
  type Seat = { readonly id: string; readonly model: string };
  const seatOf = (model: string): Seat => ({ id: crypto.randomUUID(), model });
  const [seats, setSeats] = createSignal(models.slice(0, comparedMax).map(seatOf));
  const [draft, setDraft] = createSignal("");
  const [attached, setAttached] = createSignal<readonly Attachment[]>([]);
  const columns: Accessor<readonly Column[]> = mapArray(seats, ({ id, model }) => {
    const initial = newConversation(model);
    return { id, playground: createPlayground({ ...options, history: noHistory, initial }) };
  });
  const all = () => columns().map(({ playground }) => playground);
  return {
    columns,
    draft,
    setDraft,
    attached,
    setAttached,
    running: () =>
      all()
        .find(({ running }) => running() !== undefined)
        ?.running(),
    stop: () => {
      for (const one of all()) one.stop();
    },
    keep: () => undefined,
    /** Sends to all of them. */
    send() {
      for (const one of all()) {
        one.setDraft(draft());
        one.setAttached(attached());
        one.send();
      }
      setDraft("");
      setAttached([]);
    },
    /** Adds a model with the same settings; it does not get the earlier messages. */
    add(model: string) {
      if (seats().length >= comparedMax) return;
      const [first] = all();
      setSeats([...seats(), seatOf(model)]);
      const added = all().at(-1);
      if (!first || !added) return;
      added.setSystem(first.conversation.system);
      added.setParameters(first.conversation.parameters);
    },
    remove: (id: string) => setSeats(seats().filter((seat) => seat.id !== id)),
    setSystem: (system: string) => {
      for (const one of all()) one.setSystem(system);
    },
    setParameters: (patch: Partial<Parameters>) => {
      for (const one of all()) one.setParameters(patch);
    },
  };
}
