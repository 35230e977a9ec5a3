import { callbackFetch } from "@pixcharge/callback-fetch"
import { hostDirectory } from "@pixcharge/core"
import type { HostCompany } from "@pixcharge/core/directory"
import { sandboxProcessor } from "@pixcharge/processor-sandbox"
import { memoryStore } from "@pixcharge/store-memory"
import { randomUUID } from "node:crypto"
import { expect, it } from "vitest"
import { createPix } from "../src/index.ts"

const facts = { name: "Loja", city: "Recife", graceDays: 5 }
const active = { ...facts, cnpj: "12345678000195", pixKey: "a@example.com", integratorKey: "chave da loja" }
const keyless = { ...facts, cnpj: "11222333000181", pixKey: "b@example.com" }
const rows = new Map<string, HostCompany>([active, keyless].map((row) => [row.cnpj, row]))
const unknown = "00000000000191"

it("reads the company of a refused token request once, without the cache, whether active, without a key or unknown", async () => {
  const reads: Array<string> = []
  const read = async (cnpj: string) => {
    reads.push(cnpj)
    return rows.get(cnpj)
  }
  await using pix = createPix({
    environment: "sandbox",
    store: memoryStore(),
    directory: hostDirectory({ companies: { find: read, byPixKey: async () => undefined } }),
    processor: sandboxProcessor(),
    callbacks: callbackFetch(),
    tokens: { keys: [{ kid: "1", secret: "a secret of at least 32 bytes, kept safe" }] },
  })
  const ask = async (cnpj: string) => {
    const secret = Buffer.from(`${cnpj}|chave errada`).toString("base64url")
    reads.length = 0
    const { status } = await pix.fetch(new Request(`http://localhost/api/token/${secret}`))
    return { status, reads: [...reads] }
  }
  // A call of the active company puts it into the cache.
  await pix.issue(active.cnpj, { id: randomUUID(), amountCents: 1 })
  for (const cnpj of [active.cnpj, keyless.cnpj, unknown]) {
    for (let again = 0; again < 3; again++) expect(await ask(cnpj)).toEqual({ status: 401, reads: [cnpj] })
  }
  // Guessed keys neither read nor fill the cache of active companies.
  reads.length = 0
  await pix.issue(active.cnpj, { id: randomUUID(), amountCents: 1 })
  expect(reads).toEqual([])
})
