// The bound of a text by an unknown tokenizer: for the scripts that some tokenizers spell out byte by byte it is
// what these make of them, and English is hardly more than counted.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { countTokens as countCl100k } from "gpt-tokenizer/encoding/cl100k_base";
import { countTokens as countO200k } from "gpt-tokenizer/encoding/o200k_base";
import { boundScript } from "./bound-script.ts";

const samples = {
  Georgian: "ყველა ადამიანი იბადება თავისუფალი და თანასწორი თავისი ღირსებითა და უფლებებით.",
  Malayalam: "മനുഷ്യരെല്ലാവരും തുല്യാവകാശങ്ങളോടും അന്തസ്സോടും സ്വാതന്ത്ര്യത്തോടുംകൂടി ജനിച്ചവരാണ്.",
  Burmese: "လူတိုင်းသည် တူညီ လွတ်လပ်သော ဂုဏ်သိက္ခာဖြင့် လည်းကောင်း",
  Khmer: "មនុស្សទាំងអស់ កើតមកមានសេរីភាព និងសមភាព ក្នុងផ្នែកសេចក្ដីថ្លៃថ្នូរនិងសិទ្ធិ។",
  Armenian: "Բոլոր մարդիկ ծնվում են ազատ ու հավասար իրենց արժանապատվությամբ ու իրավունքներով։",
  Hindi: "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता प्राप्त है।",
  Thai: "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ",
  Russian: "Все люди рождаются свободными и равными в своем достоинстве и правах.",
  Greek: "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα.",
  Hebrew: "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם.",
  Arabic: "يولد جميع الناس أحرارًا متساوين في الكرامة والحقوق.",
  Korean: "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
  numbers: "3141592653589793238462643383279502884197",
};

test.each(Object.entries(samples))(
  "%s is bounded by what a tokenizer makes of it that knows it less well",
  (_, text) => {
    const bound = boundScript(text, countO200k);
    expect(bound).toBeGreaterThan(countO200k(text));
    expect(bound).toBeGreaterThanOrEqual(countCl100k(text));
    expect(bound).toBeLessThanOrEqual(Buffer.byteLength(text));
  },
);

test.each(["Georgian", "Malayalam", "Burmese", "Khmer"] as const)(
  "the letters of %s count as their bytes",
  (script) => {
    const letters = samples[script].replace(/[ .]/g, "");
    expect(boundScript(letters, countO200k)).toBe(Buffer.byteLength(letters));
  },
);

/** The first and the last character of each script, and the tokens of four of them. */
const edges = [
  ...[{ first: 0x30, last: 0x39, four: 4 }], // digits
  ...[{ first: 0x250, last: 0x36f, four: 8 }], // two bytes each
  ...[{ first: 0x370, last: 0x3ff, four: 4 }], // Greek
  ...[{ first: 0x400, last: 0x52f, four: 2 }], // Cyrillic
  ...[{ first: 0x530, last: 0x58f, four: 8 }], // Armenian
  ...[{ first: 0x590, last: 0x6ff, four: 5 }], // Hebrew and Arabic
  ...[{ first: 0x700, last: 0x7ff, four: 8 }],
  ...[{ first: 0x800, last: 0x1dff, four: 12 }], // three bytes each
  ...[{ first: 0x1e00, last: 0x1eff, four: 4 }], // Vietnamese
  ...[{ first: 0x1f00, last: 0x1fff, four: 12 }],
  ...[{ first: 0x2000, last: 0x206f, four: 4 }], // punctuation
  ...[{ first: 0x2070, last: 0x2fff, four: 12 }],
  ...[{ first: 0x3000, last: 0x30ff, four: 5 }], // Japanese
  ...[{ first: 0x3100, last: 0x4dff, four: 12 }],
  ...[{ first: 0x4e00, last: 0x9fff, four: 5 }], // Chinese
  ...[{ first: 0xa000, last: 0xabff, four: 12 }],
  ...[{ first: 0xac00, last: 0xd7a3, four: 5 }], // Korean
  ...[{ first: 0xd7a4, last: 0xfeff, four: 12 }],
  ...[{ first: 0xff00, last: 0xff5e, four: 4 }], // full width
  ...[{ first: 0xff5f, last: 0xffff, four: 12 }],
  ...[{ first: 0x10000, last: 0x10ffff, four: 16 }], // emoji and rare scripts
];

test.each(edges)("characters from $first to $last: four have at most $four tokens", (edge) => {
  for (const point of [edge.first, edge.last]) {
    expect(boundScript(String.fromCodePoint(point).repeat(4), () => 0)).toBe(edge.four);
  }
});

test("English is bounded by a quarter more than counted", () => {
  const text = "All human beings are born free and equal in dignity and rights. ";
  const counted = countO200k(text);
  expect(boundScript(text, countO200k)).toBeLessThanOrEqual(Math.ceil((counted * 5) / 4));
});

test("no text has fewer tokens than counted, or more than bytes", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 64 }), (text) => {
      const bound = boundScript(text, countO200k);
      expect(bound).toBeGreaterThanOrEqual(countO200k(text));
      expect(bound).toBeLessThanOrEqual(Math.max(Buffer.byteLength(text), countO200k(text)));
    }),
  );
});
