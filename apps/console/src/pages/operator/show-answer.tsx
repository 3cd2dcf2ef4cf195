// What a verb answered, where it says more than that it was done: facts, the secret of a key that was made, or an archive,
// which is downloaded.
import { lazy } from "solid-js";
import { downloadArchive, isExportPath } from "../../lib/download-export.ts";
import { loadOnce } from "../../lib/load-once.ts";
import { openDialog } from "../../ui/dialogs/open-dialog.tsx";
import { showToast } from "../../ui/notices/toasts.tsx";
import { describeResult, splitWords } from "./describe-result.ts";

const AnswerDialog = lazy(loadOnce(() => import("./answer-dialog.tsx")));

const SecretDialog = lazy(
  loadOnce(async () => ({
    default: (await import("../../product/keys/secret-dialog.tsx")).SecretDialog,
  })),
);

/** Without what was given. */
export function showAnswer(
  { label: title, secret }: { readonly label: string; readonly secret?: string | undefined },
  answer: unknown,
  given: Readonly<Record<string, unknown>>,
): void {
  if (typeof answer !== "object" || answer === null) return;
  const said = new Map<string, unknown>(Object.entries(answer));
  const path = said.get("path");
  if (isExportPath(path)) {
    void download(path);
    return;
  }
  const shownOnce = secret === undefined ? undefined : said.get(secret);
  if (typeof shownOnce === "string") {
    showSecret(title, shownOnce);
    return;
  }
  const facts = [...said]
    .filter(([name, value]) => given[name] !== value)
    .map(([name, value]) => [splitWords(name), describeResult(value)] as const)
    .filter(([, text]) => text !== "");
  if (facts.length > 0) {
    openDialog((close) => <AnswerDialog title={title} facts={facts} onClose={close} />);
  }
}

function showSecret(title: string, secret: string): void {
  openDialog((close) => (
    <SecretDialog
      open
      title={title}
      secret={secret}
      next="It spends the money of the account. Send it to them over a channel that only they read."
      onClose={close}
    >
      {undefined}
    </SecretDialog>
  ));
}

async function download(path: string): Promise<void> {
  try {
    if (await downloadArchive(path)) return;
    showToast({ text: "Nothing was downloaded: prove your identity, then export again." });
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    const text = message === "" ? "The archive could not be written. Export it again." : message;
    showToast({ text, isError: true });
  }
}
