import { issuers } from "@pixcharge/testkit/fixtures"
import {
  type BankClient,
  describeFailure,
  shrink,
  simulate,
  type SimulationOptions,
} from "@pixcharge/testkit/simulation"
import { describe, expect, it } from "vitest"
import { apiPix, standardProfile } from "../../src/index.ts"
import { simulatedFetch } from "./simulatedFetch.ts"

/** The processor of one process; its connections, tokens and circuit breakers die with it. */
const processor = (bank: BankClient) => {
  const connection = {
    baseUrl: "https://bank.invalid",
    clientId: "client",
    clientSecret: "secret",
    timeoutMs: 4_000,
    profile: { ...standardProfile, putOnExisting: bank.ways.putOnExisting },
  }
  const companies = issuers.map((issuer) => [issuer, { ...connection, fetch: simulatedFetch(bank, issuer) }])
  return apiPix({ companies: Object.fromEntries(companies) }).processor
}

const failureAmong = async (from: number, count: number): Promise<string | undefined> => {
  for (let seed = from; seed < from + count; seed++) {
    const options: SimulationOptions = { seed, processor }
    const simulated = await simulate(options)
    if (simulated.violations.length > 0) {
      return describeFailure(seed, simulated, await shrink(options, simulated))
    }
  }
  return undefined
}

describe("API Pix in the simulated world", () => {
  it("keeps every rule", { timeout: 120_000 }, async () => {
    expect(await failureAmong(1, 60)).toBeUndefined()
  })

  it("keeps every rule in the long runs", { tags: ["long"], timeout: 1_200_000 }, async () => {
    expect(await failureAmong(1_000, 500)).toBeUndefined()
  })

  it.each([5, 77, 1_234_567])("replays seed %i exactly", async (seed) => {
    const [first, second] = [await simulate({ seed, processor }), await simulate({ seed, processor })]
    expect(second.history).toEqual(first.history)
    expect(second.traceHash).toBe(first.traceHash)
  })
})
