import { pspProfiles, standardProfile, type StageName } from "@pixcharge/processor-api-pix"
import { bankWays } from "@pixcharge/simulated-bank"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { describe, expect, it as test } from "vitest"
import { oddBanks } from "./life/oddBanks.ts"
import { differences, type LifeBank, namedBanks, openLife, spoil, listStages } from "./life/openLife.ts"
import { firstFailure, steps } from "./life/steps.ts"

/**
 * Fields that a life can do without: some only save calls, and our route accepts the bank's calls with or without the suffix of
 * the webhook's URL.
 */
const indifferent = new Set<string>([
  "putOnExisting",
  "pageSize",
  "pace",
  "webhookSuffix",
  "recurrences",
  "recurrenceDemands",
  "otherTokenPaths",
])

const demanded = (bank: LifeBank, stage: StageName) =>
  differences(bank, stage).filter((field) => !indifferent.has(field))

const livesAt = (bank: LifeBank, stage: StageName) => {
  it.live(`lives its whole life, in ${steps.length} steps`, () =>
    Effect.gen(function* () {
      const life = yield* openLife(bank, stage)
      expect(yield* Effect.promise(() => firstFailure(life))).toBeUndefined()
    }),
  )
  for (const field of demanded(bank, stage)) {
    describe("with one field as in the standard", { tags: ["long"] }, () => {
      it.live(`fails with the standard's ${field}`, () =>
        Effect.gen(function* () {
          const life = yield* openLife(spoil(bank, stage, field), stage)
          expect(yield* Effect.promise(() => firstFailure(life))).toBeDefined()
        }),
      )
    })
  }
}

test("tries every profile at a bank of its own, at each of its stages", () => {
  expect(Object.keys(bankWays).toSorted()).toEqual(Object.keys(pspProfiles).toSorted())
  for (const [name, bank] of Object.entries(namedBanks)) {
    for (const stage of listStages(bank)) expect(bank.ways[stage], `${name} ${stage}`).toBeDefined()
  }
})

for (const [name, bank] of Object.entries(namedBanks)) {
  for (const stage of listStages(bank)) {
    // `profiles/profileFields.test.ts` checks the sandbox's few differences.
    const tags = stage === "sandbox" ? ["long"] : []
    describe(`at ${name} (${stage}), by its name and credentials alone, a company`, { tags }, () =>
      livesAt(bank, stage),
    )
  }
}

for (const [name, bank] of Object.entries(oddBanks)) {
  for (const stage of listStages(bank)) {
    describe(`at an invented bank (${name}, ${stage}) with the host's own profile, a company`, () =>
      livesAt(bank, stage))
  }
}

test("needs each field of a profile in at least one life", () => {
  const needed = Object.values(oddBanks).flatMap((bank) => listStages(bank).flatMap((stage) => demanded(bank, stage)))
  const known = [...Object.keys(standardProfile), "tokenUrl"].filter((field) => !indifferent.has(field))
  expect([...new Set<string>(needed)].toSorted()).toEqual(known.toSorted())
})
