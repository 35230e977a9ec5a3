import { foldName } from "@pixcharge/core/charges"
import { expect, it } from "vitest"
import { realPostgres } from "@pixcharge/verify/postgres"
import { nameBeginning } from "../src/charges/chargeLists.sql.ts"

const pool = await realPostgres()

it("a pattern matches the letters that fold to its letter, and no other letters", async () => {
  const letters = Array.from({ length: 0x17f }, (_, index) => String.fromCodePoint(index + 1)).filter(
    (letter) => !/\s/.test(letter),
  )
  const words = [...new Set(letters.map(foldName)), "😀"]
  const { rows } = await pool.query(
    `SELECT w.word, array_agg(l ORDER BY n) FILTER (WHERE (' ' || l) COLLATE "C" ~ w.expression) AS found
     FROM unnest($1::text[], $2::text[]) w (word, expression), unnest($3::text[]) WITH ORDINALITY u (l, n)
     GROUP BY w.word`,
    [words, words.map((word) => nameBeginning([word])), [...letters, "😀"]],
  )
  expect(rows).toHaveLength(words.length)
  for (const { word, found } of rows) {
    expect([word, found]).toEqual([word, [...letters, "😀"].filter((letter) => foldName(letter) === word)])
  }
})

it("a pattern matches the longest word at a word's beginning, with at most 32 letters", () => {
  expect(nameBeginning(["da", "s.x", "o"])).toBe("[ '’-][Ss]\\.[Xx]")
  expect(nameBeginning(["9".repeat(500)])).toBe(`[ '’-]${"9".repeat(32)}`)
})
