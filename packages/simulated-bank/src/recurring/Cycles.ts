import type { LocalDate } from "@pixcharge/core/calendar"
import type { BankChance } from "../ledger/BankChance.ts"
import { chargeKey } from "../ledger/Ledger.ts"
import {
  type AttemptStatus,
  type CycleBody,
  type CycleStatus,
  type Debit,
  type Ending,
  type LedgerAttempt,
  type LedgerCycle,
  type LedgerRec,
  move,
  type RecurringLedger,
} from "../ledger/RecurringLedger.ts"
import { addDays, businessDayFrom, dayAt, findCycle, instantOn, parseCents } from "../ledger/apiValues.ts"
import { findRejection, isFatal, lastRetryDay, maxRetries, type Payers } from "./Payers.ts"

/** The hours in Brasília of a day's two attempts, and of the end of its attempts. */
const [morning, evening, endOfAttempts] = [3, 19, 21]
/** The hour until which a company can cancel on the day before a debit. */
const cancelHour = 22

interface Step {
  /** Epoch milliseconds. */
  readonly at: number
  readonly take: (at: number) => void
}

export interface CyclesOptions {
  readonly ledger: RecurringLedger
  readonly chance: BankChance
  readonly payers: Payers
  /** Milliseconds from an order until it is scheduled. */
  readonly schedulingMs: () => number
  readonly receive: (debit: Debit, cycle: LedgerCycle) => void
}

/** The attempt that can still debit the payer. */
export const liveAttempt = ({ attempts }: LedgerCycle): LedgerAttempt | undefined =>
  attempts.find(({ status }) => status === "SOLICITADA" || status === "AGENDADA")

export class Cycles {
  readonly #bank: CyclesOptions
  readonly #unfinished = new Set<LedgerCycle>()
  readonly debits: Array<Debit> = []
  /** Called after each change of a status. */
  onChange: (cycle: LedgerCycle) => void = () => undefined

  constructor(bank: CyclesOptions) {
    this.#bank = bank
  }

  /** A charge that blocks further charges in the cycle of a due date. */
  findRival(rec: LedgerRec, dueDate: string): LedgerCycle | undefined {
    const { dataInicial, periodicidade } = rec.body.calendario
    const wantedCycle = findCycle(dataInicial, periodicidade, dueDate)
    return this.findCycles(rec).find(
      ({ cycle, status }) => cycle === wantedCycle && status !== "REJEITADA" && status !== "CANCELADA",
    )
  }

