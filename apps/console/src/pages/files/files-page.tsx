// What do the API keys of the account keep here, and how far are their batches?
import { A } from "@solidjs/router";
import type { JSX } from "solid-js";
import { Show } from "solid-js";
import { useAccount, useConfig } from "../../lib/session.ts";
import { PageHeader } from "../../ui/layout/page-header.tsx";
import { Banner } from "../../ui/notices/banner.tsx";
import { BatchesCard } from "./batches-card.tsx";
import { FilesCard } from "./files-card.tsx";

export default function FilesPage(): JSX.Element {
  const config = useConfig();
  const account = useAccount();
  const isOwn = () => account()?.permissions["files.read"] === "own";
  return (
    <>
      <PageHeader
        description={
          <p>
            What {isOwn() ? "your API keys" : "the API keys of this account"} uploaded with{" "}
            <code translate="no">/v1/files</code>, and the <A href="/docs/batches">batches</A> that
            run requests within a day. Requests may name a file instead of sending it.
          </p>
        }
      />
      <div class="flex flex-col gap-5">
        <Show when={config.data?.files === false}>
          <Banner tone="warning">
            Files are off: the operator of this installation has to set OBJECTS_FOLDER and
            SEALING_KEY first.
          </Banner>
        </Show>
        <BatchesCard />
        <FilesCard />
      </div>
    </>
  );
}
