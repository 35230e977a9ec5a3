import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseBasic, parseSecret } from "../src/tokens/authorization.ts"

const base64 = (text: string): string => Buffer.from(text).toString("base64")
const key = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 })
const cnpj = fc.stringMatching(/^[0-9A-Z]{12}\d{2}$/)

describe("parseSecret", () => {
  it("reads a secret that existing clients send", () => {
    expect(parseSecret("OTk5OTk5OTk5OTk5OTl8Q0hBVkUxMjM0NTY3ODk=")).toEqual({
      cnpj: "99999999999999",
      key: "CHAVE123456789",
    })
  })

  it("reads every secret in both alphabets, padded or not, raw or percent-encoded", () => {
    fc.assert(
      fc.property(cnpj, key, (issuer, secretKey) => {
        const standard = base64(`${issuer}|${secretKey}`)
        const url = standard.replaceAll("+", "-").replaceAll("/", "_")
        for (const text of [standard, url, standard.replaceAll("=", ""), url.replaceAll("=", "")]) {
          const expected = { cnpj: issuer, key: secretKey }
          expect(parseSecret(text)).toEqual(expected)
          expect(parseSecret(encodeURIComponent(text))).toEqual(expected)
        }
      }),
    )
  })

  it("splits at the first bar, so a key can contain bars", () => {
    expect(parseSecret(base64("12345678000195|a|b"))).toEqual({ cnpj: "12345678000195", key: "a|b" })
  })

  it("removes the CNPJ's punctuation and converts it to upper case", () => {
    expect(parseSecret(base64("12.abc.345/01de-35|x"))?.cnpj).toBe("12ABC34501DE35")
  })

  it("reads raw slashes", () => {
    const secret = base64("12345678000195|???>>>~~~")
    expect(secret).toContain("/")
    expect(parseSecret(secret)?.key).toBe("???>>>~~~")
  })

  it("reads up to 512 characters, not counting their percent-encoding", () => {
    const secret = base64(`1|${"x".repeat(382)}`)
    expect(secret).toHaveLength(512)
    expect(parseSecret(secret)?.key).toHaveLength(382)
    const encoded = [...secret].map((character) => `%${character.charCodeAt(0).toString(16)}`).join("")
    expect(parseSecret(encoded)?.key).toHaveLength(382)
    expect(parseSecret(base64(`1|${"x".repeat(383)}`))).toBeUndefined()
    expect(parseSecret(base64(`1|${"x".repeat(383)}`).replaceAll("=", ""))).toBeUndefined()
  })

  it.each([
    ["an empty text", ""],
    ["a trailing blank", `${base64("1|2")} `],
    ["a line break", `${base64("12345678000195|x")}%0A`],
    ["a stray character, which Buffer would skip", "OTk5*OTk5"],
    ["an impossible length", `${base64("12345678000195|key")}A`],
    ["wrong padding", "OTk5OTk5OTk5OTk5OTl8Q0hBVkUxMjM0NTY3ODk=="],
    ["unneeded padding", "OTk5===="],
    ["incomplete padding", "OTk5OQ="],
    ["only padding", "=="],
    ["padding in the middle", "OTk=5OTk"],
    ["half a percent-encoding", "OTk5%4"],
    ["no bar", base64("12345678000195")],
    ["no key", base64("12345678000195|")],
    ["no CNPJ", base64("|key")],
    ["bytes that aren't UTF-8", Buffer.from([0x31, 0x7c, 0xff]).toString("base64")],
    ["more than 512 characters", base64(`1|${"x".repeat(400)}`)],
  ])("rejects %s", (_, path) => {
    expect(parseSecret(path)).toBeUndefined()
  })

  it("never throws", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void parseSecret(text)))
  })
})

describe("parseBasic", () => {
  const credentials = base64("99999999999999:CHAVE123456789")

  it.each([`Basic ${credentials}`, `basic   ${credentials} `, `BASIC ${credentials}`])("reads %j", (header) => {
    expect(parseBasic(header)).toEqual({ cnpj: "99999999999999", key: "CHAVE123456789" })
  })

  it.each([undefined, "", `Basic${credentials}`, "Basic", `Bearer ${credentials}`, `xBasic ${credentials}`])(
    "returns null for %j",
    (header) => {
      expect(parseBasic(header)).toBeNull()
    },
  )

  it.each(["Basic ", "Basic ?", `Basic ${base64("99999999999999")}`, `Basic ${base64(":CHAVE")}`])(
    "returns undefined for %j",
    (header) => {
      expect(parseBasic(header)).toBeUndefined()
    },
  )

  it.each([
    ["blanks", `Basic${" ".repeat(15_000)}\t`],
    ["blanks and credentials", `Basic${" ".repeat(15_000)}${credentials}`],
    ["characters", `Basic ${"A".repeat(15_000)}`],
    ["blanks behind credentials", `Basic ${credentials}${" ".repeat(15_000)}x`],
  ])("rejects 15 000 %s quickly because of their length", (_, header) => {
    const before = process.cpuUsage()
    for (let times = 0; times < 100; times++) expect(parseBasic(header)).toBeUndefined()
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(500)
  })
})
