// The catalog of this installation as the desk reads it, in the server and on the command line.
import type { CatalogFile } from "@turnpike/catalog";

export type CatalogFiles = {
  /** The text of the one in use here. */
  readonly text: () => string;
  /** The one in use here, without what is switched off. Throws CatalogError where it is read only now. */
  readonly current: () => CatalogFile;
  /** The file of this process, in force or not. Throws CatalogError. */
  readonly own: () => CatalogFile;
  /** Another text, with the credentials of this process. Throws CatalogError with every mistake. */
  readonly read: (text: string) => CatalogFile;
};
