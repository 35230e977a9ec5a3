import { expect, it } from "vitest"
import { root } from "../../world/root.ts"
import { sample } from "../sample.ts"

const mutants = Array.from({ length: 200 }, (_, line) => ({
  id: String(line),
  fileName: "packages/core/src/a.ts",
  mutatorName: "EqualityOperator",
  replacement: "a <= b",
  location: { start: { line, column: 1 } },
}))

const lines = (size: number, seed: string, of = mutants) => Array.from(sample(of, size, seed), ({ id }) => id)

it("chooses the same mutants for the same seed, and different mutants for a different seed", () => {
  const chosen = lines(20, "1")
  expect(chosen).toHaveLength(20)
  expect(lines(20, "1", mutants.toReversed())).toEqual(chosen)
  expect(lines(20, "2")).not.toEqual(chosen)
})

it("chooses the same mutants in any folder of the repository, and keeps the rest if some disappear", () => {
  const kept = mutants.filter(({ id }) => Number(id) >= 20)
  const elsewhere = kept.map((mutant) => ({ ...mutant, fileName: `${root}/${mutant.fileName}` }))
  const chosen = new Set(lines(50, "1"))
  expect(lines(50, "1", elsewhere).filter((id) => !chosen.has(id)).length).toBeLessThan(12)
})
