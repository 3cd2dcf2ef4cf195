// Unpacks Chromium before several processes start it at the same moment: its package writes it into place without a lock.
// If no Chromium can run, it prints the reason and exits with 1.
import { launchChromium } from "./launch-chromium.fixture.ts";

const browser = await launchChromium();
if (typeof browser === "string") {
  console.log(`Browser tests are skipped: ${browser}`);
  process.exit(1);
}
await browser.close();
