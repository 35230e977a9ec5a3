import { idOf, type Identity } from "./Site.ts"

/** A site whose fault changes nothing that anybody could notice, and why. */
export interface Equivalent extends Identity {
  readonly reason: string
}

/** They are planted no more. Each is as `pnpm mutate` prints it. */
export const equivalents: ReadonlyArray<Equivalent> = [
  {
    file: "packages/core/src/brcode/Characters.ts",
    operator: "number ±1",
    original: "const firstLetter = 0x80",
    mutated: "const firstLetter = 129",
    reason: "0x80 is no letter",
  },
  {
    file: "packages/core/src/brcode/Characters.ts",
    operator: "number ±1",
    original: "const firstLetter = 0x80",
    mutated: "const firstLetter = (127)",
    reason: "0x7F is no letter",
  },
  {
    file: "packages/core/src/brcode/Characters.ts",
    operator: "number ±1",
    original: "const afterLastLetter = 0x180",
    mutated: "const afterLastLetter = 385",
    reason: "the table only spares decomposing a letter, which the caller does where the table has none",
  },
  {
    file: "packages/core/src/brcode/Characters.ts",
    operator: "number ±1",
    original: "const afterLastLetter = 0x180",
    mutated: "const afterLastLetter = (383)",
    reason: "the table only spares decomposing a letter, which the caller does where the table has none",
  },
  {
    file: "packages/core/src/brcode/Characters.ts",
    operator: "object or array emptied",
    original: "{ length: afterLastLetter },",
    mutated: "{},",
    reason: "the table only spares decomposing a letter, which the caller does where the table has none",
  },
  {
    file: "packages/core/src/brcode/Characters.ts",
    operator: "ternary",
    original: "return code >= firstLetter && plain !== letter ? plain : undefined",
    mutated: "return undefined",
    reason: "the table only spares decomposing a letter, which the caller does where the table has none",
  },
  {
    file: "packages/core/src/brcode/Characters.ts",
    operator: "comparison's bound",
    original: "return code >= firstLetter && plain !== letter ? p",
    mutated: "return code > firstLetter && plain !== letter ? p",
    reason: "0x80 is no letter",
  },
  {
    file: "packages/core/src/brcode/Characters.ts",
    operator: "comparison negated",
    original: "return code >= firstLetter && plain !== letter ? p",
    mutated: "return code < firstLetter && plain !== letter ? p",
    reason: "the table only spares decomposing a letter, which the caller does where the table has none",
  },
  {
    file: "packages/core/src/brcode/Characters.ts",
    operator: "ternary",
    original: "const letter = code < firstLetter ? undefined : (letters[code] ?? wholeLetters.get(text.charAt(i)))",
    mutated: "const letter = (letters[code] ?? wholeLetters.get(text.charAt(i)))",
    reason: "neither table has ASCII",
  },
  {
    file: "packages/core/src/brcode/Characters.ts",
    operator: "comparison's bound",
    original: "const letter = code < firstLetter ? undefined : (letters[",
    mutated: "const letter = code <= firstLetter ? undefined : (letters[",
    reason: "0x80 is no letter",
  },
  {
    file: "packages/core/src/brcode/Characters.ts",
    operator: "??",
    original: "= code < firstLetter ? undefined : (letters[code] ?? wholeLetters.get(text.charAt(i)))",
    mutated: "= code < firstLetter ? undefined : (wholeLetters.get(text.charAt(i)))",
    reason: "the table only spares decomposing a letter, which the caller does where the table has none",
  },
  {
    file: "packages/core/src/brcode/Characters.ts",
    operator: "number ±1",
    original: "isPrintable = (text: string, from = 0, end: number = text.length): boolea",
    mutated: "isPrintable = (text: string, from = (-1), end: number = text.length): boolea",
    reason: "what stands before a text is no number, and lies neither below nor above any",
  },
  {
    file: "packages/core/src/brcode/Crc16.ts",
    operator: "number ±1",
    original: "const rows = 40",
    mutated: "const rows = 41",
    reason: "a row more, or one written twice, changes no other",
  },
  {
    file: "packages/core/src/brcode/Crc16.ts",
    operator: "condition",
    original: "for (; i + 3 < end; i += 4) {",
    mutated: "for (; false; i += 4) {",
    reason: "the quick way and the slow one give the same, and one is taken where the other might be",
  },
  {
    file: "packages/core/src/brcode/Crc16.ts",
    operator: "number ±1",
    original: "for (; i + 3 < end; i += 4) {",
    mutated: "for (; i + 4 < end; i += 4) {",
    reason: "the quick way and the slow one give the same, and one is taken where the other might be",
  },
  {
    file: "packages/core/src/brcode/Tlv.ts",
    operator: "number ±1",
    original: "let highest = -1",
    mutated: "let highest = -2",
    reason: "any negative number stands for none",
  },
  {
    file: "packages/core/src/brcode/Tlv.ts",
    operator: "number ±1",
    original: "let highest = -1",
    mutated: "let highest = -(0)",
    reason: "the quick way and the slow one give the same, and one is taken where the other might be",
  },
  {
    file: "packages/core/src/brcode/Tlv.ts",
    operator: "negation dropped",
    original: "let highest = -1",
    mutated: "let highest = 1",
    reason: "the quick way and the slow one give the same, and one is taken where the other might be",
  },
  {
    file: "packages/core/src/brcode/Tlv.ts",
    operator: "number ±1",
    original: "= end ? twoDigitsAt(text, index) : -1",
    mutated: "= end ? twoDigitsAt(text, index) : -2",
    reason: "any negative number stands for none",
  },
  {
    file: "packages/core/src/brcode/Tlv.ts",
    operator: "number ±1",
    original: "d ? twoDigitsAt(text, index + 2) : -1",
    mutated: "d ? twoDigitsAt(text, index + 2) : -2",
    reason: "any negative number stands for none",
  },
  {
    file: "packages/core/src/brcode/Tlv.ts",
    operator: "number ±1",
    original: "&& ones <= 9 ? tens * 10 + ones : -1",
    mutated: "&& ones <= 9 ? tens * 10 + ones : -2",
    reason: "any negative number stands for none",
  },
  {
    file: "packages/core/src/brcode/Tlv.ts",
    operator: "number ±1",
    original: "from + size <= end ? from + size : -1",
    mutated: "from + size <= end ? from + size : -2",
    reason: "any negative number stands for none",
  },
  {
    file: "packages/core/src/brcode/Tlv.ts",
    operator: "number ±1",
    original: "if (index >= end) return -1",
    mutated: "if (index >= end) return -2",
    reason: "any negative number stands for none",
  },
  {
    file: "packages/core/src/brcode/decodeBrCode.ts",
    operator: "number ±1",
    original: ".length > longest && (text.length > 2 * longest || countCharacters(text,",
    mutated: ".length > longest && (text.length > 3 * longest || countCharacters(text,",
    reason: "the quick way and the slow one give the same, and one is taken where the other might be",
  },
  {
    file: "packages/core/src/brcode/decodeBrCode.ts",
    operator: "ternary",
    original: "ch = ends ? checksumViolation(text, crc < 0 ? crc16(text, end) : crc, fields.forgiven) : undefined",
    mutated: "ch = ends ? checksumViolation(text, crc16(text, end), fields.forgiven) : undefined",
    reason: "the quick way and the slow one give the same, and one is taken where the other might be",
  },
  {
    file: "packages/core/src/brcode/decodeBrCode.ts",
    operator: "comparison's bound",
    original: "ends ? checksumViolation(text, crc < 0 ? crc16(text, end) : crc, fields.",
    mutated: "ends ? checksumViolation(text, crc <= 0 ? crc16(text, end) : crc, fields.",
    reason: "the quick way and the slow one give the same, and one is taken where the other might be",
  },
  {
    file: "packages/core/src/brcode/decodeBrCode.ts",
    operator: "number ±1",
    original: "nds ? checksumViolation(text, crc < 0 ? crc16(text, end) : crc, fields.fo",
    mutated: "nds ? checksumViolation(text, crc < 1 ? crc16(text, end) : crc, fields.fo",
    reason: "the quick way and the slow one give the same, and one is taken where the other might be",
  },
  {
    file: "packages/core/src/brcode/decodeBrCode.ts",
    operator: "comparison's bound",
    original: "const printable = ends && crc >= 0",
    mutated: "const printable = ends && crc > 0",
    reason: "the quick way and the slow one give the same, and one is taken where the other might be",
  },
  {
    file: "packages/core/src/brcode/decodeBrCode.ts",
    operator: "number ±1",
    original: "const printable = ends && crc >= 0",
    mutated: "const printable = ends && crc >= 1",
    reason: "the quick way and the slow one give the same, and one is taken where the other might be",
  },
  {
    file: "packages/core/src/brcode/BrCodeUrl.ts",
    operator: "number ±1",
    original: "const longestLabel = 63",
    mutated: "const longestLabel = 64",
    reason: "the shortest location with a label of 64 characters has 68",
  },
  {
    file: "packages/core/src/brcode/BrCodeUrl.ts",
    operator: "number ±1",
    original: "const longestLabel = 63",
    mutated: "const longestLabel = (62)",
    reason: "the quick way and the slow one give the same, and one is taken where the other might be",
  },
  {
    file: "packages/core/src/brcode/BrCodeUrl.ts",
    operator: "comparison's bound",
    original: "|| isAllowed(url)) && !(url.length > longestLabel && longLabel.test(url)",
    mutated: "|| isAllowed(url)) && !(url.length >= longestLabel && longLabel.test(url)",
    reason: "the quick way and the slow one give the same, and one is taken where the other might be",
  },
  {
    file: "packages/core/src/brcode/writeCode.ts",
    operator: "number ±1",
    original: "Array.from({ length: 78 }, (_, size) =>",
    mutated: "Array.from({ length: 79 }, (_, size) =>",
    reason: "places beyond the longest value are never looked up",
  },
  {
    file: "packages/core/src/brcode/writeCode.ts",
    operator: "number ±1",
    original: "const key = header(`${gui}01`, 77)",
    mutated: "const key = header(`${gui}01`, 78)",
    reason: "places beyond the longest value are never looked up",
  },
  {
    file: "packages/core/src/brcode/writeCode.ts",
    operator: "number ±1",
    original: 'const description = header("02", 77)',
    mutated: 'const description = header("02", 78)',
    reason: "places beyond the longest value are never looked up",
  },
  {
    file: "packages/core/src/brcode/writeCode.ts",
    operator: "number ±1",
    original: 'const description = header("02", 77)',
    mutated: 'const description = header("02", (76))',
    reason: "beside the shortest key there is room for 70 characters",
  },
  {
    file: "packages/core/src/brcode/writeCode.ts",
    operator: "number ±1",
    original: 'const facilitator = header("03", 8)',
    mutated: 'const facilitator = header("03", 9)',
    reason: "places beyond the longest value are never looked up",
  },
  {
    file: "packages/core/src/brcode/writeCode.ts",
    operator: "number ±1",
    original: 'const category = header("52", 4)',
    mutated: 'const category = header("52", 5)',
    reason: "places beyond the longest value are never looked up",
  },
  {
    file: "packages/core/src/brcode/writeCode.ts",
    operator: "number ±1",
    original: 'const amount = header("54", 13)',
    mutated: 'const amount = header("54", 14)',
    reason: "places beyond the longest value are never looked up",
  },
  {
    file: "packages/core/src/brcode/writeCode.ts",
    operator: "number ±1",
    original: 'const postalCode = header("61", 99)',
    mutated: 'const postalCode = header("61", 100)',
    reason: "places beyond the longest value are never looked up",
  },
  {
    file: "packages/core/src/brcode/writeCode.ts",
    operator: "number ±1",
    original: "txid: Header = Array.from({ length: 26 }, (_, size) =>",
    mutated: "txid: Header = Array.from({ length: 27 }, (_, size) =>",
    reason: "places beyond the longest value are never looked up",
  },
  {
    file: "packages/core/src/brcode/writeCode.ts",
    operator: "number ±1",
    original: "if (!done) out.crc = -1",
    mutated: "if (!done) out.crc = -2",
    reason: "any negative number stands for none",
  },
]

/** Takes away the sites that are listed as equivalent. Throws if one is listed that is no site, or is no more. */
export const withoutEquivalents = <S extends { readonly id: string }>(
  sites: ReadonlyArray<S>,
  listed: ReadonlyArray<Equivalent>,
): ReadonlyArray<S> => {
  const ids = new Set(sites.map(({ id }) => id))
  const listedIds = listed.map(idOf)
  const stale = listedIds.filter((id) => !ids.has(id))
  if (stale.length > 0) throw new Error(`Listed as equivalent, but no site:\n${stale.join("\n")}`)
  const equivalent = new Set(listedIds)
  return sites.filter(({ id }) => !equivalent.has(id))
}
