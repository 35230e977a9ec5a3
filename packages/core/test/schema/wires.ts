import type { ChargePayerInput, ChargeRequestInput } from "@pixcharge/core/charges"
import * as codecs from "@pixcharge/core/schema"
import { arbitrary } from "@pixcharge/adapter-tests/fixtures"
import type * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { staticWith, tlv } from "../brcode/craft.ts"
import { cnpjs, cpfs, withMask } from "../party/documents.ts"

/** A wire form in any spelling (`given`), its decoded value, and its canonical form (`written`). */
interface Wire {
  readonly given: unknown
  readonly value: unknown
  readonly written: unknown
}

const asItIs = (given: unknown): Wire => ({ given, value: given, written: given })

const either = (text: string, other: string) =>
  fc.constantFrom(text, other).map((given): Wire => ({ given, value: text, written: text }))

const punctuable = (taxIds: fc.Arbitrary<string>) => taxIds.chain((taxId) => either(taxId, withMask(taxId)))

const keyOfKind = (kind: string, keys: fc.Arbitrary<string>) =>
  keys.map((key): Wire => ({ given: key, value: { kind, key }, written: key }))

const letters = (characters: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength })

const keys = fc.oneof(
  keyOfKind("cpf", cpfs),
  keyOfKind("cnpj", cnpjs),
  keyOfKind("random", fc.uuid()),
  keyOfKind(
    "phone",
    letters("123456789", 10, 11).map((number) => `+55${number}`),
  ),
  keyOfKind(
    "email",
    fc.tuple(letters("abc.-_09", 1, 20), letters("abcxyz", 2, 20)).map(([user, host]) => `${user}@${host}.br`),
  ),
)

/** Days of JavaScript's own calendar, which is Gregorian throughout, too. */
const days = fc
  .date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T00:00:00Z"), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10))

const composed = (text: string) => text.normalize("NFC").trim()

const canonicalPayer = ({ name, taxId, address, ...contact }: ChargePayerInput) => ({
  ...contact,
  name: composed(name),
  taxId: taxId.replaceAll(/[./-]/g, ""),
  ...(address && { address: { ...address, street: composed(address.street), city: composed(address.city) } }),
})

/** The canonical request: lower-case id, plain day, bare tax ids, composed texts, no defaults. */
const canonical = ({
  dueDate,
  payer,
  payableForSeconds,
  messageToPayer,
  additionalInfo,
  reference,
  metadata,
  fees: _,
  graceDays: __,
  ...rest
}: ChargeRequestInput) => ({
  ...rest,
  id: rest.id.toLowerCase(),
  ...(dueDate !== undefined && { dueDate: dueDate.slice(0, 10) }),
  ...(payer !== undefined && {
    payer: canonicalPayer(payer),
  }),
  ...(payableForSeconds !== undefined && payableForSeconds !== 600 && { payableForSeconds }),
  ...(messageToPayer !== undefined && { messageToPayer }),
  ...(additionalInfo !== undefined && { additionalInfo }),
  ...(reference !== undefined && { reference }),
  ...(metadata !== undefined && { metadata }),
})

const requests = fc
  .tuple(
    arbitrary.chargeRequest,
    fc.constantFrom(withMask, (text: string) => text),
  )
  .map(([{ payer, ...request }, write]): Wire => {
    const given = { ...request, ...(payer && { payer: { ...payer, taxId: write(payer.taxId) } }) }
    const value = canonical(given)
    const { fees, graceDays } = given
    const requested = { ...(fees !== undefined && { fees }), ...(graceDays !== undefined && { graceDays }) }
    return {
      given,
      value: fees === undefined && graceDays === undefined ? value : { ...value, requested },
      written: { ...value, ...requested },
    }
  })

const words = (maxLength: number) => letters("abcXYZ 09.-&", 1, maxLength).filter((word) => word.trim() === word)

const brCodes = fc
  .record({
    merchantName: words(25),
    merchantCity: words(15),
    txid: letters("abcXYZ09", 1, 25),
    amountCents: fc.integer({ min: 1, max: 99_999_999 }),
  })
  .map(({ txid, ...code }): Wire => {
    const text = staticWith({
      "54": (code.amountCents / 100).toFixed(2),
      "59": code.merchantName,
      "60": code.merchantCity,
      "62": tlv("05", txid),
    })
    return {
      given: text,
      value: { _tag: "Static", key: "123e4567-e12b-12d1-a456-426655440000", txid, ...code },
      written: text,
    }
  })

/** Every codec, with a generator of its wire forms. */
export const wires: Readonly<
  Record<keyof typeof codecs, readonly [Schema.Codec<unknown, unknown>, fc.Arbitrary<Wire>]>
> = {
  Cnpj: [codecs.Cnpj, punctuable(cnpjs)],
  Cpf: [codecs.Cpf, punctuable(cpfs)],
  TaxId: [codecs.TaxId, punctuable(fc.oneof(cpfs, cnpjs))],
  ChargeId: [codecs.ChargeId, fc.uuid().chain((id) => either(id, id.toUpperCase()))],
  LocalDate: [codecs.LocalDate, days.map(asItIs)],
  Cents: [codecs.Cents, fc.maxSafeNat().map(asItIs)],
  PixKey: [codecs.PixKey, keys],
  BrCode: [codecs.BrCode, brCodes],
  ChargeRequestInput: [codecs.ChargeRequestInput, requests],
}
