import { normalizePixKey, parsePixKey } from "@pixcharge/core/brcode"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"

it.each([
  ["Nova@Example.COM", "nova@example.com"],
  ["123E4567-E89B-12D3-A456-426655440000", "123e4567-e89b-12d3-a456-426655440000"],
  ["123E4567E89B12D3A456426655440000", "123e4567-e89b-12d3-a456-426655440000"],
  ["5581987654321", "+5581987654321"],
  ["+55 (81) 98765-4321", "+5581987654321"],
  ["558132345678", "+558132345678"],
  ["+1 (202) 555-0123", "+12025550123"],
  ["+351 912 345 678", "+351912345678"],
  ["529.982.247-25", "52998224725"],
  [" 12.345.678/0001-95\n", "12345678000195"],
  ["12.abc.345/01de-35", "12ABC34501DE35"],
])("normalizePixKey turns %j into %s, which it doesn't change further", (written, key) => {
  expect([normalizePixKey(written), normalizePixKey(key)]).toEqual([key, key])
  expect(Result.getOrThrow(parsePixKey(normalizePixKey(written))).key).toBe(key)
})

it.each(["81987654321", "(81) 98765-4321", "81 98765-4321", "1 202 555 0123", "Loja", ""])(
  "normalizePixKey does not guess a key from %j",
  (written) => {
    expect(Result.isFailure(parsePixKey(normalizePixKey(written)))).toBe(true)
  },
)

const uuid = "123e4567-e89b-12d3-a456-426655440000"

describe("normalizePixKey", () => {
  it.each([
    ["529.982.247-25", "52998224725"],
    ["12.abc.345/01de-35", "12ABC34501DE35"],
    [uuid, uuid],
  ])("accepts %s without one or all of its punctuation marks", (masked, key) => {
    for (const { index, 0: mark } of masked.matchAll(/[./-]/g))
      expect(normalizePixKey(masked.slice(0, index) + masked.slice(index + mark.length))).toBe(key)
    expect(normalizePixKey(masked.replaceAll(/[./-]/g, ""))).toBe(key)
  })

  it.each([
    "x529.982.247-25",
    "529.982.247-25x",
    "52.9982.247-25",
    "529.982.247--25",
    "x12.abc.345/01de-35",
    "12.abc.345/01de-35x",
    "12.abc.345/01de-3x",
    "12.ab.c345/01de-35",
    `x${uuid}`,
    `${uuid}x`,
    uuid.replace("4", "g"),
    uuid.replace("-", "--"),
    "*5581987654321",
    "+5508198765432",
    "55819876543",
    "55819876543210",
    "5581 9876 x 54321",
    "+1 202 555 012x",
    "+0 202 555 0123",
  ])("leaves %s unchanged", (text) => {
    expect(normalizePixKey(text)).toBe(text)
  })

  it("leaves a text of more than twice a key's length unchanged", () => {
    const padded = (length: number) => "A@B.C".padEnd(length)
    expect(normalizePixKey(padded(154))).toBe("a@b.c")
    expect(normalizePixKey(padded(155))).toBe(padded(155))
  })
})

describe("parsePixKey", () => {
  const label = "a".repeat(63)

  it.each([
    ["cpf", "52998224725"],
    ["cnpj", "12345678000195"],
    ["cnpj", "12ABC34501DE35"],
    ["phone", "+5581987654321"],
    ["phone", "+558132345678"],
    ["phone", "+12025550123"],
    ["phone", "+351912345678"],
    ["phone", "+123"],
    ["phone", "+5491123456789012"],
    ["random", uuid],
    ["email", "a@b"],
    ["email", "loja.1+!#$&'*/=?^_`{|}~-@a-b.example.com"],
    ["email", `a@${label}.b`],
    ["email", `a@b.${label}`],
    ["email", `${"a".repeat(74)}@bc`],
  ])("recognizes a %s: %s", (kind, key) => {
    expect(Result.getOrThrow(parsePixKey(key))).toEqual({ kind, key })
  })

  const isNone = "is no CPF, CNPJ, phone with + and country, lower-case e-mail or lower-case random key"

  it.each([
    ["", "missing", "is missing: a static code needs a PIX key"],
    [undefined as never, "missing", "is missing: a static code needs a PIX key"],
    [`${"a".repeat(75)}@bc`, "size", "has 78 characters, 77 at most"],
    ["52998224726", "checkDigits", "has wrong check digits for a CPF; a phone is written with +55"],
    ["12345678000194", "checkDigits", "has wrong check digits for a CNPJ"],
    ["+5508198765432", "key", isNone],
    ["+5580198765432", "key", isNone],
    ["+55819876543", "key", isNone],
    ["+55819876543210", "key", isNone],
    ["x+5581987654321", "key", isNone],
    ["+12", "key", isNone],
    ["+54911234567890123", "key", isNone],
    ["+02025550123", "key", isNone],
    ["5581987654321", "key", isNone],
    ["a@-b", "key", isNone],
    ["a@b-", "key", isNone],
    ["a@b.-c", "key", isNone],
    ["a@b.c-", "key", isNone],
    ["a@b.", "key", isNone],
    ["a@b..c", "key", isNone],
    ["@b", "key", isNone],
    ["A@b", "key", isNone],
    ["a@B", "key", isNone],
    ["a b@c", "key", isNone],
    ["a@b c", "key", isNone],
    [" a@b", "key", isNone],
    [`a@${label}a`, "key", isNone],
    [`a@b.${label}a`, "key", isNone],
    [uuid.toUpperCase(), "key", isNone],
    [`${uuid}0`, "key", isNone],
    [`0${uuid}`, "key", isNone],
    ["12abc34501de35", "key", isNone],
    ["112345678000195", "key", isNone],
    ["1234567800019X", "key", isNone],
  ])("refuses %s (%s)", (text, rule, sentence) => {
    const read = parsePixKey(text)
    if (Result.isSuccess(read)) throw new Error("expected a refused key")
    expect(read.failure).toMatchObject({ rule, message: `A Pix key ${sentence}.`, name: "InvalidPixKey" })
  })
})
