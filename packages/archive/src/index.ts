// Everything that is stored about a person or an account, as one archive for them.
export { archiveOfAccount, archiveOfPerson, type Openers } from "./archived-tables.ts";
export type { RunRead } from "./query-pages.ts";
export { type Retired, retireRequests } from "./retire-requests.ts";
export { type ArchivedContents, type ArchivePart, writeArchive } from "./write-archive.ts";
