import { pspProfiles, standardProfile, type StageName } from "@pixcharge/processor-api-pix"
import { bankWays } from "@pixcharge/simulated-bank"
import { it } from "@pixcharge/adapter-tests/suites"
import * as Effect from "effect/Effect"
import { describe, expect, it as test } from "vitest"
import { oddBanks } from "./life/oddBanks.ts"
import { differences, type LifeBank, namedBanks, openLife, spoil, listStages } from "./life/openLife.ts"
import { firstFailure, steps } from "./life/steps.ts"

/**
 * Fields whose standard value lets no step fail. Some of them only save calls. The suffix of the webhook's URL has no
 * effect, because our route accepts the bank's calls with and without it.
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
  it.live(`succeeds in all ${steps.length} steps of its life`, () =>
    Effect.gen(function* () {
      const life = yield* openLife(bank, stage)
      expect(yield* Effect.promise(() => firstFailure(life))).toBeUndefined()
    }),
  )
  for (const field of demanded(bank, stage)) {
    describe("with one field of the profile as in the standard", { tags: ["long"] }, () => {
      it.live(`fails in a step with the standard's ${field}`, () =>
        Effect.gen(function* () {
          const life = yield* openLife(spoil(bank, stage, field), stage)
          expect(yield* Effect.promise(() => firstFailure(life))).toBeDefined()
        }),
      )
    })
  }
}

test("every profile has a simulated bank at each of its stages", () => {
  expect(Object.keys(bankWays).toSorted()).toEqual(Object.keys(pspProfiles).toSorted())
  for (const [name, bank] of Object.entries(namedBanks)) {
    for (const stage of listStages(bank)) expect(bank.ways[stage], `${name} ${stage}`).toBeDefined()
  }
})

for (const [name, bank] of Object.entries(namedBanks)) {
  for (const stage of listStages(bank)) {
    // `profiles/profileFields.test.ts` already checks the few fields that differ in a sandbox, so its life is a long
    // test.
    const tags = stage === "sandbox" ? ["long"] : []
    describe(`a company at ${name} (${stage}), with only the bank's name and credentials`, { tags }, () =>
      livesAt(bank, stage),
    )
  }
}

for (const [name, bank] of Object.entries(oddBanks)) {
  for (const stage of listStages(bank)) {
    describe(`a company at an invented bank (${name}, ${stage}), with the host's own profile`, () =>
      livesAt(bank, stage))
  }
}

test("each field of a profile is needed in the life of at least one invented bank", () => {
  const needed = Object.values(oddBanks).flatMap((bank) => listStages(bank).flatMap((stage) => demanded(bank, stage)))
  const known = [...Object.keys(standardProfile), "tokenUrl"].filter((field) => !indifferent.has(field))
  expect([...new Set<string>(needed)].toSorted()).toEqual(known.toSorted())
})
