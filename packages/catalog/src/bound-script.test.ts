// The bound of a text by an unknown tokeniser: for the scripts that some tokenisers spell out byte by byte it is
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
  "%s is bounded by what a tokeniser makes of it that knows it less well",
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
