// The host of the import, and the same calls by hand, in a process of their own with `--expose-gc`.
import { createPix, type Pix } from "@pixcharge/embed"
import { apiPix, standardProfile } from "@pixcharge/processor-api-pix"
import { postgresStore } from "@pixcharge/store-postgres"
import { once } from "node:events"
import type { IncomingMessage } from "node:http"
import { Agent, request } from "node:https"
import { text } from "node:stream/consumers"
import pg from "pg"
import { companies } from "../../world/companies.ts"
import type { Identity } from "../../world/makeAuthority.ts"
import type { Certificates } from "../../world/makeCertificates.ts"
import { serveOrders } from "../../world/Worker.ts"
import { putOnExisting } from "./openBank.ts"

interface Setting {
  readonly databaseUrl: string
  readonly bankUrl: string
  readonly certificates: Certificates
}

const { cnpj, name, pixKey, clientId, clientSecret } = companies[0] as (typeof companies)[number]
const payer = { name: "Maria da Silva", taxId: "52998224725" }
const dueDate = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)

let pix: Pix
let setting: Setting

const heapBytes = (): number => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

function* requests(from: number, count: number) {
  for (let index = from; index < from + count; index++) {
    const id = `${index.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`
    yield { id, amountCents: 1990, dueDate, payer }
  }
}

const cobv = JSON.stringify({
  calendario: { dataDeVencimento: dueDate, validadeAposVencimento: 5 },
  devedor: { cpf: payer.taxId, nome: payer.name },
  valor: { original: "19.90" },
  chave: pixKey,
})

/** Opens connections to the bank, whose calls resolve with the text of an answer of this status. */
const openCalls = ({ bankUrl, certificates: { ca, clients } }: Setting, maxSockets: number) => {
  const agent = new Agent({ ...clients[clientId], ca, keepAlive: true, maxSockets })
  return async (status: number, method: string, path: string, headers: Record<string, string>, body: string) => {
    const sent = request(`${bankUrl}${path}`, { agent, method, headers }).end(body)
    const [answer] = (await once(sent, "response")) as [IncomingMessage]
    const answered = await text(answer)
    if (answer.statusCode !== status) throw new Error(`the bank returned ${answer.statusCode}: ${answered}`)
    return answered
  }
}

const eachNs = (begin: number, count: number): number => ((performance.now() - begin) * 1e6) / count

const orders = {
  start: async (given: Setting): Promise<void> => {
    setting = given
    const { databaseUrl, bankUrl: baseUrl, certificates } = given
    const db = new pg.Pool({ connectionString: databaseUrl, max: 10 })
    // Some connections are still closing when the server stops.
    db.on("error", () => undefined)
    const identity = certificates.clients[clientId] as Identity
    const profile = { ...standardProfile, putOnExisting } as const
    const connection = { baseUrl, ca: certificates.ca, clientId, clientSecret, profile, ...identity }
    pix = createPix({
      environment: "production",
      store: postgresStore({ db }),
      companies: [{ cnpj, name, city: "Recife", pixKey, graceDays: 5 }],
      processor: apiPix({ companies: { [cnpj]: connection } }).processor,
    })
    await pix.ready()
  },
  /**
   * Issues the charges of these indexes. Returns the nanoseconds per charge, and the heap's bytes after `samples` of the
   * results.
   */
  issueMany: async (from: number, count: number, samples: ReadonlyArray<number>) => {
    const heap: Array<number> = []
    const begin = performance.now()
    for await (const { done, error } of pix.issueMany(cnpj, requests(from, count))) {
      if (error !== undefined) throw error
      if (samples.includes(done)) heap.push(heapBytes())
    }
    return { each: eachNs(begin, count), heap }
  },
  /** The nanoseconds per charge of the same calls, without a store, at a fixed number at a time. */
  byHand: async (count: number, atOnce: number): Promise<number> => {
    const call = openCalls(setting, atOnce)
    const basic = Buffer.from(`${clientId}:${clientSecret}`).toString("base64")
    const form = { authorization: `Basic ${basic}`, "content-type": "application/x-www-form-urlencoded" }
    const token = JSON.parse(await call(200, "POST", "/oauth/token", form, "grant_type=client_credentials"))
    const json = { authorization: `Bearer ${token.access_token}`, "content-type": "application/json" }
    const txids = Array.from({ length: count }, () => crypto.randomUUID().replaceAll("-", "")).values()
    const begin = performance.now()
    const putRest = async () => {
      for (const txid of txids) await call(201, "PUT", `/api/v2/cobv/${txid}`, json, cobv)
    }
    await Promise.all(Array.from({ length: atOnce }, putRest))
    return eachNs(begin, count)
  },
}

export type HostOrders = typeof orders

serveOrders(orders)
