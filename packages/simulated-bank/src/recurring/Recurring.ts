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

/** What recurrences need of the bank. */
export interface RecurringHost {
  readonly ways: BankWays
  readonly chance: BankChance
  readonly ledger: Ledger
  /** Books a payment that has its id. */
  readonly receive: (
    paid: Pick<LedgerPayment, "issuer" | "txid" | "pixKey" | "amountCents" | "paidAt" | "endToEndId" | "idRec">,
  ) => void
}

/** How a payer approves. */
export interface Approving {
  /** By default as the payer can see it: by a request of its bank, else by the code. */
  readonly journey?: Exclude<Journey, "JORNADA_3">
}

/**
 * Pix Automático at a bank: its recurrences, the charges of their cycles, and the payers who approve and pay them. Its
 * methods throw where a payer's bank would refuse.
 */
export class Recurring {
  readonly ledger: RecurringLedger = emptyRecurringLedger()
  readonly recurrences: Recurrences
  readonly cycles: Cycles
  /** Called after each change of a status, with what a webhook of the company is told. */
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

  /** Every debit that was carried out until now. */
  get debits(): ReadonlyArray<Debit> {
    this.catchUp()
    return this.cycles.debits
  }

  /** Takes all steps that are due by the bank's clock. */
  catchUp(): void {
    const now = this.#chance.now()
    this.cycles.catchUp(now)
    this.recurrences.expireRequests(now)
  }

  /** Takes all steps until the end of a day in Brasília, before the bank's clock is there. */
  runDay(day: string): void {
    this.cycles.catchUp(endOfDay(day))
  }

  /** The instant of the next step: epoch milliseconds. */
  nextAt(): number | undefined {
    return this.cycles.nextAt()
  }

  /** The payer approves. */
  approve(idRec: string, { journey }: Approving = {}): void {
    const rec = this.#find(idRec, "CRIADA")
    const hasRequest = this.recurrences.findOpenRequest(rec) !== undefined
    if (journey === undefined && !hasRequest && rec.locationId === undefined) {
      throw new Error(`the payer can't see ${idRec}: it has neither a request nor a location`)
    }
    this.recurrences.approve(rec, journey ?? (hasRequest ? "JORNADA_1" : "JORNADA_2"))
  }

  /** Approves the recurrences of an immediate charge that was paid (journey 3). */
  approveByPayment(issuer: Cnpj, txid: string): void {
    for (const rec of this.ledger.recs.values()) {
      const isBound = rec.issuer === issuer && rec.firstTxid === txid && rec.status === "CRIADA"
      if (isBound) this.recurrences.approve(rec, "JORNADA_3")
    }
  }

  /** The payer declines. */
  decline(idRec: string): void {
    this.recurrences.end(this.#find(idRec, "CRIADA"), "REJEITADA", { code: "AP14" })
  }

  /** The payer ends it; charges of later days fall with it. */
  cancel(idRec: string): void {
    this.end(this.#find(idRec), { by: "USUARIO_PAGADOR", code: "SLDB" })
  }

  /** It passes without an approval, or its time is over. */
  expire(idRec: string): void {
    this.recurrences.end(this.#find(idRec), "EXPIRADA")
  }

  /** Ends it for its company or its payer. */
  end(rec: LedgerRec, ending: Required<Ending>): void {
    this.catchUp()
    this.recurrences.end(rec, "CANCELADA", ending)
    this.cycles.endAll(rec, { by: ending.by, code: "CCLD" })
  }

  /** The payer cancels the debit of a cycle, until the end of the day before. */
  cancelDebit(issuer: string, txid: string): void {
    const cycle = this.#findCycle(issuer, txid)
    const attempt = liveAttempt(cycle)
    if (attempt === undefined || attempt.settlesOn <= dayAt(this.#chance.now())) {
      throw new Error(`no debit of ${txid} can be cancelled`)
    }
    this.cycles.cancel(cycle, { by: "USUARIO_PAGADOR", code: "SLBD" })
  }

  /** The payer allows no more than this for each cycle; nobody tells the company. */
  setMaximum(idRec: string, cents: number): void {
    const rec = this.#find(idRec)
    const floor = rec.body.valor?.valorMinimoRecebedor
    if (floor !== undefined && cents < parseCents(floor)) throw new Error(`below the floor of ${floor}`)
    rec.maximumCents = cents as Cents
  }

  /** The payer's bank rejects the next order of a recurrence with this code, like `AB10`. */
  rejectNext(idRec: string, code: string): void {
    this.#find(idRec).nextRejection = code
  }

  /** Sets the balance of a payer, named by a recurrence or by CPF or CNPJ; undefined: enough for everything. */
  setBalance(payer: string, cents?: number): void {
    this.catchUp()
    this.#payers.setBalance(this.#readPayer(payer), cents)
  }

  /** The payer's account ends: what is scheduled is cancelled, and new orders are rejected. */
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
