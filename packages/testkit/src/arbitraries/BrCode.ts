import type { BrCode, DynamicBrCode, RecurrenceBrCode, StaticBrCode } from "@pixcharge/core/brcode"
import type { Cents } from "@pixcharge/core/money"
import fc from "fast-check"
import { taxId } from "./Charge.ts"

const textOf = (characters: string, minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength })

const small = "abcdefghijklmnopqrstuvwxyz"
const digits = "0123456789"
const letters = small + small.toUpperCase()
const printable = String.fromCharCode(...Array.from({ length: 0x7f - 0x20 }, (_, i) => 0x20 + i))

const printableText = (maxLength: number): fc.Arbitrary<string> => textOf(printable, 1, maxLength)

/** A key of each kind that the DICT registers. */
export const pixKey: fc.Arbitrary<string> = fc.oneof(
  taxId,
  fc.uuid(),
  fc.tuple(textOf("123456789", 2, 2), textOf(digits, 8, 9)).map(([area, number]) => `+55${area}${number}`),
  fc
    .tuple(textOf(`${small}${digits}._+-`, 1, 40), textOf(small + digits, 1, 20), textOf(small, 2, 6))
    .map(([user, domain, top]) => `${user}@${domain}.${top}`),
)

const label = fc
  .tuple(textOf(letters + digits, 1, 8), textOf(`${small}-`, 0, 6), textOf(letters + digits, 1, 2))
  .map((parts) => parts.join(""))

const hostName = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 2 }), textOf(small, 2, 6))
  .map(([labels, top]) => [...labels, top].join("."))

/** A path of which a token is left even when it is cut off at the end. */
const pathOf = (maxLength: number): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom("/", "/cobv/", "/cob/", "/rec/", "/qr/v2/", "//", "/a%2Fb/", "/~a.b/"),
      textOf(`${letters}${digits}-_.~!$&'()*+,;=:@`, 1, 50),
    )
    .map(([folder, token]) => `${folder}${`t${token}`}`.slice(0, maxLength))

/** A location that a charge or a recurrence may have, up to all of its 77 characters. */
export const location: fc.Arbitrary<string> = hostName.chain((host) => locationOn(host))

const locationOn = (host: string): fc.Arbitrary<string> => pathOf(77 - host.length).map((path) => host + path)

const merchant = {
  merchantName: printableText(25),
  merchantCity: printableText(15),
  postalCode: printableText(99),
  merchantCategoryCode: textOf(digits, 4, 4).filter((code) => code !== "0000"),
  pointOfInitiation: fc.constantFrom("reusable" as const, "singleUse" as const),
}

const facilitator = textOf(digits + small.toUpperCase(), 8, 8)
const txid = textOf(letters + digits, 1, 25)
/** Amounts that have a text of 13 characters: to the centavo below ten billion reais, above in steps of ten and a hundred. */
const amountCents: fc.Arbitrary<Cents> = fc
  .oneof(
    fc.integer({ min: 1, max: 100_000 }),
    fc.integer({ min: 1, max: 999_999_999_999 }),
    fc.integer({ min: 1, max: 999_999_999_999 }).map((tens) => tens * 10),
    fc.integer({ min: 1, max: 9_999_999_999_999 }).map((reais) => reais * 100),
  )
  .map((cents) => cents as Cents)

/** What GUI, key and, where there is one, facilitator leave of template 26 for a description. */
const roomFor = (key: string, besides: string | undefined): number =>
  99 - 18 - (4 + key.length) - (besides === undefined ? 0 : 12) - 4

/** A static code, alone or beside a recurrence, up to every limit of its fields. */
export const staticBrCode: fc.Arbitrary<StaticBrCode> = fc
  .record(
    {
      ...merchant,
      key: pixKey,
      amountCents,
      txid,
      facilitator,
      recurrenceUrl: location,
      description: printableText(73),
    },
    { noNullPrototype: true, requiredKeys: ["key", "merchantName", "merchantCity"] },
  )
  .map(({ recurrenceUrl, facilitator: ispb, description, ...rest }): StaticBrCode => {
    const besides = recurrenceUrl === undefined && roomFor(rest.key, ispb) >= -4 ? ispb : undefined
    const room = roomFor(rest.key, besides)
    return {
      _tag: "Static",
      ...rest,
      ...(recurrenceUrl === undefined ? {} : { recurrenceUrl }),
      ...(besides === undefined ? {} : { facilitator: besides }),
      ...(description === undefined || room < 1 ? {} : { description: description.slice(0, room) }),
    }
  })

/** A dynamic code, alone or beside a recurrence on the same host. */
export const dynamicBrCode: fc.Arbitrary<DynamicBrCode> = hostName.chain((host) =>
  fc.record(
    { _tag: fc.constant("Dynamic" as const), ...merchant, url: locationOn(host), recurrenceUrl: locationOn(host) },
    { noNullPrototype: true, requiredKeys: ["_tag", "merchantName", "merchantCity", "url"] },
  ),
)

/** A code of a recurrence alone. */
export const recurrenceBrCode: fc.Arbitrary<RecurrenceBrCode> = fc.record(
  { _tag: fc.constant("Recurrence" as const), ...merchant, recurrenceUrl: location },
  { noNullPrototype: true, requiredKeys: ["_tag", "merchantName", "merchantCity", "recurrenceUrl"] },
)

/** A BR Code of any kind that can be written, and is read as the same value. */
export const brCode: fc.Arbitrary<BrCode> = fc.oneof(staticBrCode, dynamicBrCode, recurrenceBrCode)
