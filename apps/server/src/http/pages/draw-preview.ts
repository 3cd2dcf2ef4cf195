// The picture that programs show beside a link to a public page: its title and description under our name.
import { fileURLToPath } from "node:url";
import { escapeHtml } from "./console-facts.ts";

export type Preview = {
  readonly product: string;
  readonly title: string;
  readonly description: string;
};

/** The size that Open Graph's readers expect. */
const [width, height, margin] = [1_200, 630, 80];
const titleLine = { chars: 30, lines: 3, size: 60, height: 76 };
const textLine = { chars: 58, lines: 3, size: 30, height: 44 };
const fontFiles = [
  fileURLToPath(import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf")),
  fileURLToPath(import.meta.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf")),
];

/** A PNG, drawn outside of the thread that serves calls. */
export async function drawPreview(preview: Preview): Promise<Uint8Array<ArrayBuffer>> {
  // Native, and rarely used.
  const { renderAsync } = await import("@resvg/resvg-js");
  const image = await renderAsync(writeSvg(preview), {
    font: {
      fontFiles,
      loadSystemFonts: false,
      defaultFontFamily: "DejaVu Sans",
    },
  });
  return new Uint8Array(image.asPng());
}

function writeSvg({ product, title, description }: Preview): string {
  const titleTop = 270;
  const titleLines = wrap(title, titleLine);
  const textTop = titleTop + titleLines.length * titleLine.height + 20;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="DejaVu Sans">
<rect width="${width}" height="${height}" fill="#ffffff"/>
<rect width="${width}" height="12" fill="#3451d1"/>
<g transform="translate(${margin} 70) scale(2.25)">
<rect width="32" height="32" rx="7" fill="#3451d1"/>
<path d="M8 10h16M16 10v14" stroke="#ffffff" stroke-width="3.2" stroke-linecap="round"/>
<circle cx="16" cy="10" r="3.4" fill="#ffffff"/>
</g>
<text x="${margin + 96}" y="120" font-size="40" font-weight="700" fill="#14171f">${escapeHtml(product)}</text>
${writeLines(titleLines, titleTop, titleLine, 'font-weight="700" fill="#14171f"')}
${writeLines(wrap(description, textLine), textTop, textLine, 'fill="#566076"')}
</svg>`;
}

type LineShape = typeof titleLine;

function writeLines(lines: readonly string[], top: number, shape: LineShape, look: string): string {
  return lines
    .map((line, index) => {
      const y = top + index * shape.height;
      return `<text x="${margin}" y="${y}" font-size="${shape.size}" ${look}>${escapeHtml(line)}</text>`;
    })
    .join("\n");
}

/** At most the lines of its shape; what is cut ends with an ellipsis. */
function wrap(text: string, { chars, lines: most }: LineShape): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= chars) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word.slice(0, chars));
  }
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most - 1), `${lines[most - 1]}…`];
}
