import {
  type LedgerPayment,
  type Ledger,
  type LedgerReturn,
  parseCents,
  chargeKey,
  emptyLedger,
  instantPaymentId,
} from "./Ledger.ts"
import { makeAdmission } from "./admission.ts"
import { type Bank, getCharge, getCode, patchCharge, putCharge } from "./chargeRoutes.ts"
import { distort } from "./distort.ts"
import { getPayment, getReturn, listPayments, putReturn, settleReturn } from "./paymentRoutes.ts"
import { problem, type BankAnswer } from "./problems.ts"
import { makeFaults, type BankFaults } from "./BankFaults.ts"
import { type BankAccount, type BankOptions, type BankWays, standardWays } from "./BankOptions.ts"
import type { BankRequest } from "./BankRequest.ts"
import { type BankExchange, startServer } from "./BankServer.ts"
import { makeTokens } from "./Tokens.ts"
import { makeWebhookCaller, type WebhookCaller } from "./WebhookCaller.ts"
import { deleteWebhook, getWebhook, putWebhook } from "./webhookRoutes.ts"

/** How a payer's payment differs from the charge's amount, paid now. */
export interface Paying {
  readonly amountCents?: number
  readonly paidAt?: number
  /** What the payer writes beside it (`infoPagador`). */
  readonly text?: string
}

/**
 * A bank in this process: the part of API Pix that a receiver uses, on a real HTTP(S) server with mTLS, bound tokens
 * and webhooks, with payers, faults and the ways in which banks differ. It shares no code with an adapter, so that it
 * shares no mistake with one.
 */
export interface SimulatedBank {
  readonly baseUrl: string
  readonly ledger: Ledger
  readonly ways: BankWays
  readonly faults: BankFaults
  /** Every call that got its answer. */
  readonly exchanges: ReadonlyArray<BankExchange>
  /** Forgets `exchanges` and `webhooks.sent`, which take more and more memory in a run of hours. */
  readonly forgetExchanges: () => void
  readonly webhooks: WebhookCaller
  /** A payer pays a charge, once more if it is paid already. */
  readonly pay: (cnpj: string, txid: string, paying?: Paying) => LedgerPayment
  /** A payer pays to a key, naming a txid of the payer's making or none. */
  readonly payToKey: (pixKey: string, amountCents: number, txid?: string) => LedgerPayment
  /** A return that is under way ends. */
  readonly endReturn: (endToEndId: string, id: string, how: "returned" | "rejected") => void
  /**
   * Money goes back without a refund of ours: through the bank's portal (`ORIGINAL`) or by a dispute (`MED_FRAUDE`,
   * ...).
   */
  readonly returnOutside: (endToEndId: string, amountCents: number, nature: string) => LedgerReturn
  /** The bank removes a charge by itself. */
  readonly remove: (cnpj: string, txid: string) => void
  /** Every issued token becomes invalid. */
  readonly revokeTokens: () => void
  readonly close: () => Promise<void>
}

const requiredScope = ({ method, path }: BankRequest): string =>
  `${path.split("/")[1]}.${method === "GET" ? "read" : "write"}`

const route = async (bank: Bank, account: BankAccount, request: BankRequest, pageSize: number): Promise<BankAnswer> => {
  const { method, path, query, text } = request
  const [, resource = "", id, part, returnId = ""] = path.split("/").map(decodeURIComponent)
  const isMissing = (resource === "cob" || resource === "cobv") && !bank.ways.kinds.includes(resource)
  if (isMissing) return problem(404, "NaoEncontrado", "this bank has no such charges")
  const body = (): unknown => JSON.parse(text)
  switch (`${method} ${resource}`) {
    case "PUT cob":
    case "PUT cobv":
      return putCharge(bank, account, resource as "cob" | "cobv", id ?? "", body())
    case "GET cob":
    case "GET cobv":
      return part === "qrcode"
        ? getCode(bank, account, resource as "cob" | "cobv", id ?? "")
        : getCharge(bank, account, resource as "cob" | "cobv", id ?? "")
    case "PATCH cob":
    case "PATCH cobv":
      return patchCharge(bank, account, resource as "cob" | "cobv", id ?? "", body())
    case "PUT webhook":
      return putWebhook(bank, account, request, id ?? "", body())
    case "GET webhook":
      return getWebhook(bank, account, id ?? "")
    case "DELETE webhook":
      return deleteWebhook(bank, account, id ?? "")
    case "PUT pix":
      if (part === "devolucao") return putReturn(bank, account, id ?? "", returnId, body())
      break
    case "GET pix":
      if (id === undefined) return listPayments(bank, account, query, pageSize)
      return part === "devolucao" ? getReturn(bank, account, id, returnId) : getPayment(bank, account, id)
  }
  return problem(404, "NaoEncontrado", "no such resource")
}

