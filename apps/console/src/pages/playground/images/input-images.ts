// Images to edit, as files that were chosen, dropped, pasted or drawn before: which are taken, and why others are not.

export const imageTypes: readonly string[] = ["image/png", "image/jpeg", "image/webp"];

const mebibyte = 1024 * 1024;
/** The bounds of the API. */
const imageMaxBytes = 50 * mebibyte;
const allMaxBytes = 99 * mebibyte;
const maskMaxBytes = 4 * mebibyte;

export type Picked = {
  readonly inputs: readonly File[];
  /** Why some were rejected. */
  readonly problem: string | undefined;
};

export function addImages(inputs: readonly File[], files: readonly File[], most: number): Picked {
  if (most === 0) return { inputs, problem: "This model only makes new images." };
  const strange = files.find(({ type }) => !imageTypes.includes(type));
  if (strange) return { inputs, problem: `${strange.name} is not a PNG, JPEG or WebP image.` };
  const large = files.find(({ size }) => size > imageMaxBytes);
  if (large) return { inputs, problem: `${large.name} is larger than 50 MB.` };
  const fitting = [...inputs, ...files].slice(0, most);
  const bytes = fitting.reduce((sum, { size }) => sum + size, 0);
  if (bytes > allMaxBytes) return { inputs, problem: "The images are larger than 99 MB together." };
  const isFull = fitting.length < inputs.length + files.length;
  const images = most === 1 ? "image" : "images";
  const problem = isFull ? `This model takes at most ${most} ${images}.` : undefined;
  return { inputs: fitting, problem };
}

/** Why a file is no mask; undefined if it is one. */
export function describeMaskProblem({ type, size }: File): string | undefined {
  if (type !== "image/png") return "A mask is a PNG image.";
  return size > maskMaxBytes ? "The mask is larger than 4 MB." : undefined;
}
