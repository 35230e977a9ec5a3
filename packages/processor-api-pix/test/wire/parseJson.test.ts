import * as Option from "effect/Option"
import { describe, expect, it } from "vitest"
import { parseJson } from "../../src/wire/parseJson.ts"

const value = (text: string): unknown => Option.getOrThrow(parseJson(text))

const controls = Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code))

describe("JSON of a bank", () => {
  it.each(controls.map((control) => [JSON.stringify(control), control]))(
    "is read with a blank in place of a raw %s in a string, and with everything else unchanged",
    (_, control) => {
      expect(value(`{"a":"x${control}y","b${control}":[1,"\\n"]}`)).toEqual({ a: "x y", "b ": [1, "\n"] })
    },
  )

  it("is read with a blank in place of an invalid backslash", () => {
    const all = String.raw`{"a":"C:\Dados","b":"\'","c":"\u12","d":"\u00e7","e":"\\","f":"\"","g":"\/","h":"\B"}`
    expect(value(all)).toEqual({ a: "C: Dados", b: " '", c: " u12", d: "ç", e: "\\", f: '"', g: "/", h: " B" })
    expect(value('"a\\\nb 😀\ud800"')).toBe("a  b 😀\ud800")
  })

  it("is read like strict JSON if it is valid, with its escapes", () => {
    for (const text of ['"\\u0001\\t\\\\n"', '{"a":"\u2028\u007f"}', ' [1,\r\n\t"a"] ']) {
      expect(value(text)).toEqual(JSON.parse(text))
    }
  })

  it.each([
    "{",
    '{"a":1,}',
    '{"a":\u00011}',
    "\\",
    '"a',
    '"\u0001',
    '"\\',
    "1\u00002",
    "<html>\n</html>",
    "'a'",
    "",
    " ",
    '"a" "b"',
  ])("is rejected if it is broken in another way, like %j", (text) => {
    expect(Option.isNone(parseJson(text))).toBe(true)
  })

  it.each([
    ["quotes that are escaped", '\\"'],
    ["backslashes", "\\"],
    ["control characters", "\u0001"],
    ["quotes", '"'],
    ["half escapes", "\\u12"],
  ])("is rejected in linear time if it is 8 MiB of %s without an end", (_, piece) => {
    const text = `["${piece.repeat((8 * 1024 * 1024) / piece.length)}`
    expect(Option.isNone(parseJson(text))).toBe(true)
  })
})
