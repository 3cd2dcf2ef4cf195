// Whether the server has a newer build than this page. Checked now and then while the page is visible, so
// that no one keeps working in an outdated console.
import { type Accessor, createSignal, onCleanup } from "solid-js";

const everyMs = 600_000;

export function useNewVersion(): Accessor<boolean> {
  const [found, setFound] = createSignal(false);
  const own = document.querySelector('script[type="module"][src]')?.getAttribute("src");
  let lookedAt = Date.now();
  const look = async () => {
    if (!own || document.hidden || Date.now() - lookedAt < everyMs) return;
    lookedAt = Date.now();
    const page = await readStartPage();
    if (page !== undefined) setFound(!page.includes(own));
  };
  const onSight = () => void look();
  const timer = setInterval(onSight, everyMs);
  document.addEventListener("visibilitychange", onSight);
  onCleanup(() => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onSight);
  });
  return found;
}

/** Undefined if it cannot be fetched. */
async function readStartPage(): Promise<string | undefined> {
  try {
    const answer = await fetch("/", { headers: { accept: "text/html" }, cache: "no-store" });
    return answer.ok ? await answer.text() : undefined;
  } catch {
    return undefined;
  }
}
