// The catalog of this installation as the desk reads it, in the server and on the command line.
import { Fault } from "@turnpike/base";
import { CatalogError, type CatalogFile } from "@turnpike/catalog";

export type CatalogFiles = {
  /** Where the file of this process is. */
  readonly path: string;
  /** The text of the one in use here. */
  readonly text: () => string;
  /** The one in use here, without what is switched off. Throws CatalogError where it is read only now. */
  readonly current: () => CatalogFile;
  /** The file of this process, in force or not. Throws CatalogError, and `not_found` if it cannot be read. */
  readonly own: () => CatalogFile;
  /** Another text, with the credentials of this process. Throws CatalogError with every mistake. */
  readonly read: (text: string) => CatalogFile;
};

/** What `read` returns; the mistakes of a catalog as a Fault. */
export function requireRight(read: () => CatalogFile, param?: string): CatalogFile {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
    throw new Fault("invalid_value", error.message, param === undefined ? {} : { param });
  }
}
