// Has a document draw names in scripts that its own font lacks: each line is measured and drawn as runs of several fonts,
// and copied as it was typed. A document without such names is left as it is.
import type PDFDocument from "pdfkit";
import type { NameFonts, Run } from "./open-name-fonts.ts";

// Devanagari and the Thai am: their glyphs are not their letters in order, so a reader is told what to copy.
const reordered = /\p{Script=Devanagari}|\u0e33/u;

type Document = InstanceType<typeof PDFDocument>;
type Options = PDFKit.Mixins.TextOptions;

/** What pdfkit draws and measures every line with, also those of tables. */
type LineDrawing = {
  _font: { readonly ascender: number };
  readonly _fontSize: number;
  _fragment(text: string, x: number, y: number, options: Options): void;
  widthOfString(text: string, options?: Options): number;
};

export function drawNames(document: Document, { files, runsOf }: NameFonts): void {
  if (files.size === 0) return;
  for (const [name, file] of files) document.registerFont(name, Buffer.from(file));
  const drawing = drawingOf(document);
  const drawRun = drawing._fragment.bind(document);
  const measureRun = drawing.widthOfString.bind(document);
  const inFont = <Result>({ font }: Run, use: () => Result): Result => {
    const own = drawing._font;
    if (font !== undefined) document.font(font);
    const result = use();
    drawing._font = own;
    return result;
  };
  drawing.widthOfString = (text, options) =>
    runsOf(text).reduce((sum, run) => sum + inFont(run, () => measureRun(run.text, options)), 0);
  drawing._fragment = (text, x, y, options) => {
    const runs = runsOf(text);
    if (runs.every(({ font }) => font === undefined)) return drawRun(text, x, y, options);
    // One baseline for all fonts.
    const baseline = (-drawing._font.ascender * drawing._fontSize) / 1000;
    let left = x;
    for (const run of runs) {
      const isReordered = reordered.test(run.text);
      if (isReordered) document.markContent("Span", { actual: run.text });
      left += inFont(run, () => {
        drawRun(run.text, left, y, { baseline });
        return measureRun(run.text);
      });
      if (isReordered) document.endMarkedContent();
    }
  };
}

/** Guaranteed by the exact version of pdfkit; the test of statements reads what it drew. */
function drawingOf(document: Document): LineDrawing {
  return document as unknown as LineDrawing;
}
