import { decodeBrCode, encodeBrCode, parsePixKey } from "@pixcharge/core/brcode"
import { parseLocalDate } from "@pixcharge/core/calendar"
import { parseChargeId, parseChargeRequest } from "@pixcharge/core/charges"
import { parseCents } from "@pixcharge/core/money"
import { parseCnpj, parseCpf, parseTaxId } from "@pixcharge/core/party"
import {
  BrCode,
  Cents,
  ChargeId,
  ChargeRequestInput,
  Cnpj,
  Cpf,
  LocalDate,
  PixKey,
  TaxId,
} from "@pixcharge/core/schema"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { isDeepStrictEqual } from "node:util"
import { describe, expect, it } from "vitest"
import { vectors } from "../brcode/vectors.ts"
import { documents } from "../party/documents.ts"
import { wires } from "./wires.ts"

const rows = Object.entries(wires)

/** Reports all issues and their inputs. */
const strictest = { errors: "all", reportInput: true } as const

const decode = (codec: Schema.Codec<unknown, unknown>, given: unknown) =>
  Schema.decodeUnknownResult(codec)(given, strictest)
const encode = (codec: Schema.Codec<unknown, unknown>, value: unknown) =>
  Schema.encodeUnknownResult(codec)(value, strictest)

const textOf = (result: Result.Result<unknown, Schema.SchemaError>): string =>
  Result.isFailure(result) ? result.failure.message : "none"

describe.each(rows)("%s", (_name, [codec, given]) => {
  it("decodes a wire form to the core's value, and encodes the value to its canonical form", () => {
    fc.assert(
      fc.property(given, (wire) => {
        expect(decode(codec, wire.given)).toEqual(Result.succeed(wire.value))
        expect(encode(codec, wire.value)).toEqual(Result.succeed(wire.written))
      }),
    )
  })

  it("decodes its own encoding to the same value, also in JSON", () => {
    const json = Schema.fromJsonString(codec)
    fc.assert(
      fc.property(given, ({ value }) => {
        expect(Result.flatMap(encode(codec, value), (written) => decode(codec, written))).toEqual(Result.succeed(value))
        expect(Result.flatMap(encode(json, value), (text) => decode(json, text))).toEqual(Result.succeed(value))
      }),
    )
  })

  it("distinguishes the core's values from other wire forms", () => {
    const isValue = Schema.is(codec)
    fc.assert(
      fc.property(given, (wire) => {
        expect(isValue(wire.value)).toBe(true)
        const kept = isDeepStrictEqual(wire.given, wire.value)
        expect(isValue(wire.given)).toBe(kept)
        if (!kept) expect(Result.isFailure(encode(codec, wire.given))).toBe(true)
      }),
    )
  })
})

it.each(rows)("refuses undefined and other types as %s", (_name, [codec]) => {
  for (const value of [undefined, null, true, {}, []]) {
    expect(decode(codec, value)).toMatchObject({ failure: { _tag: "SchemaError" } })
    expect(encode(codec, value)).toMatchObject({ failure: { _tag: "SchemaError" } })
  }
})

describe("tax ids from the registries' and banks' examples", () => {
  it.each([
    ["Cpf", Cpf, documents.cpf],
    ["Cnpj", Cnpj, [...documents.cnpjNumeric, ...documents.cnpjAlphanumeric]],
    ["TaxId", TaxId, [...documents.cpf, ...documents.cnpjNumeric, ...documents.cnpjAlphanumeric]],
  ] as const)("%s judges tax ids from the registries' and banks' examples correctly", (_name, codec, cases) => {
    for (const { input, canonical, note } of cases)
      expect(
        Result.getOrElse(decode(codec, input), () => null),
        `${input} ${note}`,
      ).toBe(canonical)
  })
})

it.each(vectors.valid)("decodes the code ...$fields.63 with its receiver", ({ code, fields }) => {
  expect(decode(BrCode, code)).toMatchObject({ success: { merchantName: fields["59"], merchantCity: fields["60"] } })
})

it.each(vectors.lenient)("refuses the code ...$fields.63, which only lenient reading accepts", ({ code }) => {
  expect(decode(BrCode, code)).toMatchObject({ failure: { _tag: "SchemaError" } })
})

it("writes a receiver's name without accents, and refuses a long name", () => {
  const code = { _tag: "Static", key: "loja@example.com", merchantName: "João", merchantCity: "Recife" }
  expect(Result.flatMap(encode(BrCode, code), (text) => decode(BrCode, text))).toEqual(
    Result.succeed({ ...code, merchantName: "Joao" }),
  )
  expect(textOf(encode(BrCode, { ...code, merchantName: "a".repeat(26) }))).toMatch(/^59 /)
})

