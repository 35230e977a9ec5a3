import { idOf, type Identity } from "./Site.ts"

/** A site whose fault changes nothing that anybody could notice, and why. */
export interface Equivalent extends Identity {
  readonly reason: string
}

/** Faults of a default that stands there for the types alone: what is read is never undefined. */
const defaultsForTypes: ReadonlyArray<Equivalent> = [
  {
    file: "packages/core/src/party/Cnpj.ts",
    of: ["const value = text.charCodeAt(positions[i] ?? 0) - 48", "e = text.charCodeAt(positions[i] ?? 0) - 48"],
  },
  {
    file: "packages/core/src/party/Cnpj.ts",
    of: ["thirteenth += value * (thirteenthWeights[i] ?? 0)", "+= value * (thirteenthWeights[i] ?? 0)"],
  },
  {
    file: "packages/core/src/party/Cnpj.ts",
    of: ["fourteenth += value * (fourteenthWeights[i] ?? 0)", "+= value * (fourteenthWeights[i] ?? 0)"],
  },
  {
    file: "packages/core/src/party/Cpf.ts",
    of: ["const digit = text.charCodeAt(positions[i] ?? 0) - 48", "t = text.charCodeAt(positions[i] ?? 0) - 48"],
  },
].flatMap(({ file, of: [whole = "", part = ""] }) => {
  const reason = "The index lies within the array; the default is for the types."
  return [
    { file, operator: "??", original: whole, mutated: whole.replace(" ?? 0", ""), reason },
    ...[" ?? 1", " ?? (-1)"].map((other) => {
      return { file, operator: "number ±1", original: part, mutated: part.replace(" ?? 0", other), reason }
    }),
  ]
})

