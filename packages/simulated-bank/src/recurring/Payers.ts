import type { LocalDate } from "@pixcharge/core/calendar"
import type { LedgerAttempt, LedgerCycle, LedgerRec } from "../ledger/RecurringLedger.ts"
import { addDays, dayAt, daysBetween, parseCents } from "../ledger/apiValues.ts"

export const readTaxId = ({ body }: LedgerRec): string =>
  body.vinculo.devedor["cpf"] ?? body.vinculo.devedor["cnpj"] ?? ""

export class Payers {
  /** Each payer's cents by CPF or CNPJ. A payer without an entry has no limit. */
  readonly #balances = new Map<string, number>()
  readonly #closed = new Set<string>()

  setBalance(taxId: string, cents: number | undefined): void {
    if (cents === undefined) this.#balances.delete(taxId)
    else this.#balances.set(taxId, cents)
  }

  close(taxId: string): void {
    this.#closed.add(taxId)
  }

  hasClosed(rec: LedgerRec): boolean {
    return this.#closed.has(readTaxId(rec))
  }

  /** Withdraws from the payer's balance. False if the balance is too low. */
  debit(rec: LedgerRec, cents: number): boolean {
    const taxId = readTaxId(rec)
    const balance = this.#balances.get(taxId) ?? Number.POSITIVE_INFINITY
    if (balance < cents) return false
    if (this.#balances.has(taxId)) this.#balances.set(taxId, balance - cents)
    return true
  }
}

export const maxRetries = 3

/** The last possible day of a new attempt. */
export const lastRetryDay = ({ dueDate, rec }: LedgerCycle): LocalDate =>
  addDays(dueDate, rec.body.calendario.periodicidade === "SEMANAL" ? 5 : 7)

const fatal = new Set(["AC05", "AM09", "DENC", "DS27", "DTED", "MIDI", "MSUC", "NITX", "RC09"])

export const isFatal = (code: string): boolean => fatal.has(code)

/** True if the charge was made 10 to 2 days before its settlement. */
const isInWindow = ({ createdAt, settlesOn }: LedgerCycle): boolean => {
  const ahead = daysBetween(dayAt(createdAt), settlesOn)
  return ahead >= 2 && ahead <= 10
}

const findFirstRejection = (cycle: LedgerCycle): string | undefined => {
  const { rec, amountCents } = cycle
  const fixed = rec.body.valor?.valorRec
  if (rec.status !== "APROVADA") return "MSUC"
  if (cycle.cycle === undefined) return "DTED"
  if (fixed !== undefined && amountCents !== parseCents(fixed)) return "AM09"
  return isInWindow(cycle) ? undefined : "FBRD"
}

const findRetryRejection = (cycle: LedgerCycle, { settlesOn }: LedgerAttempt): string | undefined =>
  settlesOn > lastRetryDay(cycle) ? "DTNT" : undefined

/** The rejection's code (pain.014); undefined if the payer's bank schedules the order. */
export const findRejection = (cycle: LedgerCycle, attempt: LedgerAttempt, payers: Payers): string | undefined => {
  const { nextRejection } = cycle.rec
  delete cycle.rec.nextRejection
  if (nextRejection !== undefined) return nextRejection
  if (payers.hasClosed(cycle.rec)) return "AC05"
  const rejection = attempt.kind === "AGND" ? findFirstRejection(cycle) : findRetryRejection(cycle, attempt)
  return rejection ?? (cycle.amountCents > (cycle.rec.maximumCents ?? cycle.amountCents) ? "AM02" : undefined)
}
