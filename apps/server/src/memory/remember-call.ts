// Calls that continue what was stored, or want to be stored: what came before is put into the request before anything else reads it, and
// the answer tells what was kept of it. Where nothing is kept, the fields are left to the rules of a request, which refuse them.
import { parseConversationId } from "@turnpike/base";
import type { BodySlot, Call, Principal } from "@turnpike/gateway";
import {
  type ItemProtocol,
  interactionsMemory,
  type Memory,
  type MemoryLanguage,
  type ParsedRequest,
  responsesMemory,
} from "@turnpike/wire";
import { bodyMaxBytes, memoryOfText } from "../http/requests/read-body.ts";
import type { Remembered } from "./keep-turn.ts";
import { findMemoryAccess, type MemoryServices } from "./memory-access.ts";
import { noPrevious } from "./missing-previous.ts";
import {
  noConversation,
  type Reading,
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
  const storesByDefault = principal.responseHours !== undefined;
  const memory = items.memory.find(call.text, storesByDefault);
  if (memory === undefined) return { call };
  const asking = { principal, text: call.text, slot };
  const found = await findEarlier(services, asking, items.memory, memory);
  if (found === undefined) return { call };
  const { text, remembered } = found;
  const telling: Call<Parsed>["protocol"] = {
    ...protocol,
    // Cached answers tell what they continue.
    addressed: `${protocol.addressed ?? ""}\n${memory.previousId ?? ""}`,
    parse: (raw, headers) => items.withMemory(protocol.parse(raw, headers), memory),
  };
  return { call: { ...call, protocol: telling, text }, remembered };
}

/** The text of a request for a price, with what it continues. */
export async function rememberForEstimate(
  services: MemoryServices,
  asking: Asking,
): Promise<string> {
  for (const language of [interactionsMemory, responsesMemory]) {
    const memory = language.find(asking.text, false);
    if (memory === undefined) continue;
    const { previousId, conversationId, background } = memory;
    if ((previousId ?? conversationId ?? background) === undefined) continue;
    return (await findEarlier(services, asking, language, memory))?.text ?? asking.text;
  }
  return asking.text;
}

type Found = { readonly text: string; readonly remembered: Remembered };

async function findEarlier(
  services: MemoryServices,
  { principal, text, slot }: Asking,
  language: MemoryLanguage,
  memory: Memory,
): Promise<Found | undefined> {
  const access = await findMemoryAccess(services, principal);
  if (access === undefined) return undefined;
  const ids = idsOf(language, memory);
  const ownMemory = memoryOfText(text, Buffer.byteLength(text));
  const reserve = (bytes: number) => slot.resize(ownMemory + bytes);
  const earlier = await readEarlier({ access, language, reserve }, ids);
  const { newItems, ...continued } = language.continueRequest(text, earlier, memory.background);
  const bytes = Buffer.byteLength(continued.text);
  if (bytes > bodyMaxBytes && earlier.length > 0) {
    throw tooLarge(ids.previousId === undefined ? "conversation" : language.previousParam);
  }
  slot.resize(memoryOfText(continued.text, bytes));
  return { text: continued.text, remembered: { access, language, memory, ...ids, newItems } };
}

type EarlierIds = Pick<Remembered, "previousId" | "conversationId">;

/** Throws for what is no id as for the id of somebody else. */
function idsOf(
  language: MemoryLanguage,
  { previousId: asked, conversationId }: Memory,
): EarlierIds {
  const previousId = asked === undefined ? undefined : language.parseId(asked);
  if (asked !== undefined && previousId === undefined) throw noPrevious(language);
  const ofConversation =
    conversationId === undefined ? undefined : parseConversationId(conversationId);
  if (conversationId !== undefined && ofConversation === undefined) throw noConversation();
  return { previousId, conversationId: ofConversation };
}

async function readEarlier(
  reading: Omit<Reading, "param">,
  { previousId, conversationId }: EarlierIds,
): Promise<readonly string[]> {
  if (previousId !== undefined) {
    return readChain({ ...reading, param: reading.language.previousParam }, previousId);
  }
  if (conversationId === undefined) return [];
  return readConversation({ ...reading, param: "conversation" }, conversationId);
}
