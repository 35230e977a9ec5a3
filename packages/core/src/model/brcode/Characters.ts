/** The EMV set `ans`: 0x20 to 0x7E. */
export const isPrintable = (text: string, from = 0, end: number = text.length): boolean => {
  for (let i = from; i < end; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x20 || unit > 0x7e) return false
  }
  return true
}

const accentedLetter = /\p{Script=Latin}[\u0300-\u036f]*/gu
const accents = /[\u0300-\u036f]/g

/** Drops accents only from letters: ≠ is not an accented =. */
const withoutMarks = (text: string): string =>
  text.replace(accentedLetter, (letter) => letter.normalize("NFD").replace(accents, ""))

/** Letters without a decomposition, spelled as in Brazilian records. */
const wholeLetters: ReadonlyMap<string, string> = /* @__PURE__ */ new Map(
  "ß=ss ẞ=SS æ=ae Æ=AE œ=oe Œ=OE ø=o Ø=O đ=d Đ=D ð=d Ð=D ł=l Ł=L þ=th Þ=Th ı=i ª=a º=o"
    .split(" ")
    .map((pair) => pair.split("=") as [string, string]),
)

const firstLetter = 0x80
const afterLastLetter = 0x180

/** Plain letters by character code: a table, because decomposition is slow. */
const letters: ReadonlyArray<string | undefined> = /* @__PURE__ */ Array.from(
  { length: afterLastLetter },
  (_, code) => {
    const letter = String.fromCharCode(code)
    const plain = withoutMarks(letter)
    return code >= firstLetter && plain !== letter ? plain : undefined
  },
)

const withPlainLetters = (text: string): string => {
  let plain = ""
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const letter = code < firstLetter ? undefined : (letters[code] ?? wholeLetters.get(text.charAt(i)))
    if (letter === undefined) continue
    plain += text.slice(from, i) + letter
    from = i + 1
  }
  return plain + text.slice(from)
}

/** Drops accents, and replaces letters like ß and ø with plain ones (`ss`, `o`). */
export const withoutAccents = (text: string): string => {
  const plain = withPlainLetters(text)
  return isPrintable(plain) ? plain : withPlainLetters(withoutMarks(text))
}

const unreadable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

export const isUnreadable = (text: string): boolean => unreadable.test(text)

const isBetween = (unit: number, first: number, last: number): boolean => unit >= first && unit <= last

export const isAlphanumeric = (text: string): boolean => {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (!isBetween(unit, 0x61, 0x7a) && !isBetween(unit, 0x30, 0x39) && !isBetween(unit, 0x41, 0x5a)) return false
  }
  return true
}
