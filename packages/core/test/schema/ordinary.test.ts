import { isCents } from "@pixcharge/core/money"
import { Cents, ChargeId, ChargeRequestInput, Cnpj, Cpf, LocalDate, PixKey, TaxId } from "@pixcharge/core/schema"
import { Ajv } from "ajv"
import addFormats from "ajv-formats"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, expectTypeOf, it } from "vitest"
import { cnpjs, cpfs, withMask } from "../party/documents.ts"
import { wires } from "./wires.ts"

const id = "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c"
const order = { id, amountCents: 1990 }

const sample = <A>(codec: Schema.Codec<A, unknown>, count = 100): ReadonlyArray<A> =>
  Effect.runSync(Arbitrary.sampleEffect(Arbitrary.schema(codec), { count, seed: 7, maxDiscards: 10 }))

/** Checks a sample by the tests' own rules of registry, calendar or ids. */
const judges = {
  Cnpj: (text: string) => isTaxId(text, 12, 9),
  Cpf: (text: string) => isTaxId(text, 9, 11),
  TaxId: (text: string) => isTaxId(text, text.length - 2, text.length === 11 ? 11 : 9),
  ChargeId: (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text),
  LocalDate: (text: string) => new Date(`${text}T00:00:00Z`).toISOString().startsWith(text),
}

/** The federal registry's rule: each check digit is 11 minus the remainder of the sum by 11; 10 and 11 become 0. */
const isTaxId = (text: string, length: number, highestWeight: number): boolean =>
  text.length === length + 2 &&
  [length, length + 1].every((place) => {
    const values = Array.from(text.slice(0, place), (character) => character.charCodeAt(0) - 48).toReversed()
    const sum = values.reduce((total, value, index) => total + value * (2 + (index % (highestWeight - 1))), 0)
    const digit = 11 - (sum % 11)
    return text[place] === (digit > 9 ? "0" : String(digit))
  })

const texts = { Cnpj, Cpf, TaxId, ChargeId, LocalDate } as const

describe.each(Object.entries(texts))("%s, a schema of strings", (name, codec: Schema.Codec<string>) => {
  const [, given] = wires[name as keyof typeof texts]
  const record = Schema.Record(codec as typeof Cnpj, Schema.Finite)

  it("serves as a record's key, written in canonical form", () => {
    fc.assert(
      fc.property(given, (wire) => {
        const read = Schema.decodeUnknownResult(record)({ [String(wire.given)]: 1 })
        expect(read).toEqual(Result.succeed({ [String(wire.value)]: 1 }))
        expect(Schema.encodeUnknownResult(record)({ [String(wire.value)]: 1 })).toEqual(
          Result.succeed({ [String(wire.written)]: 1 }),
        )
      }),
    )
    expect(Schema.decodeUnknownResult(record)({ "7": 1 })).toMatchObject({ _tag: "Failure" })
  })

  it("generates valid values with few repetitions", () => {
    const values = sample(codec)
    for (const value of values) expect(judges[name as keyof typeof judges](value), value).toBe(true)
    expect(new Set(values).size).toBeGreaterThan(70)
    expect(sample(record, 10).some((entries) => Object.keys(entries).length > 1)).toBe(true)
  })

  it("describes its values in JSON Schema, without a name, punctuation or other letter case", () => {
    const ajv = new Ajv({ strict: true })
    addFormats.default(ajv)
    const { schema, definitions } = Schema.toJsonSchemaDocument(Schema.toType(codec))
    expect(definitions).toEqual({})
    expect(schema).toMatchObject({ type: "string", description: expect.stringMatching(/^[A-Z].*\.$/) })
    const takes = ajv.compile(schema)
    fc.assert(
      fc.property(given, (wire) => {
        expect(takes(wire.value)).toBe(true)
        expect(takes(wire.given)).toBe(wire.given === wire.value)
      }),
    )
  })
})

it("types records by the core's own brands", () => {
  const balances = Schema.Record(ChargeId, Cents)
  expectTypeOf<keyof typeof balances.Type>().toEqualTypeOf<ChargeId>()
  expectTypeOf<typeof balances.Encoded>().toEqualTypeOf<{ readonly [x: string]: number }>()
  const read: { readonly [x: ChargeId]: Cents } = Schema.decodeUnknownSync(balances)({ [id.toUpperCase()]: 1990 })
  expect(read).toEqual({ [id]: 1990 })
})

describe("Cents", () => {
  it("is a schema of numbers", () => {
    expect(Schema.toJsonSchemaDocument(Schema.toType(Cents)).schema).toMatchObject({ type: "integer", minimum: 0 })
    const values = sample(Cents)
    expect(values.every(isCents)).toBe(true)
    expect(new Set(values).size).toBeGreaterThan(10)
  })

  it("has only one zero", () => {
    expect(Object.is(Schema.decodeUnknownSync(Cents)(-0), 0)).toBe(true)
    expect(Schema.is(Cents)(-0)).toBe(false)
  })
})

it("refuses punctuation on the type side of a tax id, and doesn't show the value", () => {
  fc.assert(
    fc.property(fc.oneof(cpfs, cnpjs).map(withMask), (punctuated) => {
      for (const codec of [Cpf, Cnpj, TaxId]) {
        const refused = Schema.decodeUnknownResult(Schema.toType(codec))(punctuated, { reportInput: true })
        expect(String(Result.isFailure(refused) && refused.failure)).toMatch(/must be as its parser returns it\.\)$/)
      }
    }),
  )
})

it("PixKey generates keys of every kind, and describes them", () => {
  expect(new Set(sample(PixKey).map(({ kind }) => kind))).toEqual(new Set(["cpf", "cnpj", "phone", "email", "random"]))
  const takes = new Ajv({ strict: true }).compile(Schema.toJsonSchemaDocument(Schema.toType(PixKey)).schema)
  const [, given] = wires.PixKey
  fc.assert(
    fc.property(given, ({ value, written }) => {
      expect([takes(value), takes(written)]).toEqual([true, false])
    }),
  )
})

it.each(["BrCode", "ChargeRequestInput"] as const)("%s generates values that its wire form preserves", (name) => {
  const [codec] = wires[name]
  const values = sample(codec)
  expect(new Set(values.map((value) => JSON.stringify(value))).size).toBeGreaterThan(50)
  for (const value of values) {
    expect(Result.flatMap(Schema.encodeResult(codec)(value), Schema.decodeUnknownResult(codec))).toEqual(
      Result.succeed(value),
    )
  }
})

it.each(["dueDate", "payer", "payableForSeconds", "messageToPayer", "additionalInfo", "reference", "metadata"])(
  "drops an undefined %s of a request, also in JSON",
  (field) => {
    expect(Schema.decodeUnknownSync(ChargeRequestInput)({ ...order, [field]: undefined })).toStrictEqual(order)
    const json = Schema.toCodecJson(ChargeRequestInput)
    expect(Schema.decodeUnknownResult(json)({ ...order, [field]: null })).toMatchObject({ _tag: "Failure" })
    expect(Schema.encodeUnknownSync(json)(Schema.decodeUnknownSync(json)(order))).toStrictEqual(order)
  },
)
