import { normalizePixKey, parsePixKey } from "@pixcharge/core/brcode"
import * as Result from "effect/Result"
import { expect, it } from "vitest"

it.each([
  ["Nova@Example.COM", "nova@example.com"],
  ["123E4567-E89B-12D3-A456-426655440000", "123e4567-e89b-12d3-a456-426655440000"],
  ["123E4567E89B12D3A456426655440000", "123e4567-e89b-12d3-a456-426655440000"],
  ["5581987654321", "+5581987654321"],
  ["+55 (81) 98765-4321", "+5581987654321"],
  ["558132345678", "+558132345678"],
  ["529.982.247-25", "52998224725"],
  [" 12.345.678/0001-95\n", "12345678000195"],
  ["12.abc.345/01de-35", "12ABC34501DE35"],
])("the key that is written %j is %s, and stays so", (written, key) => {
  expect([normalizePixKey(written), normalizePixKey(key)]).toEqual([key, key])
  expect(Result.getOrThrow(parsePixKey(normalizePixKey(written))).key).toBe(key)
})

it.each(["81987654321", "(81) 98765-4321", "81 98765-4321", "+1 202 555 0123", "Loja", ""])(
  "%j is nobody's key, and is made into none: as a CPF or a phone it could be somebody else's",
  (written) => {
    expect(Result.isFailure(parsePixKey(normalizePixKey(written)))).toBe(true)
  },
)