  findCycles(rec: LedgerRec): ReadonlyArray<LedgerCycle> {
    return [...this.#bank.ledger.cycles.values()].filter((one) => one.rec === rec)
  }

  create(rec: LedgerRec, txid: string, body: CycleBody): LedgerCycle {
    const { dataInicial, dataFinal, periodicidade } = rec.body.calendario
    const dueDate = body.calendario.dataDeVencimento
    const at = this.#bank.chance.now()
    const status = "CRIADA"
    const cycle: LedgerCycle = {
      issuer: rec.issuer,
      txid,
      rec,
      cycle: dueDate > (dataFinal ?? dueDate) ? undefined : findCycle(dataInicial, periodicidade, dueDate),
      body,
      amountCents: parseCents(body.valor.original),
      dueDate,
      settlesOn: body.ajusteDiaUtil === false ? dueDate : businessDayFrom(dueDate),
      createdAt: at,
      status,
      changes: [{ status, at }],
      attempts: [],
    }
    this.#bank.ledger.cycles.set(chargeKey(rec.issuer, txid), cycle)
    this.#unfinished.add(cycle)
    this.onChange(cycle)
    return cycle
  }

  add(cycle: LedgerCycle): void {
    move(cycle, "ATIVA", this.#bank.chance.now())
    this.#order(cycle, "AGND", cycle.settlesOn)
  }

  retry(cycle: LedgerCycle, on: LocalDate): void {
    this.#order(cycle, "NTAG", on)
  }

  #order(cycle: LedgerCycle, kind: LedgerAttempt["kind"], settlesOn: LocalDate): void {
    const at = this.#bank.chance.now()
    const status = "SOLICITADA"
    const endToEndId = this.#bank.chance.id("E", at)
    cycle.attempts.push({ kind, settlesOn, endToEndId, status, changes: [{ status, at }], tries: 0 })
    this.onChange(cycle)
  }

  isCancellable({ status, settlesOn }: LedgerCycle): boolean {
    return (
      (status === "CRIADA" || status === "ATIVA") &&
      this.#bank.chance.now() < instantOn(addDays(settlesOn, -1), cancelHour)
    )
  }

  cancel(cycle: LedgerCycle, ending: Ending): void {
    const now = this.#bank.chance.now()
    const attempt = liveAttempt(cycle)
    if (attempt !== undefined) move(attempt, "CANCELADA", now)
    this.#close(cycle, "CANCELADA", now, ending)
  }

  /** Cancels the charges of an ended recurrence. A debit of today still happens. */
  endAll(rec: LedgerRec, ending: Ending): void {
    const today = dayAt(this.#bank.chance.now())
    for (const cycle of this.findCycles(rec)) {
      if (this.#unfinished.has(cycle) && liveAttempt(cycle)?.settlesOn !== today) this.cancel(cycle, ending)
    }
  }

  /** Epoch milliseconds of the next step. */
  nextAt(): number | undefined {
    return this.#nextStep()?.at
  }

  /** Runs the due steps in order of time. */
  catchUp(until: number): void {
    for (let step = this.#nextStep(); step !== undefined && step.at <= until; step = this.#nextStep()) {
      step.take(step.at)
    }
  }

  #nextStep(): Step | undefined {
    let next: Step | undefined
    for (const cycle of this.#unfinished) {
      const step = this.#stepFor(cycle)
      if (step !== undefined && step.at < (next?.at ?? Number.POSITIVE_INFINITY)) next = step
    }
    return next
  }

  #stepFor(cycle: LedgerCycle): Step | undefined {
    if (cycle.status !== "ATIVA") return undefined
    const attempt = liveAttempt(cycle)
    if (attempt === undefined) return { at: this.#closesAt(cycle), take: (at) => this.#close(cycle, "EXPIRADA", at) }
    if (attempt.status === "SOLICITADA") {
      const at = (attempt.changes[0]?.at ?? 0) + this.#bank.schedulingMs()
      return { at, take: () => this.#schedule(cycle, attempt, at) }
    }
    const hour = [morning, evening, endOfAttempts][attempt.tries] ?? endOfAttempts
    return { at: instantOn(attempt.settlesOn, hour), take: (at) => this.#attempt(cycle, attempt, at) }
  }

  /** The end of the charge's last payable day. */
  #closesAt(cycle: LedgerCycle): number {
    const { settlesOn, rec } = cycle
    const attempts = cycle.attempts.filter(({ status }) => status !== "REJEITADA")
    const retries = attempts.filter(({ kind }) => kind === "NTAG").length
    const isRetryable =
      rec.body.politicaRetentativa === "PERMITE_3R_7D" && rec.status === "APROVADA" && retries < maxRetries
    const lastDay = attempts.map((one) => one.settlesOn).reduce((a, b) => (a > b ? a : b), settlesOn)
    const retryDay = lastRetryDay(cycle)
    return instantOn(isRetryable && retryDay > lastDay ? retryDay : lastDay, endOfAttempts)
  }

  #schedule(cycle: LedgerCycle, attempt: LedgerAttempt, at: number): void {
    const rejection = findRejection(cycle, attempt, this.#bank.payers)
    if (rejection === undefined) return this.#moveAttempt(cycle, attempt, "AGENDADA", at)
    attempt.rejection = rejection
    move(attempt, "REJEITADA", at)
    if (isFatal(rejection)) this.#close(cycle, "REJEITADA", at, { code: rejection })
    else this.onChange(cycle)
  }

  /** Debits the payer, or gives up at the day's end. */
  #attempt(cycle: LedgerCycle, attempt: LedgerAttempt, at: number): void {
    if (attempt.tries === 2) return this.#moveAttempt(cycle, attempt, "EXPIRADA", at)
    attempt.tries += 1
    if (!this.#bank.payers.debit(cycle.rec, cycle.amountCents)) return
    const { rec, txid, amountCents, dueDate } = cycle
    const { endToEndId } = attempt
    const debit = { idRec: rec.idRec, cycle: cycle.cycle ?? 0, txid, endToEndId, amountCents, dueDate, at }
    this.debits.push(debit)
    this.#bank.receive(debit, cycle)
    move(attempt, "PAGA", at)
    this.#close(cycle, "CONCLUIDA", at)
  }

  #moveAttempt(cycle: LedgerCycle, attempt: LedgerAttempt, status: AttemptStatus, at: number): void {
    move(attempt, status, at)
    this.onChange(cycle)
  }

  #close(cycle: LedgerCycle, status: CycleStatus, at: number, ending?: Ending): void {
    this.#unfinished.delete(cycle)
    if (ending !== undefined) cycle.ending = ending
    move(cycle, status, at)
    this.onChange(cycle)
  }
}
