// Files as OpenAI's API shows them. They are ready as soon as they have an id.

export type FileView = {
  /** `file-…`. */
  readonly id: string;
  readonly size: number;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly filename: string;
  readonly purpose: string;
};

export function fileBody({ id, size, createdAt, expiresAt, filename, purpose }: FileView) {
  return {
    id,
    object: "file",
    bytes: size,
    created_at: toSeconds(createdAt),
    ...(expiresAt !== null && { expires_at: toSeconds(expiresAt) }),
    filename,
    purpose,
    status: "processed",
  };
}

export function fileListBody(files: readonly FileView[], hasMore: boolean) {
  return {
    object: "list",
    data: files.map(fileBody),
    first_id: files.at(0)?.id ?? null,
    last_id: files.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

export function deletedFileBody(id: string) {
  return { id, object: "file", deleted: true };
}

function toSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1_000);
}
