/** Letters of Latin names that decomposition leaves whole. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  ł: "l",
  Ł: "L",
}

/** A name as fields 59 and 60 of a BR Code can hold it: without accents, printable ASCII only, cut to `longest` characters. */
export const plainText = (text: string, longest: number): string =>
  text
    .normalize("NFD")
    .replace(/[^\0-\x7f]/gu, (character) => letters[character] ?? "")
    .replace(/[^\x20-\x7e]+/g, " ")
    .replace(/ {2,}/g, " ")
    .trim()
    .slice(0, longest)
    .trim()
