// The words around rendered Markdown.
import { createTexts } from "../texts/create-texts.ts";

const markdown = { code: "Code", table: "Table, scrolls sideways" } as const;

export const t = createTexts({ markdown });
