// Calls that continue what was stored, or want to be stored: what came before is put into the request before anything else reads it, and
// the answer tells what was kept of it. Where nothing is kept, the fields are left to the rules of a request, which refuse them.
import { parseConversationId, parseResponseId } from "@turnpike/base";
import type { BodySlot, Call, Principal } from "@turnpike/gateway";
import {
  continueRequest,
  findMemory,
  type ItemProtocol,
  type Memory,
  type ParsedRequest,
} from "@turnpike/wire";
import { bodyMaxBytes, memoryOfText } from "../http/requests/read-body.ts";
import type { Remembered } from "./keep-turn.ts";
import { findMemoryAccess, type MemoryAccess, type MemoryServices } from "./memory-access.ts";
import {
  noConversation,
  noPreviousResponse,
  readChain,
  readConversation,
  tooLarge,
} from "./read-turns.ts";

type Slot = Pick<BodySlot, "resize">;

export type RememberedCall<Parsed extends ParsedRequest> = {
  readonly call: Call<Parsed>;
  /** Undefined if nothing of it is kept or continued. */
  readonly remembered?: Remembered | undefined;
};

/** Whether something is to be stored of its answer, which therefore cannot be that of another call. */
export function keepsAnswer({ remembered }: Pick<RememberedCall<ParsedRequest>, "remembered">) {
  const { stores = false, conversationId } = remembered?.memory ?? {};
  return stores || conversationId !== undefined;
}

type Asking = { readonly principal: Principal; readonly text: string; readonly slot: Slot };

/** Rejects with the Fault to answer with instead. */
export async function rememberCall<Parsed extends ParsedRequest>(
  services: MemoryServices,
  call: Call<Parsed>,
  items: ItemProtocol<Parsed>,
  slot: Slot,
): Promise<RememberedCall<Parsed>> {
  const { principal, protocol } = call;
  const found = await findEarlier(services, { principal, text: call.text, slot });
  if (found === undefined) return { call };
  const { text, remembered } = found;
  const { memory } = remembered;
  const telling: Call<Parsed>["protocol"] = {
    ...protocol,
    // Cached answers tell what they continue.
    addressed: `${protocol.addressed ?? ""}\n${memory.previousResponseId ?? ""}`,
    parse: (raw, headers) => items.withMemory(protocol.parse(raw, headers), memory),
  };
  return { call: { ...call, protocol: telling, text }, remembered };
}

/** The text of a request for a price, with what it continues. */
export async function rememberForEstimate(
  services: MemoryServices,
  asking: Asking,
): Promise<string> {
  return (await findEarlier(services, asking))?.text ?? asking.text;
}

type Found = { readonly text: string; readonly remembered: Remembered };

async function findEarlier(
  services: MemoryServices,
  { principal, text, slot }: Asking,
): Promise<Found | undefined> {
  const memory = findMemory(text, principal.responseHours !== undefined);
  if (memory === undefined) return undefined;
  const access = await findMemoryAccess(services, principal);
  if (access === undefined) return undefined;
  const ids = idsOf(memory);
  const ownMemory = memoryOfText(text, Buffer.byteLength(text));
  const reserve = (bytes: number) => slot.resize(ownMemory + bytes);
  const earlier = await readEarlier(access, ids, reserve);
  const { newItems, ...continued } = continueRequest(text, earlier, memory.background);
  const bytes = Buffer.byteLength(continued.text);
  if (bytes > bodyMaxBytes && earlier.length > 0) {
    throw tooLarge(ids.previousId === undefined ? "conversation" : "previous_response_id");
  }
  slot.resize(memoryOfText(continued.text, bytes));
  return { text: continued.text, remembered: { access, memory, ...ids, newItems } };
}

type EarlierIds = Pick<Remembered, "previousId" | "conversationId">;

/** Throws for what is no id as for the id of somebody else. */
function idsOf({ previousResponseId, conversationId }: Memory): EarlierIds {
  const previousId =
    previousResponseId === undefined ? undefined : parseResponseId(previousResponseId);
  if (previousResponseId !== undefined && previousId === undefined) throw noPreviousResponse();
  const ofConversation =
    conversationId === undefined ? undefined : parseConversationId(conversationId);
  if (conversationId !== undefined && ofConversation === undefined) throw noConversation();
  return { previousId, conversationId: ofConversation };
}

async function readEarlier(
  access: MemoryAccess,
  { previousId, conversationId }: EarlierIds,
  reserve: (bytes: number) => void,
): Promise<readonly string[]> {
  if (previousId !== undefined) {
    return readChain({ access, param: "previous_response_id", reserve }, previousId);
  }
  if (conversationId === undefined) return [];
  return readConversation({ access, param: "conversation", reserve }, conversationId);
}
