import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import type { BankChance } from "../ledger/BankChance.ts"
import { chargeKey, type Ledger, type LedgerPayment } from "../ledger/Ledger.ts"
import {
  type Debit,
  emptyRecurringLedger,
  type Ending,
  type Journey,
  type LedgerCycle,
  type LedgerRec,
  type NoticeKind,
  type RecurringLedger,
} from "../ledger/RecurringLedger.ts"
import { dayAt, endOfDay, parseCents } from "../ledger/apiValues.ts"
import type { BankWays } from "../wire/BankOptions.ts"
import { Cycles, liveAttempt } from "./Cycles.ts"
import { Payers, readTaxId } from "./Payers.ts"
import { Recurrences } from "./Recurrences.ts"
import { cycleNotice, recNotice } from "./bodies.ts"

export interface RecurringHost {
  readonly ways: BankWays
  readonly chance: BankChance
  readonly ledger: Ledger
  readonly receive: (
    paid: Pick<LedgerPayment, "issuer" | "txid" | "pixKey" | "amountCents" | "paidAt" | "endToEndId" | "idRec">,
  ) => void
}

export interface Approving {
  /** By default, the request in the payer's bank if there is one, or else the code. */
  readonly journey?: Exclude<Journey, "JORNADA_3">
}

/**
 * Pix Automático at a bank: the recurrences, the charges of their cycles, and the payers. The methods throw if a payer's bank
 * would refuse the action.
 */
export class Recurring {
  readonly ledger: RecurringLedger = emptyRecurringLedger()
  readonly recurrences: Recurrences
  readonly cycles: Cycles
  /** Called after each change of a status, with the body for the company's webhook. */
  onNotice: (kind: NoticeKind, cnpj: string, body: unknown) => void = () => undefined
  readonly #chance: BankChance
  readonly #payers = new Payers()

  constructor({ ways, chance, ledger, receive }: RecurringHost) {
    this.#chance = chance
    this.recurrences = new Recurrences(this.ledger, chance)
    this.cycles = new Cycles({
      ledger: this.ledger,
      chance,
      payers: this.#payers,
      schedulingMs: () => ways.schedulingMs,
      receive: ({ txid, endToEndId, amountCents, idRec, at: paidAt }, { issuer }) =>
        receive({ issuer, txid, endToEndId, amountCents, idRec, paidAt, pixKey: "" }),
    })
    this.recurrences.onChange = (rec) => this.onNotice("rec", rec.issuer, { recs: [recNotice(rec)] })
    this.cycles.onChange = (cycle) => this.onNotice("cobr", cycle.issuer, { cobsr: [cycleNotice(cycle, ledger)] })
  }

  get debits(): ReadonlyArray<Debit> {
    this.catchUp()
    return this.cycles.debits
  }

  catchUp(): void {
    const now = this.#chance.now()
    this.cycles.catchUp(now)
    this.recurrences.expireRequests(now)
  }

  /** Runs all steps until the end of a day in Brasília, even if the bank's clock is earlier. */
  runDay(day: string): void {
    this.cycles.catchUp(endOfDay(day))
  }

  /** Epoch milliseconds of the next step. */
  nextAt(): number | undefined {
    return this.cycles.nextAt()
  }

  approve(idRec: string, { journey }: Approving = {}): void {
    const rec = this.#find(idRec, "CRIADA")
    const hasRequest = this.recurrences.findOpenRequest(rec) !== undefined
    if (journey === undefined && !hasRequest && rec.locationId === undefined) {
      throw new Error(`the payer can't see ${idRec}: it has neither a request nor a location`)
    }
    this.recurrences.approve(rec, journey ?? (hasRequest ? "JORNADA_1" : "JORNADA_2"))
  }

  /** Approves the recurrences of a paid immediate charge (journey 3). */
  approveByPayment(issuer: Cnpj, txid: string): void {
    for (const rec of this.ledger.recs.values()) {
      const isBound = rec.issuer === issuer && rec.firstTxid === txid && rec.status === "CRIADA"
      if (isBound) this.recurrences.approve(rec, "JORNADA_3")
    }
  }

  decline(idRec: string): void {
    this.recurrences.end(this.#find(idRec, "CRIADA"), "REJEITADA", { code: "AP14" })
  }

  /** Ends the recurrence and its later charges, as the payer does. */
  cancel(idRec: string): void {
    this.end(this.#find(idRec), { by: "USUARIO_PAGADOR", code: "SLDB" })
  }

  /** Expires a recurrence that isn't approved or whose time is over. */
  expire(idRec: string): void {
    this.recurrences.end(this.#find(idRec), "EXPIRADA")
  }

  end(rec: LedgerRec, ending: Required<Ending>): void {
    this.catchUp()
    this.recurrences.end(rec, "CANCELADA", ending)
    this.cycles.endAll(rec, { by: ending.by, code: "CCLD" })
  }

  /** Cancels a cycle's debit for the payer, until the end of the day before. */
  cancelDebit(issuer: string, txid: string): void {
    const cycle = this.#findCycle(issuer, txid)
    const attempt = liveAttempt(cycle)
    if (attempt === undefined || attempt.settlesOn <= dayAt(this.#chance.now())) {
      throw new Error(`no debit of ${txid} can be cancelled`)
    }
    this.cycles.cancel(cycle, { by: "USUARIO_PAGADOR", code: "SLBD" })
  }

  /** Sets the payer's limit for each cycle, which the company doesn't see. */
  setMaximum(idRec: string, cents: number): void {
    const rec = this.#find(idRec)
    const floor = rec.body.valor?.valorMinimoRecebedor
    if (floor !== undefined && cents < parseCents(floor)) throw new Error(`below the floor of ${floor}`)
    rec.maximumCents = cents as Cents
  }

  /** Makes the payer's bank reject the next order with this code, like `AB10`. */
  rejectNext(idRec: string, code: string): void {
    this.#find(idRec).nextRejection = code
  }

  /** Sets a payer's balance. `payer` is a recurrence's id, a CPF or a CNPJ. Undefined cents are unlimited. */
  setBalance(payer: string, cents?: number): void {
    this.catchUp()
    this.#payers.setBalance(this.#readPayer(payer), cents)
  }

  /** Closes a payer's account, which cancels scheduled debits and rejects new orders. */
  closeAccount(payer: string): void {
    this.catchUp()
    const taxId = this.#readPayer(payer)
    this.#payers.close(taxId)
    for (const cycle of this.ledger.cycles.values()) {
      const isScheduled = liveAttempt(cycle) !== undefined && readTaxId(cycle.rec) === taxId
      if (isScheduled) this.cycles.cancel(cycle, { by: "PSP_PAGADOR", code: "ACCT" })
    }
  }

  #readPayer(payer: string): string {
    const rec = this.ledger.recs.get(payer)
    return rec === undefined ? payer : readTaxId(rec)
  }

  #find(idRec: string, status?: "CRIADA"): LedgerRec {
    this.catchUp()
    const rec = this.ledger.recs.get(idRec)
    if (rec === undefined) throw new Error(`no recurrence ${idRec} at this bank`)
    const isOpen = rec.status === "CRIADA" || (rec.status === "APROVADA" && status === undefined)
    if (!isOpen) throw new Error(`the recurrence ${idRec} is ${rec.status}`)
    return rec
  }

  #findCycle(issuer: string, txid: string): LedgerCycle {
    this.catchUp()
    const cycle = this.ledger.cycles.get(chargeKey(issuer, txid))
    if (cycle === undefined) throw new Error(`no charge ${txid} of a cycle at this bank`)
    return cycle
  }
}
