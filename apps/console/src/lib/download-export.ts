// Downloads the archive of everything stored about the person, the account of the page or one that an operator exports, after a recent proof of
// identity. An archive that breaks off is not saved.
import { accountHeaders } from "./account-address.ts";
import { saveBlob } from "./download-file.ts";
import { askForProof } from "./step-up/prompt.ts";

const exportPath = "/console/export?";

/** False if the person did not prove their identity. Throws with a message if there is no archive. */
export function downloadExport(of: "person" | "account"): Promise<boolean> {
  return downloadArchive(`${exportPath}of=${of}`);
}

/** Of a verb of the desk, whose answer names it by its path. */
export function isExportPath(path: unknown): path is string {
  return typeof path === "string" && path.startsWith(exportPath);
}

/** As `downloadExport`, of what the path names. */
export async function downloadArchive(path: string): Promise<boolean> {
  const answer = await request(path);
  if (answer.ok) {
    const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1];
    saveBlob(name ?? "export.tar.gz", await answer.blob());
    return true;
  }
  const { code, message } = await readRefusal(answer);
  if (code !== "step_up_required") throw new Error(message);
  return (await askForProof()) ? downloadArchive(path) : false;
}

function request(path: string): Promise<Response> {
  return fetch(path, {
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
