import type { LedgerRec } from "./RecurringLedger.ts"

/** The CPF or CNPJ of a recurrence's payer. */
export const readTaxId = ({ body }: LedgerRec): string =>
  body.vinculo.devedor["cpf"] ?? body.vinculo.devedor["cnpj"] ?? ""

/** The accounts of payers. */
export class Payers {
  /** Cents by CPF or CNPJ; without an entry there is enough. */
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

  /** Takes an amount from the payer's account; false if it isn't there. */
  debit(rec: LedgerRec, cents: number): boolean {
    const taxId = readTaxId(rec)
    const balance = this.#balances.get(taxId) ?? Number.POSITIVE_INFINITY
    if (balance < cents) return false
    if (this.#balances.has(taxId)) this.#balances.set(taxId, balance - cents)
    return true
  }
}
