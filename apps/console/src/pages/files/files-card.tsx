// The files of the account, newest first: what they are called and for, how long they are kept, downloading and deleting them.
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { type Answers, api } from "../../lib/api.ts";
import { formatBytes } from "../../lib/format.ts";
import { useMay } from "../../lib/session.ts";
import { RowButton } from "../../ui/buttons/change-button.tsx";
import { askQuestion } from "../../ui/dialogs/open-dialog.tsx";
import { textColumn, timeColumn } from "../../ui/tables/columns.tsx";
import { PagedCard } from "../../ui/tables/paged-card.tsx";
import type { Column } from "../../ui/tables/table.tsx";
import { DownloadLink } from "./download-link.tsx";

type KeptFile = Answers["files"]["list"]["rows"][number];

const filesKey = ["files"] as const;

const purposeNames: Readonly<Record<string, string>> = {
  batch: "Lines of a batch",
  batch_output: "Results of a batch",
  user_data: "For requests",
  vision: "For requests, as an image",
};

const columns: readonly Column<KeptFile>[] = [
  textColumn("name", "Name", ({ name, id }) => (
    <>
      <span translate="no" class="block font-medium">
        {name}
      </span>
      <span translate="no" class="block font-mono text-xs text-muted">
        {id}
      </span>
    </>
  )),
  textColumn("purpose", "Purpose", ({ purpose }) => purposeNames[purpose] ?? purpose),
  { id: "size", title: "Size", align: "end", cell: ({ size }) => formatBytes(size) },
  timeColumn("created", "Created", ({ createdAt }) => createdAt),
  timeColumn("expires", "Expires", ({ expiresAt }) => expiresAt),
];

export function FilesCard(): JSX.Element {
  const mayChange = useMay("files.change");
  return (
    <PagedCard
      title="Files"
      description="Encrypted, and kept until they expire or are deleted."
      queryKey={filesKey}
      load={(page, call) => api.files.list.query(page, call)}
      what="the files"
      empty="No files yet."
      caption="Files, newest first"
      columns={columns}
      actions={(file) => (
        <span class="inline-flex items-center gap-2">
          <DownloadLink id={file.id} of={file.name}>
            Download
          </DownloadLink>
          <Show when={mayChange()}>
            <RowButton text="Delete" of={file.name} onClick={() => deleteFile(file)} />
          </Show>
        </span>
      )}
    />
  );
}

function deleteFile({ id, name }: KeptFile): void {
  askQuestion({
    title: `Delete ${name}?`,
    text: "Requests that name it are refused from now on, and batches that have not read it fail. This cannot be undone.",
    confirmLabel: "Delete file",
    pendingLabel: "Deleting…",
    run: () => api.files.delete.mutate({ id }),
    refreshes: [filesKey],
    toast: `${name} was deleted.`,
  });
}
