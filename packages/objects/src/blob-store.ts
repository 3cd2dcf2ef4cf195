// Where contents are that are too large for a row: bytes under random addresses, written once. What is stored there is encrypted
// already, and a store neither knows whose it is nor what it says.

export type BlobStore = {
  /** What a blob takes of memory while it is written or read. */
  readonly memoryBytes: number;
  /** Rejects if something is under this address, or its sink does before it ends. Addresses are random: a service may not tell. */
  readonly create: (address: string) => Promise<BlobSink>;
  /** From the beginning; rejects if nothing is there, with `overloaded` if the store is away. */
  readonly read: (address: string) => AsyncIterable<Uint8Array>;
  /** Resolves as well if nothing is there, and removes as well what no sink ended. */
  readonly remove: (address: string) => Promise<void>;
};

export type BlobSink = {
  /** The bytes may change once it has resolved. */
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Resolves once the bytes survive a crash of the machine. */
  readonly end: () => Promise<void>;
  /** Ends without that; what was written is removed by its address. */
  readonly abort: () => Promise<void>;
};
