// The console as the build draws it once: compiled like the one that browsers load.
import { render } from "solid-js/web";
import { App } from "../src/app.tsx";

/** Returns what removes it again. */
export function mountApp(root: HTMLElement): () => void {
  return render(() => <App />, root);
}
