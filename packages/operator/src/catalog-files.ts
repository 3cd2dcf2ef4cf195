// The catalogue of this installation as the desk reads it, in the server and on the command line.
import type { CatalogFile } from "@turnpike/catalog";

export type CatalogFiles = {
  /** The one in use here, without what is switched off. Throws CatalogError where it is read only now. */
  readonly current: () => CatalogFile;
  /** Another text, with the credentials of this process. Throws CatalogError with every mistake. */
  readonly read: (text: string) => CatalogFile;
};