describe("an issue", () => {
  it.each([
    [Cpf, "12345678900", "The check digits of the CPF don't fit the rest: it has a typing error."],
    [Cpf, 52_998_224_725, "A CPF must have digits only."],
    [Cnpj, "12345678/0001-95", "A CNPJ must be written without punctuation or as 00.000.000/0000-00."],
    [TaxId, "123", "A CPF or CNPJ must have 11 or 14 characters without punctuation."],
    [ChargeId, "7", "The id of a charge must be a UUID: give the one under which it was issued."],
    [LocalDate, "2026-02-29", "A date must be an existing day from 0001-01-01 to 9999-12-31, written YYYY-MM-DD."],
    [Cents, 19.9, "An amount in centavos is a whole number below 2^53: R$ 19,90 is 1990."],
    [Cents, "1990", "An amount must be a finite number."],
    [Cents, Number.NaN, "An amount must be a finite number."],
    [PixKey, "81987654321", "A Pix key has wrong check digits for a CPF; a phone is written with +55."],
    [BrCode, 7, "code is not a string"],
  ] as const)("an issue has the parser's message in example %#", (codec, given, text) => {
    expect(textOf(decode(codec, given))).toBe(text)
  })

  const anyText = fc.oneof(fc.string(), fc.constantFrom("", "529.982.247-2", "2026-13-01", "a@b.co", "000201"))

  it.each([
    ["Cnpj", Cnpj, parseCnpj],
    ["Cpf", Cpf, parseCpf],
    ["TaxId", TaxId, parseTaxId],
    ["ChargeId", ChargeId, parseChargeId],
    ["LocalDate", LocalDate, parseLocalDate],
    ["PixKey", PixKey, parsePixKey],
    ["BrCode", BrCode, decodeBrCode],
  ] as const)("an issue of %s has the parser's message for any text", (_name, codec, parse) => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed: Result.Result<unknown, Error> = parse(text)
        expect(textOf(decode(codec, text))).toBe(Result.isFailure(parsed) ? parsed.failure.message : "none")
      }),
    )
  })

  it("an issue of Cents has the parser's message for any number", () => {
    fc.assert(
      fc.property(fc.oneof(fc.double(), fc.integer()), (number) => {
        const parsed = parseCents(number)
        expect(textOf(decode(Cents, number))).toBe(Result.isFailure(parsed) ? parsed.failure.message : "none")
      }),
    )
  })
})

const id = "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c"
const validRequest = { id, amountCents: 1990 }

const dueRequest = { ...validRequest, dueDate: "2026-12-10" }

