// Finds a Chromium and starts it: the one from npm on Linux, the installed Chrome elsewhere. Web
// security stays on, so that what passes here passes in a browser people have.
import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";

const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--font-render-hinting=none",
  // Pages of one context share what is loaded and compiled.
  "--process-per-site",
  // A microphone that beeps, where a page may use one.
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream",
];

/** The browser, or the reason why none can be started. */
export async function launchChromium(): Promise<Browser | string> {
  try {
    if (process.platform !== "linux") return await chromium.launch({ channel: "chrome", args });
    const executablePath = await sparticuz.executablePath();
    // Only from here on: what is unpacked is kept for the next run, a profile is removed with the folder of this one.
    const { TEST_FOLDER } = process.env;
    if (TEST_FOLDER !== undefined) process.env.TMPDIR = TEST_FOLDER;
    return await chromium.launch({ executablePath, args });
  } catch (error) {
    const [reason] = String(error instanceof Error ? error.message : error).split("\n");
    return `no Chromium runs on ${process.platform} ${process.arch}. ${reason}`;
  }
}
