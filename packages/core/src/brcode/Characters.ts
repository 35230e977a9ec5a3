/** Whether every UTF-16 unit of a range lies in 0x20 to 0x7E, the EMV set `ans`. */
export const isPrintable = (text: string, from = 0, end: number = text.length): boolean => {
  for (let i = from; i < end; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x20 || unit > 0x7e) return false
  }
  return true
}

/** Letters that decomposition leaves whole, and what Brazilian records write for them. */
const wholeLetters = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  ł: "l",
  Ł: "L",
  þ: "th",
  Þ: "Th",
  ı: "i",
  ª: "a",
  º: "o",
}

const withoutMarks = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "")

/** The accented letters of the Latin-1 and Latin Extended-A blocks, looked up because decomposing takes long. */
const letters: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ...Array.from({ length: 0x180 - 0xc0 }, (_, i) => String.fromCharCode(0xc0 + i)).map((letter): [string, string] => [
    letter,
    withoutMarks(letter),
  ]),
  ...Object.entries(wholeLetters),
])

const spell = (text: string): string => {
  let spelt = ""
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const letter = text.charCodeAt(i) < 0x80 ? undefined : letters.get(text.charAt(i))
    if (letter === undefined) continue
    spelt += text.slice(from, i) + letter
    from = i + 1
  }
  return spelt + text.slice(from)
}

/**
 * A Latin text loses its accents and nothing else: marks are dropped after decomposition (NFD), letters such as ß and æ
 * become their two letters. What is not a Latin letter stays, for the caller to refuse.
 */
export const withoutAccents = (text: string): string => {
  const spelt = spell(text)
  return isPrintable(spelt) ? spelt : spell(withoutMarks(spelt))
}

/** What no reading forgives: control characters, line breaks, marks that turn the text's direction, broken surrogates. */
const unreadable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** Whether a text hides or breaks something, so that not even a lenient reading shows it. */
export const isUnreadable = (text: string): boolean => unreadable.test(text)

const between = (unit: number, first: number, last: number): boolean => unit >= first && unit <= last

/** Whether all is letters A to Z, a to z, and digits. */
export const isAlphanumeric = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (!between(unit, 0x61, 0x7a) && !between(unit, 0x30, 0x39) && !between(unit, 0x41, 0x5a)) return false
  }
  return true
}
