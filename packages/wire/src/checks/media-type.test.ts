// How the media type of a file is found by its name: a video that is not recognized is not refused.
import { expect, test } from "bun:test";
import { mediaTypeOf } from "./media-type.ts";

test.each([
  "3gp",
  "3gpp",
  "3g2",
  "m2ts",
  "m3u8",
  "mp4",
  "m4v",
  "mpd",
  "mpg",
  "mpeg",
  "vob",
  "ogv",
  "mov",
  "qt",
  "webm",
  "wmv",
  "asf",
  "flv",
  "f4v",
  "mkv",
  "avi",
])("a file of the extension .%s is a video, in any case and at any address", (extension) => {
  for (const name of [`a.${extension}`, `a.${extension.toUpperCase()}`]) {
    for (const address of [name, `https://files.example/${name}?signed=1`]) {
      expect(mediaTypeOf(address)).toStartWith("video/");
    }
  }
});
