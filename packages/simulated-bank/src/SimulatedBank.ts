import type { Cnpj } from "@pixcharge/core/party"
import { Bank, type Paying } from "./bank/Bank.ts"
import { plainChance } from "./ledger/BankChance.ts"
import type { Ledger, LedgerPayment, LedgerReturn } from "./ledger/Ledger.ts"
import type { Recurring } from "./recurring/Recurring.ts"
import { type BankFaults, makeFaults } from "./server/BankFaults.ts"
import { type BankExchange, startServer } from "./server/BankServer.ts"
import { makeWebhookCaller, type WebhookCaller } from "./server/WebhookCaller.ts"
import { makeHandler } from "./server/makeHandler.ts"
import { type BankOptions, type BankWays, standardWays } from "./wire/BankOptions.ts"

/**
 * A bank in this process. It serves the receiver's part of API Pix over real HTTP(S), with mTLS, bound tokens and webhooks. It
 * has payers and faults, and can differ as real banks do. It shares no code with an adapter.
 */
export interface SimulatedBank {
  readonly baseUrl: string
  readonly ledger: Ledger
  readonly ways: BankWays
  readonly faults: BankFaults
  readonly exchanges: ReadonlyArray<BankExchange>
  /** Empties `exchanges` and `webhooks.sent`, which grow in long runs. */
  readonly forgetExchanges: () => void
  readonly webhooks: WebhookCaller
  /** The payers' actions in Pix Automático, and every debit. */
  readonly recurring: Recurring
  /** Pays a charge, even if it is paid already. */
  readonly pay: (cnpj: string, txid: string, paying?: Paying) => LedgerPayment
  /** Pays to a key, with any txid or without one. */
  readonly payToKey: (pixKey: string, amountCents: number, txid?: string) => LedgerPayment
  /** Ends a return that is under way. */
  readonly endReturn: (endToEndId: string, id: string, how: "returned" | "rejected") => void
  /** Returns money without our refund: through the bank's portal (`ORIGINAL`) or by a dispute (`MED_FRAUDE`, ...). */
  readonly returnOutside: (endToEndId: string, amountCents: number, nature: string) => LedgerReturn
  readonly remove: (cnpj: string, txid: string) => void
  readonly revokeTokens: () => void
  readonly close: () => Promise<void>
}

/** Milliseconds from the sending of a payment, which dates it, to its arrival. */
const travelMs = 5_000

const atBank = <A>(found: A | undefined, what: string): A => {
  if (found === undefined) throw new Error(`no ${what} at this bank`)
  return found
}

export const startSimulatedBank = async (options: BankOptions): Promise<SimulatedBank> => {
  const { accounts, now = Date.now } = options
  const bank = new Bank(accounts, { ...standardWays(), ...options.ways }, plainChance(now))
  const { ledger, ways } = bank
  const faults = makeFaults()
  const webhooks = makeWebhookCaller(bank, faults, options.tls)
  const { answer, revokeTokens } = makeHandler(bank)
  const server = await startServer(options, ways, faults, answer)
  bank.onMoney = (payment) => {
    const { txid, idRec, issuer } = payment
    const someKey = accounts.find(({ cnpj }) => cnpj === issuer)?.pixKeys[0]
    if (idRec !== undefined && ways.listsCyclePix) webhooks.notify(payment, someKey)
    else if (txid !== undefined && idRec === undefined) webhooks.notify(payment)
  }
  bank.recurring.onNotice = webhooks.tell

  const sentAt = () => now() - travelMs

  const getKnownPayment = (endToEndId: string): LedgerPayment =>
    atBank(ledger.payments.get(endToEndId), `payment ${endToEndId}`)

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
    recurring: bank.recurring,
    pay: (cnpj, txid, paying) =>
      atBank(bank.pay(cnpj as Cnpj, txid, { paidAt: sentAt(), ...paying }), `payable charge ${txid}`),
    payToKey: (pixKey, amountCents, txid) =>
      atBank(bank.payToKey(pixKey, amountCents, { paidAt: sentAt(), ...(txid !== undefined && { txid }) }), "such key"),
    endReturn: (endToEndId, id, how) => {
      const payment = getKnownPayment(endToEndId)
      const returned = payment.returns.find((one) => one.id === id)
      bank.returns.settle(payment, atBank(returned, `return ${id}`), how === "returned")
    },
    returnOutside: (endToEndId, amountCents, nature) => {
      const kind = nature.startsWith("MED_") ? "dispute" : "outside"
      return bank.returns.makeOutside(getKnownPayment(endToEndId), kind, amountCents, nature)
    },
    remove: (cnpj, txid) => void atBank(bank.removeCharge(cnpj as Cnpj, txid, "bank"), `charge ${txid}`),
    revokeTokens,
  }
}
