// Which entry of a list by size and quality, such as the prices of images, a request means. What a request leaves open costs
// what the dearest entry does that it may turn out to be.

/** What is asked for, as far as it is. */
export type ImageForm = {
  /** `1024x1024`, or a tier such as `2K`. */
  readonly size?: string | undefined;
  readonly quality?: string | undefined;
};

/**
 * The names of the entries that a form may be billed by. Where its quality and its size are known, that is the most exact one
 * there is; otherwise all that it may turn out to be. Empty if none is for such a form.
 */
export function variantsOf(names: readonly string[], form: ImageForm): readonly string[] {
  const sizes = form.size === undefined ? undefined : [form.size, tierOf(form.size)];
  const fitting = names.filter((name) => fits(name, sizes, form.quality));
  if (form.size === undefined || form.quality === undefined) return fitting;
  const exactness = (name: string) => {
    const parts = name.split("/");
    return parts.length * 2 + (parts.includes(form.size ?? "") ? 1 : 0);
  };
  const most = Math.max(...fitting.map(exactness));
  return fitting.filter((name) => exactness(name) === most);
}

/** The form that the name of an entry says. */
export function formOf(name: string): ImageForm {
  const parts = name.split("/");
  return { size: parts.find(isSize), quality: parts.find((part) => part !== "" && !isSize(part)) };
}

/** An entry is `quality/size`, `quality` or `size`; what it does not say, it is for any of. */
function fits(
  name: string,
  sizes: readonly string[] | undefined,
  quality: string | undefined,
): boolean {
  return name.split("/").every((part) => {
    if (isSize(part)) return sizes === undefined || sizes.includes(part);
    return quality === undefined || part === quality;
  });
}

function isSize(part: string): boolean {
  return /^(?:\d+x\d+|512|[124]K)$/.test(part);
}

/** The tier of a size in pixels, by its longer side, as OpenRouter names them. */
function tierOf(size: string): string {
  const [, width = "", height = ""] = /^(\d+)x(\d+)$/.exec(size) ?? [];
  if (width === "") return size;
  const longer = Math.max(Number(width), Number(height));
  if (longer <= 512) return "512";
  if (longer <= 1_536) return "1K";
  return longer <= 2_048 ? "2K" : "4K";
}
