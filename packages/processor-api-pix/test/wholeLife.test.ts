import { type KnownProfile, type ProfileName, type PspProfile, pspProfiles, standardProfile } from "@pixcharge/processor-api-pix"
import { bankWays } from "@pixcharge/simulated-bank"
import { it } from "@pixcharge/testkit/suites"
import * as Effect from "effect/Effect"
import { isDeepStrictEqual } from "node:util"
import { describe, expect, it as test } from "vitest"
import { openLife, spoil, stagesOf, waysAt } from "./life/openLife.ts"
import { firstFailure, steps } from "./life/steps.ts"

const names = Object.keys(pspProfiles) as ReadonlyArray<ProfileName>

/**
 * Without these a life goes on: some only save calls, and our route takes the bank's calls with the suffix of the webhook's
 * URL as well as without it.
 */
const indifferent: ReadonlyArray<string> = ["putOnExisting", "pageSize", "pace", "webhookSuffix"]
const aboutProfile: ReadonlyArray<string> = ["bank", "sources", "production", "sandbox"]

/** What a profile says otherwise than the standard, at one stage or the other. */
const differences = (psp: ProfileName, stage: "production" | "sandbox"): ReadonlyArray<keyof PspProfile> => {
  const profile: KnownProfile = pspProfiles[psp]
  const ways: Readonly<Record<string, unknown>> = { ...profile, ...profile[stage] }
  const standard: Readonly<Record<string, unknown>> = { ...standardProfile }
  return Object.keys(ways).filter(
    (field) =>
      field !== "baseUrl" &&
      ![...indifferent, ...aboutProfile].includes(field) &&
      !isDeepStrictEqual(ways[field], standard[field]),
  ) as ReadonlyArray<keyof PspProfile>
}

test("every profile has a bank of its own to be tried at, at each of its stages", () => {
  expect(Object.keys(bankWays).toSorted()).toEqual(names.toSorted())
  for (const psp of names) for (const stage of stagesOf(psp)) expect(waysAt(psp, stage), `${psp} ${stage}`).toBeDefined()
})

for (const psp of names) {
  for (const stage of stagesOf(psp)) {
    describe(`at ${psp} (${stage}), by its name and credentials alone, a company`, () => {
      it.live(`lives its whole life, in ${steps.length} steps`, () =>
        Effect.gen(function* () {
          const life = yield* openLife(psp, stage)
          expect(yield* Effect.promise(() => firstFailure(life))).toBeUndefined()
        }),
      )

      for (const field of differences(psp, stage)) {
        it.live(`can't live on the standard's ${field}`, () =>
          Effect.gen(function* () {
            const life = yield* openLife(psp, stage, spoil(psp, stage, field))
            expect(yield* Effect.promise(() => firstFailure(life))).toBeDefined()
          }),
        )
      }
    })
  }
}
