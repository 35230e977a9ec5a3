import { newIntegratorKey } from "@pixcharge/core/directory"
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"

/** CRC-16/CCITT-FALSE, bit by bit. */
const crc16 = (text: string): string => {
  let crc = 0xffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1
  }
  return crc.toString(16).toUpperCase().padStart(4, "0")
}

it("a generated key matches the pattern for secret scanners", () => {
  const [, pattern = ""] =
    /`(pixk_[^`]+)`/.exec(readFileSync(new URL("../../../../docs/operations/keys.md", import.meta.url), "utf8")) ?? []
  const keys = Array.from({ length: 50 }, newIntegratorKey)
  expect(new Set(keys).size).toBe(50)
  for (const key of keys) {
    expect(key).toMatch(new RegExp(`^${pattern}$`))
    expect(Buffer.from(key.slice(5, -4), "base64url")).toHaveLength(32)
    expect(key.slice(-4)).toBe(crc16(key.slice(0, -4)))
  }
})
