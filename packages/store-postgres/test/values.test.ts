import { describe, expect, it } from "vitest"
import { repeatable, repeatableCall, unrepeatable } from "../src/sql/Sql.ts"
import {
  isTrue,
  millisIn,
  millisOr,
  numberIfAny,
  numberIn,
  numberOr,
  secondsOrNull,
  textIn,
  textOr,
} from "../src/sql/values.ts"
import { schemaName } from "../src/sql/SchemaName.ts"

describe("the readers of values", () => {
  it("read a number from every driver's form", () => {
    expect([7, "7", 7n].map(numberOr)).toEqual([7, 7, 7])
    expect(numberIn({ count: "7" }, "count")).toBe(7)
  })

  it("read a string", () => {
    expect(["a", 7, ""].map(textOr)).toEqual(["a", "7", ""])
    expect(textIn({ id: 7 }, "id")).toBe("7")
  })

  it("read seconds as milliseconds, rounded", () => {
    expect([1.0004, "1.0006", 0].map(millisOr)).toEqual([1_000, 1_001, 0])
    expect(millisIn({ at: "1.5" }, "at")).toBe(1_500)
  })

  it("read null as undefined", () => {
    for (const read of [numberOr, textOr, millisOr])
      expect([read(null), read(undefined)]).toEqual([undefined, undefined])
  })

  it("read only the two forms of drivers as true", () => {
    expect([true, "t", false, "f", 1, null, undefined].map(isTrue)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
    ])
  })
})

it("writes NaN as a string that the database refuses, and undefined as null", () => {
  expect([1, undefined, Number.NaN, Infinity].map(numberIfAny)).toEqual([1, undefined, "no number", "no number"])
  expect([1_500, undefined, Number.NaN].map(secondsOrNull)).toEqual([1.5, null, "no number"])
})

describe("a statement", () => {
  const schema = schemaName("loja")

  it("is made once for each schema, with a name from its text", () => {
    const find = repeatable("SELECT * FROM @.charges c JOIN @.payments p")
    const sql = find(schema)
    expect(sql.text).toBe('SELECT * FROM "loja".charges c JOIN "loja".payments p')
    expect(sql.name).toMatch(/^pixcharge_[\da-f]{16}$/)
    expect(find(schema)).toBe(sql)
    expect(repeatable("SELECT * FROM @.charges c JOIN @.payments p")(schema).name).toBe(sql.name)
    expect(find(schemaName("outra")).name).not.toBe(sql.name)
  })

  it("declares JSON and dates as `text`, because some drivers encode values by the declared type", () => {
    const sql = repeatable("SELECT $1::json, $2::json, $12::date, $3::jsonb, $4::uuid, a::json")(schema)
    expect(sql.text).toBe("SELECT $1::text::json, $2::text::json, $12::text::date, $3::jsonb, $4::uuid, a::json")
  })

  it.each([
    ["a read", repeatable("SELECT 1"), { repeatable: true, writes: false, reads: true }],
    ["a call that can write", repeatableCall("SELECT @.f()"), { repeatable: true, writes: false, reads: false }],
    ["an insertion", repeatable("INSERT INTO a"), { repeatable: true, writes: true, reads: false }],
    ["an update", repeatable("UPDATE a"), { repeatable: true, writes: true, reads: false }],
    ["a deletion", repeatable("DELETE FROM a"), { repeatable: true, writes: true, reads: false }],
    ["a read of DELETED", repeatable("SELECT * FROM DELETED"), { repeatable: true, writes: false, reads: true }],
    ["an unrepeatable statement", unrepeatable("SELECT 1"), { repeatable: false, writes: false, reads: false }],
  ] as const)("%s is recognized as repeatable, writing or reading", (_, sql, kind) => {
    expect(sql(schema)).toMatchObject(kind)
  })
})
