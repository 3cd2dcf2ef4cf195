// Calls that refer to items of earlier answers instead of sending them. The items take the place of the
// references before anything else reads the call, and the items of its own answer are kept.
import { Fault, parseBearer } from "@turnpike/base";
import type { Answer, BodySlot, Call, Principal } from "@turnpike/gateway";
import {
  type ItemProtocol,
  keepingNothing,
  type ParsedRequest,
  responsesItems,
  responsesProtocol,
} from "@turnpike/wire";
import type { ItemOwner } from "../../answers/find-items.ts";
import type { Config } from "../../config.ts";
import { keepTurn } from "../../memory/keep-turn.ts";
import type { RememberedCall } from "../../memory/remember-call.ts";
import type { Services } from "../../services.ts";
import { bodyMaxBytes, memoryOfText } from "../requests/read-body.ts";

type Stores = Pick<Services, "config" | "itemStore">;
type Keeps = Stores & Pick<Services, "log">;
type Caller = { readonly principal: Principal; readonly headers: Headers };
type Slot = Pick<BodySlot, "resize">;

export const responsesProtocolOf = ({ KEEP_OUTPUT_ITEMS }: Config) =>
  KEEP_OUTPUT_ITEMS ? responsesProtocol : keepingNothing(responsesProtocol);

/** The text of a request for a price, with the items it refers to. */
export async function resolveForEstimate(
  services: Stores,
  caller: Caller,
  text: string,
  slot: Slot,
): Promise<string> {
  if (!services.config.KEEP_OUTPUT_ITEMS) return text;
  return resolveItems(services, caller, { items: responsesItems, text, slot });
}

/** The call with its items, which keeps those of its answer, and what it asked for. Rejects with the Fault to answer with instead. */
export async function withItems<Parsed extends ParsedRequest>(
  services: Keeps,
  { call, remembered }: RememberedCall<Parsed>,
  items: ItemProtocol<Parsed>,
  slot: Slot,
): Promise<Call<Parsed>> {
  const text = await resolveItems(services, call, { items, text: call.text, slot });
  return {
    ...call,
    text,
    async persistItems(given) {
      const answer = await persistItems(services, call, items, given);
      if (remembered === undefined) return answer;
      const { generationId } = call;
      return keepTurn(services.log, remembered, { generationId, text, answer });
    },
  };
}

/** An answer that is given again: its items can be referred to for as long as those of a new one. */
export async function persistRepeated<Parsed extends ParsedRequest>(
  services: Stores,
  call: Call<Parsed>,
  answer: Answer,
): Promise<Answer> {
  const { items } = call.protocol;
  if (items === undefined || typeof answer.body !== "string") return answer;
  return { ...answer, body: await persistItems(services, call, items, answer.body) };
}

async function persistItems<Parsed extends ParsedRequest>(
  { config, itemStore }: Stores,
  call: Call<Parsed>,
  items: ItemProtocol<Parsed>,
  answer: string,
): Promise<string> {
  const read = items.read(answer);
  if (read.size === 0) return answer;
  // A repeated answer may be from before items were turned off.
  const areKept =
    config.KEEP_OUTPUT_ITEMS && (await itemStore.keep(ownerOf(call), call.generationId, read));
  return areKept ? answer : items.withoutKeptItems(answer);
}

async function resolveItems<Parsed extends ParsedRequest>(
  { itemStore }: Stores,
  caller: Caller,
  {
    items,
    text,
    slot,
  }: { readonly items: ItemProtocol<Parsed>; readonly text: string; readonly slot: Slot },
): Promise<string> {
  const references = items.find(text);
  if (references === undefined) return text;
  const ownBytes = Buffer.byteLength(text);
  const found = await itemStore.find(ownerOf(caller), references.ids, {
    maxBytes: bodyMaxBytes,
    reserve: (bytes) => slot.resize(ownBytes + bytes),
  });
  const resolved = found && references.resolve(found, bodyMaxBytes);
  if (resolved === undefined) throw tooLarge();
  slot.resize(memoryOfText(resolved, Buffer.byteLength(resolved)));
  return resolved;
}

function ownerOf({ principal: { accountId }, headers }: Caller): ItemOwner {
  return { accountId, apiKey: parseBearer(headers) };
}

function tooLarge(): Fault {
  const most = bodyMaxBytes / (1024 * 1024);
  return new Fault(
    "request_too_large",
    `The request is larger than ${most} MiB with the items that it refers to.`,
    { param: "input" },
  );
}
