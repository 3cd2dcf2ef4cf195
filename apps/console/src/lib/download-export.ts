// Downloads the archive of everything stored about the person or the account of the page, after a recent proof of
// identity. An archive that breaks off is not saved.
import { accountHeaders } from "./account-address.ts";
import { saveBlob } from "./download-file.ts";
import { askForProof } from "./step-up/prompt.ts";

/** False if the person did not prove their identity. Throws with a message if there is no archive. */
export async function downloadExport(of: "person" | "account"): Promise<boolean> {
  const answer = await request(of);
  if (answer.ok) {
    const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1];
    saveBlob(name ?? "export.tar.gz", await answer.blob());
    return true;
  }
  const { code, message } = await readRefusal(answer);
  if (code !== "step_up_required") throw new Error(message);
  return (await askForProof()) ? downloadExport(of) : false;
}

function request(of: string): Promise<Response> {
  return fetch(`/console/export?of=${of}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...accountHeaders() },
    body: "{}",
  });
}

async function readRefusal(answer: Response): Promise<{ code: string; message: string }> {
  try {
    const { error } = await answer.json();
    return { code: String(error.code), message: String(error.message) };
  } catch {
    return { code: "", message: "" };
  }
}
