// Unpacks Chromium before several processes start it at the same moment: its package writes it into place without a lock.
import { launchChromium } from "./launch-chromium.fixture.ts";

const browser = await launchChromium();
// Each suite says why no browser can start.
if (typeof browser !== "string") await browser.close();
