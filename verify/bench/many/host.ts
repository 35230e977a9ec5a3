// The host of the import, and the same calls by hand, in a process of their own with `--expose-gc`.
import { createPix, type Pix } from "@pixcharge/embed"
import { apiPix, standardProfile } from "@pixcharge/processor-api-pix"
import { postgresStore } from "@pixcharge/store-postgres"
import { randomUUID } from "node:crypto"
import { Agent, request } from "node:https"
import pg from "pg"
import { companies } from "../../world/companies.ts"
import type { Identity } from "../../world/makeAuthority.ts"
import type { Certificates } from "../../world/makeCertificates.ts"
import { serveOrders } from "../../world/Worker.ts"
import { putOnExisting } from "./putOnExisting.ts"

interface Setting {
  readonly databaseUrl: string
  readonly bankUrl: string
  readonly certificates: Certificates
}

const company = companies[0] as (typeof companies)[number]
const payer = { name: "Maria da Silva", taxId: "52998224725" }
const dueDate = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)

let opened: { readonly pix: Pix; readonly setting: Setting } | undefined

const heapBytes = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

const chargeId = (index: number): string => `${index.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`

function* requests(from: number, count: number) {
  for (let index = from; index < from + count; index++) {
    yield { id: chargeId(index), amountCents: 1990, dueDate, payer }
  }
}

const send = (agent: Agent, url: string, method: string, headers: Record<string, string>, body: string) =>
  new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const call = request(url, { agent, method, headers }, (answer) => {
      let text = ""
      answer.setEncoding("utf8").on("data", (part: string) => (text += part))
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    call.on("error", reject)
    call.end(body)
  })

const cobv = JSON.stringify({
  calendario: { dataDeVencimento: dueDate, validadeAposVencimento: 5 },
  devedor: { cpf: payer.taxId, nome: payer.name },
  valor: { original: "19.90" },
  chave: company.pixKey,
})

const orders = {
  start: async (setting: Setting): Promise<void> => {
    const { databaseUrl, bankUrl: baseUrl, certificates } = setting
    const db = new pg.Pool({ connectionString: databaseUrl, max: 10 })
    // Some connections are still closing when the server stops.
    db.on("error", () => undefined)
    const { cnpj, name, pixKey, clientId, clientSecret } = company
    const identity = certificates.clients[clientId] as Identity
    const profile = { ...standardProfile, putOnExisting } as const
    const connection = { baseUrl, ca: certificates.ca, clientId, clientSecret, profile, ...identity }
    const bank = apiPix({ companies: { [cnpj]: connection } })
    const pix = createPix({
      environment: "production",
      store: postgresStore({ db }),
      companies: [{ cnpj, name, city: "Recife", pixKey, graceDays: 5 }],
      processor: bank.processor,
    })
    await pix.ready()
    opened = { pix, setting }
  },
  /**
   * Issues the charges of these indexes. Returns the nanoseconds per charge, and the heap's bytes after `samples` of the
   * results.
   */
  issueMany: async (from: number, count: number, samples: ReadonlyArray<number>) => {
    if (opened === undefined) throw new Error("the host isn't started")
    const heap: Array<number> = []
    const begin = performance.now()
    for await (const { done, error } of opened.pix.issueMany(company.cnpj, requests(from, count))) {
      if (error !== undefined) throw error
      if (samples.includes(done)) heap.push(heapBytes())
    }
    return { each: ((performance.now() - begin) * 1e6) / count, heap }
  },
  /** The nanoseconds per charge of the same calls, without a store, at a fixed number at a time. */
  byHand: async (count: number, atOnce: number): Promise<number> => {
    const { bankUrl, certificates } = (opened as NonNullable<typeof opened>).setting
    const identity = certificates.clients[company.clientId] as Identity
    const agent = new Agent({ ...identity, ca: certificates.ca, keepAlive: true, maxSockets: atOnce })
    const basic = Buffer.from(`${company.clientId}:${company.clientSecret}`).toString("base64")
    const token = await send(
      agent,
      `${bankUrl}/oauth/token`,
      "POST",
      { authorization: `Basic ${basic}`, "content-type": "application/x-www-form-urlencoded" },
      "grant_type=client_credentials",
    )
    const headers = {
      authorization: `Bearer ${JSON.parse(token.text).access_token}`,
      "content-type": "application/json",
    }
    let left = count
    const begin = performance.now()
    const call = async () => {
      while (left-- > 0) {
        const txid = randomUUID().replaceAll("-", "")
        const { status, text } = await send(agent, `${bankUrl}/api/v2/cobv/${txid}`, "PUT", headers, cobv)
        if (status !== 201) throw new Error(`the bank returned ${status}: ${text}`)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, call))
    agent.destroy()
    return ((performance.now() - begin) * 1e6) / count
  },
}

export type HostOrders = typeof orders

serveOrders(orders)
