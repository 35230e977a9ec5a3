import { ChargeRequestInput } from "@pixcharge/core/schema"
import { Ajv } from "ajv"
import addFormats from "ajv-formats"
import * as Schema from "effect/Schema"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { wires } from "./wires.ts"

const compile = (codec: Schema.Top) => {
  const ajv = new Ajv({ strict: true })
  addFormats.default(ajv)
  const { schema, definitions } = Schema.toJsonSchemaDocument(codec)
  return ajv.compile({ ...schema, $defs: definitions })
}

/** Malformed values, by a codec's name. */
const wrong: Readonly<Record<keyof typeof wires, ReadonlyArray<unknown>>> = {
  Cnpj: [12_345_678_000_195, "", "12345678/0001-95", "12abc34501de35", "12345678000195\n"],
  Cpf: [52_998_224_725, "", "5299822472", "529982247-25", "529.982.247-25 "],
  TaxId: [52_998_224_725, "", "1234567890123"],
  ChargeId: [7, "", "7f9c2b1a3d4e4f5a8b6c0d1e2f3a4b5c", "urn:uuid:7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c"],
  LocalDate: [20_261_122, "", "22/11/2026", "2026-11-22T00:00:00", "2026-02-30"],
  Cents: ["1990", -1, 19.9, 2 ** 53, null],
  PixKey: [7, "", "a b@c.com", "ç@c.com", "a".repeat(78)],
  BrCode: [7, "", "https://example.com", `000201${"x".repeat(510)}6304ABCD`],
  ChargeRequestInput: [7, {}, { id: "7", amountCents: 1 }],
}

describe.each(Object.entries(wires))("the JSON Schema of %s", (name, [codec, given]) => {
  const takes = compile(codec)

  it("accepts every wire form that the codec accepts or writes", () => {
    fc.assert(
      fc.property(given, (wire) => {
        expect(takes(wire.given), JSON.stringify(takes.errors)).toBe(true)
        expect(takes(wire.written), JSON.stringify(takes.errors)).toBe(true)
      }),
    )
  })

  it.each(wrong[name as keyof typeof wires])("refuses %j, like the codec", (value) => {
    expect(takes(value)).toBe(false)
    expect(Schema.decodeUnknownResult(codec)(value)).toMatchObject({ _tag: "Failure" })
  })

  it("has a name and a description", () => {
    const { schema, definitions } = Schema.toJsonSchemaDocument(codec)
    expect(schema).toEqual({ $ref: `#/$defs/${name}` })
    expect(definitions).toEqual({
      [name]: expect.objectContaining({ description: expect.stringMatching(/^[A-Z].*\.$/) }),
    })
  })
})

describe("the JSON Schema of a request", () => {
  const takes = compile(ChargeRequestInput)
  const validRequest = { id: "7f9c2b1a-3d4e-4f5a-8b6c-0d1e2f3a4b5c", amountCents: 1990 }

  it.each([
    { amountCents: 0 },
    { amountCents: 1_000_000_000_000 },
    { amountCents: 0.5 },
    { dueDate: "22/11/2026" },
    { payer: { name: "", taxId: "52998224725" } },
    { payer: { name: "Maria" } },
    { payer: { name: "a".repeat(201), taxId: "52998224725" } },
    { payer: { name: "Maria", taxId: "52998224725", address: { street: "Rua A" } } },
    { fees: "all" },
    { fees: { fine: { kind: "percent", basisPoints: 1_000_001 } } },
    { fees: { interest: { kind: "percentPerDay", basisPoints: 3 } } },
    { fees: { discount: { kind: "until", tiers: [] } } },
    { graceDays: 0 },
    { payableForSeconds: 59 },
    { payableForSeconds: 2_592_001 },
    { messageToPayer: "" },
    { additionalInfo: Array.from({ length: 51 }, () => ({ name: "a", value: "b" })) },
    { additionalInfo: [{ name: "a", value: "" }] },
  ])("refuses %j", (field) => {
    expect(takes({ ...validRequest, ...field })).toBe(false)
    expect(Schema.decodeUnknownResult(ChargeRequestInput)({ ...validRequest, ...field })).toMatchObject({
      _tag: "Failure",
    })
  })

  it("accepts names in any letters at full length, and tax ids with any punctuation", () => {
    const payer = { name: "𝒜".repeat(200), taxId: " 12.abc.345/01de-35" }
    expect(takes({ ...validRequest, payer })).toBe(true)
    expect(Schema.decodeUnknownSync(ChargeRequestInput)({ ...validRequest, payer })).toMatchObject({
      payer: { taxId: "12ABC34501DE35" },
    })
  })
})

it("lets a host's OpenAPI document refer to each codec by name, with the same schema", () => {
  const fields = Object.fromEntries(Object.entries(wires).map(([name, [codec]]) => [`a${name}`, codec]))
  const take = HttpApiEndpoint.post("take", "/take", { payload: Schema.Struct(fields), success: Schema.Struct(fields) })
  const { paths, components } = OpenApi.fromApi(HttpApi.make("host").add(HttpApiGroup.make("all").add(take)))
  const properties = Object.fromEntries(
    Object.keys(wires).map((name) => [`a${name}`, { $ref: `#/components/schemas/${name}` }]),
  )
  const content = { "application/json": { schema: expect.objectContaining({ properties }) } }
  expect(paths["/take"]?.post).toMatchObject({ requestBody: { content }, responses: { 200: { content } } })
  for (const [name, [codec]] of Object.entries(wires)) {
    if (name !== "ChargeRequestInput")
      expect(components.schemas[name]).toEqual(Schema.toJsonSchemaDocument(codec).definitions[name])
  }
})
