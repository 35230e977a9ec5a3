import { createPix } from "@pixcharge/embed"
import { apiPix, standardProfile } from "@pixcharge/processor-api-pix"
import { startSimulatedBank } from "@pixcharge/simulated-bank"
import { memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { describe, expect, it, onTestFinished } from "vitest"
import { account, company } from "./bank/openBank.ts"
import { registration } from "./bank/openShop.ts"

const { cnpj } = company
const dueDate = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10)
const payer = { name: "Ana Souza", taxId: "52998224725" }

function* requests(count: number) {
  for (let index = 0; index < count; index++) yield { id: randomUUID(), amountCents: 1990, dueDate, payer }
}

/** A shop at a bank over HTTP. Counts the calls to the bank. */
const openShop = async () => {
  const bank = await startSimulatedBank({ accounts: [account], ways: { putOnExisting: "refuses" } })
  const seen = { underWay: 0, maxUnderWay: 0 }
  const counted = async (url: string, init: RequestInit): Promise<Response> => {
    seen.maxUnderWay = Math.max(seen.maxUnderWay, ++seen.underWay)
    return fetch(url, init).finally(() => seen.underWay--)
  }
  const { clientId, clientSecret } = account
  const profile = { ...standardProfile, putOnExisting: "refuses" } as const
  const { baseUrl } = bank
  const { processor } = apiPix({
    companies: { [cnpj]: { baseUrl, clientId, clientSecret, profile, fetch: counted, timeoutMs: 60_000 } },
  })
  const { integratorKey: _, ...listed } = registration(company)
  const store = memoryStore({ inProduction: true })
  const pix = createPix({ environment: "production", store, companies: [listed], processor, background: false })
  onTestFinished(async () => {
    await pix.dispose()
    await bank.close()
  })
  const puts = () => bank.exchanges.filter(({ method }) => method === "PUT")
  return { bank, pix, seen, puts }
}

describe("many charges at a bank", () => {
  it("take one call each, and leave sockets to other calls", async () => {
    const { bank, pix, seen, puts } = await openShop()
    bank.faults.add({ _tag: "Slow", ms: 100 })
    for await (const { error } of pix.issueMany(cnpj, requests(600))) expect(error).toBeUndefined()
    expect(puts()).toHaveLength(600)
    expect(seen.maxUnderWay).toBe(24)
  })

  it("don't delay a charge that somebody waits for by more than the calls under way", async () => {
    const { bank, pix } = await openShop()
    bank.faults.add({ _tag: "Slow", ms: 20, atOnce: 4 })
    let results = 0
    let waited: number | undefined
    for await (const { done } of pix.issueMany(cnpj, requests(400))) {
      results = done
      if (done !== 100) continue
      void pix.issue(cnpj, { id: randomUUID(), amountCents: 700, dueDate, payer }).then(() => (waited = results - done))
    }
    // The bank works on its calls in the order of their arrival.
    expect(waited).toBeLessThan(60)
  })

  it("are each issued once, although the bank refuses calls for a while and breaks others off", async () => {
    const { bank, pix, puts } = await openShop()
    let calls = 0
    const every = (count: number) => (call: { readonly method: string }) =>
      call.method === "PUT" && ++calls % count === 0
    bank.faults.add({ _tag: "Status", status: 429, retryAfter: "1" }, every(50), 4)
    bank.faults.add({ _tag: "AnswerLost" }, every(31), 4)
    const ids = new Set<string>()
    for await (const { request, error } of pix.issueMany(cnpj, requests(300))) {
      expect(error).toBeUndefined()
      ids.add(request.id)
    }
    expect(ids.size).toBe(300)
    // Each of the faulty calls was made again.
    expect(calls).toBeGreaterThanOrEqual(308)
    const made = puts().filter(({ status }) => status === 201)
    expect(new Set(made.map(({ path }) => path)).size).toBe(made.length)
    expect(bank.ledger.charges.size).toBe(300)
  })
})
