// A call whose prompt is stored. The setting of its project reaches the server by a notification, and what is stored is
// written after the answer: so it is asked again until the prompt can be read.
import type { ChatAnswer } from "./ask-gateway.fixture.ts";
import type { Member } from "./member.fixture.ts";

const looksPerCall = 50;

export async function askUntilStored(
  member: Member,
  ask: () => Promise<Pick<ChatAnswer, "headers">>,
): Promise<void> {
  for (;;) {
    const id = (await ask()).headers.get("x-generation-id");
    for (let look = 0; look < looksPerCall; look += 1) {
      if (await isStored(member, id)) return;
      await Bun.sleep(20);
    }
  }
}

async function isStored(member: Member, id: string | null): Promise<boolean> {
  try {
    await member.query("logs.prompt", { id });
    return true;
  } catch (error) {
    if (String(error).includes("not_found")) return false;
    throw error;
  }
}