describe("an issue of a request", () => {
  const payer = { name: "Maria", taxId: "52998224725" }

  it.each([
    [{ amountCents: 1 }, "id", '["id"]'],
    [{ ...validRequest, id: 7 }, "id", '["id"]'],
    [{ ...validRequest, id: "7" }, "id", '["id"]'],
    [{ id }, "amount", '["amountCents"]'],
    [{ ...validRequest, amountCents: "1990" }, "amount", '["amountCents"]'],
    [{ ...validRequest, amountCents: 0.5 }, "amount", '["amountCents"]'],
    [{ ...validRequest, dueDate: 20_261_122 }, "dueDate", '["dueDate"]'],
    [{ ...validRequest, dueDate: "2026-02-29" }, "dueDate", '["dueDate"]'],
    [{ ...validRequest, payer: "Maria" }, "payer.name", '["payer"]'],
    [{ ...validRequest, payer: { ...payer, name: " " } }, "payer.name", '["payer"]["name"]'],
    [{ ...validRequest, payer: { name: "Maria" } }, "payer.taxId", '["payer"]["taxId"]'],
    [{ ...validRequest, payer: { ...payer, taxId: 52_998_224_725 } }, "payer.taxId", '["payer"]["taxId"]'],
    [{ ...validRequest, payer: { ...payer, taxId: "12345678900" } }, "payer.taxId", '["payer"]["taxId"]'],
    [{ ...dueRequest, payer: { ...payer, email: "maria" } }, "payer.email", '["payer"]["email"]'],
    [{ ...dueRequest, payer: { ...payer, email: 7 } }, "payer.email", '["payer"]["email"]'],
    [{ ...dueRequest, payer: { ...payer, address: "Rua A" } }, "payer.address", '["payer"]["address"]'],
    [
      { ...dueRequest, payer: { ...payer, address: { street: "Rua A", state: "SP", postalCode: "01310100" } } },
      "payer.address",
      '["payer"]["address"]["city"]',
    ],
    [{ ...dueRequest, fees: "all" }, "fees", '["fees"]'],
    [{ ...validRequest, fees: "none" }, "fees", '["fees"]'],
    [{ ...dueRequest, fees: { fine: "all" } }, "fees.fine", '["fees"]["fine"]'],
    [{ ...dueRequest, fees: { fine: { kind: "percent", basisPoints: 0 } } }, "fees.fine", '["fees"]["fine"]'],
    [{ ...dueRequest, fees: { discount: { kind: "fixedUntil", tiers: [] } } }, "fees.discount", '["fees"]["discount"]'],
    [{ ...dueRequest, graceDays: "5" }, "graceDays", '["graceDays"]'],
    [{ ...dueRequest, graceDays: 0 }, "graceDays", '["graceDays"]'],
    [{ ...validRequest, payableForSeconds: "600" }, "payableForSeconds", '["payableForSeconds"]'],
    [{ ...validRequest, payableForSeconds: 59 }, "payableForSeconds", '["payableForSeconds"]'],
    [{ ...validRequest, messageToPayer: 7 }, "messageToPayer", '["messageToPayer"]'],
    [{ ...validRequest, messageToPayer: "😀" }, "messageToPayer", '["messageToPayer"]'],
    [{ ...validRequest, reference: 7 }, "reference", '["reference"]'],
    [{ ...validRequest, reference: "a\nb" }, "reference", '["reference"]'],
    [{ ...validRequest, metadata: "a" }, "metadata", '["metadata"]'],
    [{ ...validRequest, metadata: { a: 7 } }, "metadata", '["metadata"]["a"]'],
    [{ ...validRequest, metadata: { a: "\0" } }, "metadata", '["metadata"]'],
    [{ ...validRequest, metadata: JSON.parse('{"__proto__":"a"}') as object }, "metadata", '["metadata"]'],
    [{ ...validRequest, additionalInfo: "a" }, "additionalInfo", '["additionalInfo"]'],
    [{ ...validRequest, additionalInfo: [7] }, "additionalInfo", '["additionalInfo"][0]'],
    [{ ...validRequest, additionalInfo: [{ name: "a" }] }, "additionalInfo", '["additionalInfo"][0]["value"]'],
    [{ ...validRequest, additionalInfo: [{ name: "", value: "" }] }, "additionalInfo", '["additionalInfo"]'],
    [
      { ...validRequest, additionalInfo: Array.from({ length: 51 }, () => ({ name: "a", value: "b" })) },
      "additionalInfo",
      '["additionalInfo"]',
    ],
  ])("an issue of %j has the parser's message about %s, and the path %s", (given, field, place) => {
    const parsed = parseChargeRequest(given as never)
    expect(Result.isFailure(parsed) && parsed.failure.field).toBe(field)
    expect(textOf(decode(ChargeRequestInput, given))).toBe(
      `${Result.isFailure(parsed) && parsed.failure.message}\n  at ${place}`,
    )
  })

  it("an issue of a value that isn't an object is about the id", () => {
    expect(textOf(decode(ChargeRequestInput, 7))).toBe(
      "The charge's id must be a UUID, like randomUUID() of node:crypto makes.",
    )
  })

  it("refuses to encode a request of the HTTP contract", () => {
    expect(textOf(encode(ChargeRequestInput, { ...validRequest, isOfContract: true }))).toBe(
      "A ChargeRequest must be as its parser returns it.",
    )
  })
})

describe("an issue's text", () => {
  const wrong = fc.oneof(
    fc.stringMatching(/^\d{9}00$/).filter((text) => Result.isFailure(parseCpf(text))),
    fc.stringMatching(/^[A-Z]{11}\d{3}$/),
    fc.integer({ min: 10_000_000_000, max: 99_999_999_999 }),
    fc.constant(["52998224725"]),
  )

  const order = Schema.Struct({
    payer: Schema.Struct({ cpf: Cpf, cnpj: Cnpj, either: Schema.Array(TaxId) }),
    key: PixKey,
    code: BrCode,
    id: ChargeId,
    day: LocalDate,
    either: Schema.Union([Cpf, Cnpj]),
    request: ChargeRequestInput,
  })

  it("an issue never shows the value, even with `reportInput`, anywhere in a host's schema, in both directions", () => {
    fc.assert(
      fc.property(wrong, (value) => {
        const shown = String(value)
        const given = {
          payer: { cpf: value, cnpj: value, either: [value] },
          key: [value],
          code: value,
          id: value,
          day: value,
          either: String(value),
          request: { ...validRequest, payer: { name: value, taxId: value } },
        }
        for (const text of [textOf(decode(order, given)), textOf(encode(order, given))]) {
          expect(text.split("\n").length).toBeGreaterThan(8)
          expect(text).not.toContain(shown)
        }
      }),
    )
  })
})

it("encodes values into texts that the parsers accept and the core writes", () => {
  const code = { _tag: "Static", key: "loja@example.com", merchantName: "Loja", merchantCity: "Recife" } as const
  expect(encode(BrCode, code)).toEqual(encodeBrCode(code))
  expect(encode(PixKey, { kind: "email", key: "loja@example.com" })).toEqual(Result.succeed("loja@example.com"))
  expect(textOf(encode(PixKey, { kind: "cpf", key: "loja@example.com" }))).toBe(
    "A PixKey must be as its parser returns it.",
  )
})
