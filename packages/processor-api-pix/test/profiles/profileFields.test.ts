import { readFileSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import { type KnownProfile, type ProfileName, pspProfiles, type StageName } from "@pixcharge/processor-api-pix"
import { describe, expect, it } from "vitest"
import { banksTable, sourcesTable } from "../bankTables.ts"
import { changesOfProfile } from "./changes.ts"
import { factsOfBanks } from "./factsOfBanks.ts"
import { type Named, observations } from "./observations.ts"

const names = Object.keys(pspProfiles) as ReadonlyArray<ProfileName>

const listStages = (psp: ProfileName) =>
  (["production", "sandbox"] as const).flatMap((stage) => {
    const facts = factsOfBanks[psp][stage]
    return facts === undefined ? [] : [{ stage, facts }]
  })

const findAddress = (psp: ProfileName): Named => (psp === "standard" ? { baseUrl: "https://pix.bank.example" } : {})

describe("a bank's calls and answers", () => {
  for (const psp of names) {
    for (const { stage, facts } of listStages(psp)) {
      it(`match the documentation of ${psp} (${stage})`, async () => {
        const seen: Record<string, unknown> = {}
        const observed = { named: { psp, stage, ...findAddress(psp) }, facts }
        for (const [field, observe] of Object.entries(observations)) seen[field] = await observe(observed)
        expect(seen).toEqual(facts)
      })
    }
  }
})

const readPage = (name: string): string => readFileSync(new URL(`../../../../docs/${name}`, import.meta.url), "utf8")

const page = readPage("api-pix.md")
const sourcesPage = readPage("internals/api-pix.md")

const waysAt = ({ production, sandbox, ...profile }: KnownProfile, stage: StageName) => ({
  ...profile,
  ...{ production, sandbox }[stage],
})

const isDetected = async (psp: ProfileName, profile: KnownProfile): Promise<boolean> => {
  const profiles = { ...pspProfiles, [psp]: profile }
  if (!page.includes(banksTable(profiles)) || !sourcesPage.includes(sourcesTable(profiles))) return true
  for (const { stage, facts } of listStages(psp)) {
    if (isDeepStrictEqual(waysAt(profile, stage), waysAt(pspProfiles[psp], stage))) continue
    const observed = { named: { profile, stage, ...findAddress(psp) }, facts }
    for (const [field, observe] of Object.entries(observations)) {
      try {
        if (!isDeepStrictEqual(await observe(observed), facts[field as keyof typeof facts])) return true
      } catch {
        return true
      }
    }
  }
  return false
}

describe("the facts of banks", { tags: ["long"] }, () => {
  for (const psp of names) {
    it(`detect each changed field of the profile ${psp}`, async () => {
      const undetected: Array<string> = []
      const changes = changesOfProfile(pspProfiles[psp])
      for (const { what, profile } of changes) if (!(await isDetected(psp, profile))) undetected.push(what)
      expect(undetected).toEqual([])
      expect(changes.length).toBeGreaterThan(40)
    })
  }
})