/** They are planted no more. Each is as `pnpm mutate` prints it. */
export const equivalents: ReadonlyArray<Equivalent> = [
  ...defaultsForTypes,
  {
    file: "packages/callback-fetch/src/receiver/confirmByQuery.ts",
    operator: "string",
    original: 'oken === undefined) throw new Error("the service gave no token")',
    mutated: 'oken === undefined) throw new Error("")',
    reason: "The confirmation catches the error, and says `unconfirmed` whatever its text is.",
  },
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
  ...["(-1)", "1"].map((first) => ({
    file: "packages/core/src/brcode/Crc16.ts",
    operator: "number ±1",
    original: "for (let byte = 0; byte < rowSize; byte++) {",
    mutated: `for (let byte = ${first}; byte < rowSize; byte++) {`,
    reason: "the step of the byte 0 is 0, as the table is made, and a typed array ignores what is written before it",
  })),
  {
    file: "packages/core/src/brcode/Crc16.ts",
    operator: "comparison's bound",
    original: "for (let i = rowSize; i < made.length; i++) {",
    mutated: "for (let i = rowSize; i <= made.length; i++) {",
    reason: "a typed array ignores what is written behind its end",
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
    operator: "condition",
    original: "if (!wide) return from + size <= end ? from +",
    mutated: "if (false) return from + size <= end ? from +",
    reason: "the quick way and the slow one give the same where no character is wide",
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
  ...["BrasiliaTime.ts", "LocalDate.ts"].flatMap((name) =>
    ["const slots = 8192", "const slots = 2048"].map((mutated) => ({
      file: `packages/core/src/calendar/${name}`,
      operator: "number doubled or halved",
      original: "const slots = 4096",
      mutated,
      reason: "What is not kept is looked up anew, and is the same.",
    })),
  ),
  {
    file: "packages/core/src/calendar/BrasiliaTime.ts",
    operator: "comparison's bound",
    original: "const shown = skipped > 0 || elapsed >= dayMs ? elapsed + s",
    mutated: "const shown = skipped >= 0 || elapsed >= dayMs ? elapsed + s",
    reason: "Where nothing is skipped, nothing is added.",
  },
  {
    file: "packages/core/src/brcode/Tlv.ts",
    operator: "number ±1",
    original: "if (index < 0) return overrun(fieldName(template,",
    mutated: "if (index < 1) return overrun(fieldName(template,",
    reason: "A field ends five characters or more after the beginning, or at -1.",
  },
  {
    file: "packages/core/src/calendar/Holidays.ts",
    operator: "number ±1",
    original: "oSorted(([a], [b]) => (a < b ? -1 : 1)))",
    mutated: "oSorted(([a], [b]) => (a < b ? -1 : (0))))",
    reason: "No two of the dates are equal, and the engine's sort asks only whether one is less.",
  },
  {
    file: "packages/core/src/calendar/Holidays.ts",
    operator: "number ±1",
    original: "const months = new Int32Array(13)",
    mutated: "const months = new Int32Array(14)",
    reason: "The word beyond the last month is never read.",
  },
  {
    file: "packages/core/src/calendar/Holidays.ts",
    operator: "number ±1",
    original: "months[month] = (months[month] ?? 0) | (1 << dateDay(date))",
    mutated: "months[month] = (months[month] ?? 1) | (1 << dateDay(date))",
    reason: "An element of the array is never undefined; the default is for the types.",
  },
  {
    file: "packages/core/src/calendar/LocalDate.ts",
    operator: "??",
    original: "h === 2 && isLeapYear(year) ? 29 : (monthLengths[month - 1] ?? 0)",
    mutated: "h === 2 && isLeapYear(year) ? 29 : (monthLengths[month - 1])",
    reason: "No day is at most undefined, as none is at most 0.",
  },
  {
    file: "packages/core/src/calendar/LocalDate.ts",
    operator: "arithmetic",
    original: "const slot = epochDay & (slots - 1)",
    mutated: "const slot = epochDay | (slots - 1)",
    reason: "A text that is not kept is written anew, and is the same.",
  },
  {
    file: "packages/core/src/party/Cnpj.ts",
    operator: "ternary",
    original: 'return Result.succeed((text.length === 14 ? text : text.replace(separators, "")) as Cnpj)',
    mutated: 'return Result.succeed((text.replace(separators, "")) as Cnpj)',
    reason: "A CNPJ of 14 characters has no separators; the comparison only spares the call.",
  },
  {
    file: "packages/core/src/calendar/LocalDate.ts",
    operator: "ternary",
    original: 'onst pad4 = (n: number): string => (n > 999 ? `${n}` : `${n}`.padStart(4, "0"))',
    mutated: 'onst pad4 = (n: number): string => (`${n}`.padStart(4, "0"))',
    reason: "Four digits are padded by nothing; the comparison only spares the call.",
  },
  {
    file: "packages/core/src/calendar/LocalDate.ts",
    operator: "condition",
    original: "if (kept !== undefined && writtenDays[slot] === epochDay) return kept",
    mutated: "if (false) return kept",
    reason: "A text that is not kept is written anew, and is the same.",
  },
  {
    file: "packages/core/src/charge/decideException.ts",
    operator: "ternary",
    original: 'const { refund, checkAt = state._tag === "Refunding" ? state.checkAt : refund.requestedAt } = step',
    mutated: "const { refund, checkAt = state.checkAt } = step",
    reason: "Only a refund that is under way is called without a new moment; the other case is for the types.",
  },
  {
    file: "packages/core/src/directory/CallbackSecret.ts",
    operator: "string",
    original: 'const [, digits = "", padding = ""] = form.exec(text) ?? []',
    mutated: 'const [, digits = "", padding = "~"] = form.exec(text) ?? []',
    reason: "A text of another form has no digits either, and so no key.",
  },
  {
    file: "packages/http/src/Tokens.ts",
    operator: "string",
    original: 'Undefined(parseCnpj(secret?.cnpj ?? ""))',
    mutated: 'Undefined(parseCnpj(secret?.cnpj ?? "~"))',
    reason: "Neither text is a CNPJ.",
  },
  {
    file: "packages/http/src/Tokens.ts",
    operator: "string",
    original: 't right = isRightKey(secret?.key ?? "", entry?.credential)',
    mutated: 't right = isRightKey(secret?.key ?? "~", entry?.credential)',
    reason: "Without a secret there is no CNPJ, and so no entry with whose key the text could agree.",
  },
  {
    file: "packages/http/src/Tokens.ts",
    operator: "&& and ||",
    original: "if (cnpj === undefined || entry?.credential === undefined ||",
    mutated: "if (cnpj === undefined && entry?.credential === undefined ||",
    reason: "Without a credential no key is right, so that `!right` alone refuses; the other two are for the types.",
  },
  {
    file: "packages/store-postgres/src/charges/commitCharges.sql.ts",
    operator: "SQL: column of ORDER BY dropped",
    original: "ORDER BY issuer, end_to_end_id",
    mutated: "ORDER BY issuer",
    reason: "DISTINCT sorts by both columns, in the order asked for; a plan that hashes and sorts costs more.",
  },
  {
    file: "packages/core/src/ports/HolidayCalendar.ts",
    operator: "number ±1",
    original: "defined || localHolidays.length === 0) return nationalBankHolidays",
    mutated: "defined || localHolidays.length === (-1)) return nationalBankHolidays",
    reason: "The national holidays with no day added are the national ones.",
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
