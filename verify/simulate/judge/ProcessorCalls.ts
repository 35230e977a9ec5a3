import type { ChargeOrder, PaymentPage, PaymentSearch, RefundOrder } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import type { LedgerPayment, ReturnOrder } from "@pixcharge/simulated-bank"
import * as Effect from "effect/Effect"
import type { Changes } from "./Changes.ts"
import type { Comparisons } from "./Comparisons.ts"
import type { Evidence } from "./Evidence.ts"
import type { Expiries } from "./Expiries.ts"
import { ListWalks } from "./ListWalks.ts"
import type { Ask, Looks } from "./Looks.ts"
import { shortName } from "./names.ts"
import { orderRules } from "./ownerRules.ts"
import { processorRules, type SeenWord } from "./processorRules.ts"
import type { RefundCalls } from "./RefundCalls.ts"
import { Refusals } from "./Refusals.ts"
import type { Requests } from "./Requests.ts"
import { judge, type Rule, type Violation } from "./rules.ts"

interface Judging {
  /** Epoch milliseconds. */
  readonly world: { readonly now: number; readonly note: (actor: string, what: string) => void }
  readonly evidence: Evidence
  readonly requests: Requests
  readonly looks: Looks
  readonly expiries: Expiries
  readonly comparisons: Comparisons
  readonly refundCalls: RefundCalls
  readonly changes: Changes
  readonly report: (rule: Rule, what: string) => void
  readonly read: (check: Effect.Effect<void, unknown>) => void
  readonly reportAll: (found: ReadonlyArray<Violation>) => void
}

/** A minute, the clocks' difference and the time of a store call. */
const removalMs = 135_000
const usualWays = { creationAheadMs: 0, paymentsInCharges: true }

/** Judges the processes' calls to the bank, and the answers of their processors. */
export class ProcessorCalls {
  readonly #judging: Judging
  readonly #lists = new ListWalks()
  readonly #refusals = new Refusals()

  constructor(judging: Judging) {
    this.#judging = judging
  }

  readonly begin = (ask: Ask): void => {
    const { world, evidence, requests, looks, refundCalls, report, reportAll } = this.#judging
    looks.begin(ask)
    const { ledger, accounts } = evidence
    const order = ask.args[0] as RefundOrder
    const lookedAfter = refundCalls.findLooked(ask.caller, order)
    const hidesKey = refundCalls.hidesKey(ask.caller, order)
    reportAll(judge(orderRules, { ...ask, ledger, accounts, now: world.now, lookedAfter, hidesKey }))
    if (ask.method === "cancel") this.#judgeRemoval(ask.args[0] as Charge)
    if (ask.method === "change") this.#judgeSending(ask)
    if (ask.method !== "refund") return
    const wrong = refundCalls.judgeCall(order, world.now)
    if (!requests.hasForgotten(order.endToEndId)) for (const what of wrong) report("refusalsAreFinal", what)
  }

  readonly end = (word: Omit<SeenWord, "ledger" | "accounts" | "listsAfterMs" | "ways" | "now"> & Ask): void => {
    const { world, evidence, looks, refundCalls, expiries, comparisons, changes, report, reportAll } = this.#judging
    const { ledger, accounts, listsAfterMs, ways = usualWays } = evidence
    const { now } = world
    const seen: SeenWord = { ...word, ledger, accounts, listsAfterMs, ways, now }
    looks.end(word, word.failure === undefined, now)
    changes.recordAnswer(word, now)
    if (word.failure === undefined) {
      refundCalls.recordAnswer(word)
      expiries.recordAnswer(word)
    }
    if (word.method === "payments" && word.failure === undefined) {
      const [issuer, search, cursor] = word.args as readonly [Cnpj, PaymentSearch, string?]
      comparisons.read(issuer, search, cursor, word.answer as PaymentPage)
    }
    reportAll(judge(processorRules, seen))
    if (word.method === "payments") for (const what of this.#lists.missing(seen)) report("bankIsQuoted", what)
    this.#refusals.recordAnswer(seen)
  }

  #judgeSending(ask: Ask): void {
    const { world, changes, report } = this.#judging
    const { sendings } = changes
    for (const what of sendings.judge(ask)) report("termsStay", what)
    const { txid } = ask.args[0] as ChargeOrder
    if (sendings.resumes(ask)) world.note(ask.caller, `resumes the change of ${shortName(txid)}`)
  }

  /** If its process dies, a check finds the removal within minutes (decision 43). */
  #judgeRemoval({ issuer, id, txid }: Charge): void {
    const { world, evidence, read, report } = this.#judging
    const find = Effect.map(evidence.books.charge(issuer, id), (charge) => {
      const isLate = charge?._tag === "Pending" && (charge.checkAt ?? Infinity) > world.now + removalMs
      if (isLate) report("checksKeepTheirTime", `${shortName(txid)} is removed at the bank, and not checked soon`)
    })
    read(find)
  }

  /** Judges a return call that arrives at the bank. It must not arrive after its processor reported it as refused. */
  readonly arrive = ({ name }: { readonly name: string }, id: string, sentAt: number): void => {
    for (const what of this.#refusals.judgeArrival(name, id, sentAt)) this.#judging.report("bankIsQuoted", what)
  }

  readonly judgeReturnOrder = (payment: LedgerPayment, order: ReturnOrder): void =>
    this.#judging.reportAll(this.#judging.requests.judgeOrder(payment, order, this.#findTwins(payment)))

  #findTwins({ issuer, txid, endToEndId }: LedgerPayment): ReadonlyArray<LedgerPayment> {
    if (txid === undefined) return []
    const all = [...this.#judging.evidence.ledger.payments.values()]
    return all.filter((one) => one.issuer === issuer && one.txid === txid && one.endToEndId !== endToEndId)
  }
}