const outsideId = (n: number): string => `PORTAL${String(n).padStart(4, "0")}`

/** A payment is dated when its payer sent it: so long before it comes in. */
const travelMs = 5_000

/** Opens a bank. */
export const startSimulatedBank = async (options: BankOptions): Promise<SimulatedBank> => {
  const { accounts, now = Date.now, pageSize = 1000 } = options
  const ledger = emptyLedger()
  const ways = { ...standardWays(), ...options.ways }
  const bank: Bank = { ledger, ways, now }
  const faults = makeFaults()
  const tokens = makeTokens(accounts, ways, now)
  const webhooks = makeWebhookCaller(bank)

  const admit = makeAdmission(ways)

  const standardAnswer = async (request: BankRequest): Promise<BankAnswer> => {
    const { method, path, caller, authorization } = request
    if (request.isElsewhere) return problem(404, "NaoEncontrado", "nothing is here")
    if (method === "POST" && path === "/oauth/token") return tokens.give(request)
    const account = tokens.authorizedAccount(caller, authorization, requiredScope(request))
    if ("status" in account) return account
    const answered = admit(request, account) ?? (await route(bank, account, request, pageSize))
    return answered.status < 400 ? { ...answered, body: distort(answered.body, ways) } : answered
  }

  const answer = async (request: BankRequest): Promise<BankAnswer> => {
    const answered = await standardAnswer(request)
    const reshaped = request.path === "/oauth/token" ? ways.reshapeToken?.(answered) : ways.reshape?.(answered, request)
    return reshaped ?? answered
  }

  const server = await startServer(options, ways, faults, answer)

  /** When a payment was sent that comes in now. */
  const sentAt = () => now() - travelMs

  const record = (payment: LedgerPayment): LedgerPayment => {
    ledger.payments.set(payment.endToEndId, payment)
    if (payment.txid !== undefined) webhooks.notify(payment)
    return payment
  }

  const accountWith = (holds: (account: BankAccount) => boolean): BankAccount => {
    const account = accounts.find(holds)
    if (account === undefined) throw new Error("no such account at this bank")
    return account
  }

  const companyCharge = (cnpj: string, txid: string) => {
    const charge = ledger.charges.get(
      chargeKey(
        accountWith((one) => one.cnpj === cnpj),
        txid,
      ),
    )
    if (charge === undefined) throw new Error(`no charge ${txid} at this bank`)
    return charge
  }

  const knownPayment = (endToEndId: string): LedgerPayment => {
    const payment = ledger.payments.get(endToEndId)
    if (payment === undefined) throw new Error(`no payment ${endToEndId} at this bank`)
    return payment
  }

  return {
    baseUrl: server.baseUrl,
    exchanges: server.exchanges,
    forgetExchanges: () => {
      server.forget()
      webhooks.sent.splice(0)
    },
    close: server.close,
    ledger,
    ways,
    faults,
    webhooks,
    pay: (cnpj, txid, { amountCents, paidAt = sentAt(), text } = {}) => {
      const charge = companyCharge(cnpj, txid)
      charge.status = "CONCLUIDA"
      const cents = amountCents ?? parseCents(charge.terms.valor.original)
      const endToEndId = instantPaymentId("E", paidAt)
      return record({
        account: charge.account,
        endToEndId,
        txid,
        pixKey: charge.terms.chave,
        cents,
        paidAt,
        returns: [],
        ...(text !== undefined && { payerText: text }),
      })
    },
    payToKey: (pixKey, cents, txid) => {
      const account = accountWith(({ pixKeys }) => pixKeys.includes(pixKey))
      const paidAt = sentAt()
      const endToEndId = instantPaymentId("E", paidAt)
      return record({ account, endToEndId, pixKey, cents, paidAt, returns: [], ...(txid !== undefined && { txid }) })
    },
    endReturn: (endToEndId, id, how) => {
      const payment = knownPayment(endToEndId)
      const row = payment.returns.find((one) => one.id === id)
      if (row === undefined) throw new Error(`no return ${id} at this bank`)
      settleReturn(row, how, now())
      if (payment.txid !== undefined) webhooks.notify(payment)
    },
    returnOutside: (endToEndId, cents, nature) => {
      const payment = knownPayment(endToEndId)
      const at = now()
      const row: LedgerReturn = {
        id: outsideId(payment.returns.length + 1),
        rtrId: instantPaymentId("D", at),
        cents,
        nature,
        askedAt: at,
        settledAt: at,
        status: "DEVOLVIDO",
      }
      payment.returns.push(row)
      if (payment.txid !== undefined) webhooks.notify(payment)
      return row
    },
    remove: (cnpj, txid) => {
      companyCharge(cnpj, txid).status = "REMOVIDA_PELO_PSP"
    },
    revokeTokens: tokens.revokeAll,
  }
}
