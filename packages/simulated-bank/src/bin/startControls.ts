import { closestName } from "@pixcharge/core/internal"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { chargeKey, type LedgerCharge, type LedgerPayment, returningCents } from "../Ledger.ts"
import type { SimulatedBank } from "../SimulatedBank.ts"

/** A command that can't be carried out, as the bank's user is told. */
class Refused extends Error {}

const readCents = (query: URLSearchParams): number | undefined => {
  const written = query.get("amountCents")
  if (written === null) return undefined
  if (/^[1-9]\d{0,8}$/.test(written)) return Number(written)
  throw new Refused(`amountCents takes whole centavos from 1 on, not ${written}`)
}

const showCharge = ({ txid, status, terms }: LedgerCharge) => ({ txid, status, amountCents: terms.amountCents })

const showPayment = (payment: LedgerPayment) => {
  const { endToEndId, txid, amountCents } = payment
  return { endToEndId, txid, amountCents, returnedCents: returningCents(payment) }
}

/** What a person at the bank's counter does to one account. */
class Counter {
  readonly #bank: SimulatedBank
  readonly #cnpj: string
  #endFault: () => void = () => undefined

  constructor(bank: SimulatedBank, cnpj: string) {
    this.#bank = bank
    this.#cnpj = cnpj
  }

  /** The charge that is named by its id or txid; by default the last one. */
  #findCharge(query: URLSearchParams): LedgerCharge {
    const { charges } = this.#bank.ledger
    const named = query.get("charge")
    if (named === null) {
      const last = [...charges.values()].at(-1)
      if (last === undefined) throw new Refused("there is no charge yet: issue one first")
      return last
    }
    const found = charges.get(chargeKey(this.#cnpj, named.replaceAll("-", "")))
    if (found === undefined) throw new Refused("there is no such charge: GET / lists them")
    return found
  }

  #findPayment(query: URLSearchParams): LedgerPayment {
    const all = [...this.#bank.ledger.payments.values()]
    const txid = query.has("charge") ? this.#findCharge(query).txid : undefined
    const last = all.findLast((payment) => txid === undefined || payment.txid === txid)
    if (last === undefined) throw new Refused("there is no payment yet: pay first")
    return last
  }

  /** Waits for the webhook's call. Returns what came of it. */
  async #callWebhook(moveMoney: () => void): Promise<string> {
    const { webhooks, ledger } = this.#bank
    const before = webhooks.sent.length
    moveMoney()
    await webhooks.idle()
    const notice = webhooks.sent.at(-1)
    if (notice === undefined || webhooks.sent.length === before) {
      return ledger.webhooks.size === 0 ? "none is registered: call registerWebhook" : "not called"
    }
    return notice.status === 0 ? `no answer from ${new URL(notice.url).origin}` : `HTTP ${notice.status}`
  }

  async pay(query: URLSearchParams): Promise<object> {
    const { txid } = this.#findCharge(query)
    const amountCents = readCents(query)
    let payment: LedgerPayment | undefined
    const webhook = await this.#callWebhook(() => {
      try {
        payment = this.#bank.pay(this.#cnpj, txid, amountCents === undefined ? {} : { amountCents })
      } catch {
        throw new Refused("the charge can't be paid any more: it has expired or was removed")
      }
    })
    return { ...(payment && showPayment(payment)), webhook }
  }

  async refund(query: URLSearchParams): Promise<object> {
    const payment = this.#findPayment(query)
    const left = payment.amountCents - returningCents(payment)
    const amountCents = readCents(query) ?? left
    if (left === 0 || amountCents > left) throw new Refused(`of the payment ${left} centavos are left`)
    const webhook = await this.#callWebhook(() => {
      this.#bank.returnOutside(payment.endToEndId, amountCents, "ORIGINAL")
    })
    return { ...showPayment(payment), webhook }
  }

  down(): object {
    this.up()
    this.#endFault = this.#bank.faults.add({ _tag: "RequestLost" }, () => true)
    return { calls: "every connection breaks, until /up" }
  }

  slow(query: URLSearchParams): object {
    const seconds = Number(query.get("seconds") ?? 5)
    if (!(seconds > 0 && seconds <= 600)) throw new Refused("seconds takes a number from 0 to 600")
    this.up()
    this.#endFault = this.#bank.faults.add({ _tag: "Slow", ms: seconds * 1000 }, () => true)
    return { calls: `every answer takes ${seconds} seconds, until /up` }
  }

  up(): object {
    this.#endFault()
    return { calls: "answered at once" }
  }

  show(): object {
    const { ledger, webhooks } = this.#bank
    return {
      charges: [...ledger.charges.values()].map(showCharge),
      payments: [...ledger.payments.values()].map(showPayment),
      webhooks: [...ledger.webhooks.values()].map(({ url }) => url),
      notices: webhooks.sent.map(({ url, status }) => ({ url, status })),
    }
  }
}

const commands = ["pay", "refund", "down", "slow", "up"] as const

const carryOut = async (counter: Counter, method: string, url: URL): Promise<object> => {
  const name = url.pathname.slice(1)
  if (name === "" && method === "GET") return counter.show()
  const command = commands.find((one) => one === name)
  if (command === undefined) {
    const meant = closestName(name, commands)
    throw new Refused(
      `there is no /${name}${meant === undefined ? "" : ` (did you mean /${meant}?)`}: the commands are ${commands.map((one) => `/${one}`).join(", ")}`,
    )
  }
  if (method !== "POST") throw new Refused(`/${command} is a POST: curl -X POST`)
  return counter[command](url.searchParams)
}

/** Takes commands for a bank, and shows `facts` and what is in its ledger, by HTTP on 127.0.0.1. Rejects if it can't listen. */
export const startControls = async (bank: SimulatedBank, cnpj: string, facts: object, port: number) => {
  const counter = new Counter(bank, cnpj)
  const server = createServer((request, response) => {
    const { method = "", url = "/" } = request
    const answer = (status: number, body: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(`${JSON.stringify(body, undefined, 2)}\n`)
    request.resume()
    carryOut(counter, method, new URL(url, "http://127.0.0.1")).then(
      (done) => answer(200, method === "GET" ? { ...facts, ...done } : done),
      (error: unknown) => answer(400, { error: error instanceof Refused ? error.message : String(error) }),
    )
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject)
    server.listen(port, "127.0.0.1", resolve)
  })
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
