import type { SimulatedBank } from "../SimulatedBank.ts"
import type { LedgerCycle, LedgerRec } from "../ledger/RecurringLedger.ts"
import { dayAt } from "../ledger/apiValues.ts"
import { readNotice, Refused } from "./BankCounter.ts"

const readCents = (query: URLSearchParams): number | undefined => {
  const amount = query.get("amountCents")
  if (amount === null) return undefined
  if (/^\d{1,9}$/.test(amount)) return Number(amount)
  throw new Refused(`amountCents takes whole centavos, not ${amount}`)
}

const showRec = ({ idRec, status, body, maximumCents }: LedgerRec) => ({
  idRec,
  contract: body.vinculo["contrato"],
  status,
  ...(maximumCents !== undefined && { maximumCents }),
})

const showCycle = ({ txid, rec, dueDate, amountCents, status, attempts }: LedgerCycle) => ({
  txid,
  idRec: rec.idRec,
  dueDate,
  amountCents,
  status,
  attempts: attempts.map(({ settlesOn, status: how, rejection }) => ({
    on: settlesOn,
    status: how,
    ...(rejection !== undefined && { code: rejection }),
  })),
})

export class RecurringCounter {
  readonly #bank: SimulatedBank

  constructor(bank: SimulatedBank) {
    this.#bank = bank
  }

  /** The recurrence with the given `idRec` or contract; by default the last recurrence. */
  #find(query: URLSearchParams): LedgerRec {
    const recs = [...this.#bank.recurring.ledger.recs.values()]
    const name = query.get("recurrence")
    const found = recs.findLast(({ idRec, body }) => {
      if (name === null || name === idRec) return true
      return body.vinculo["contrato"] === name || body.vinculo["contrato"] === name.replaceAll("-", "")
    })
    if (found !== undefined) return found
    throw new Refused(
      name === null ? "there is no recurrence yet: offer one first" : "there is no such recurrence: GET / lists them",
    )
  }

  /** Waits until the host has been notified. Refuses an act that a payer's bank would refuse. */
  async #act(act: () => object): Promise<object> {
    const { webhooks, recurring } = this.#bank
    const before = webhooks.sent.length
    try {
      const result = act()
      await webhooks.idle()
      return { ...result, webhook: readNotice(this.#bank, before, recurring.ledger.webhooks.size) }
    } catch (error) {
      throw error instanceof Refused ? error : new Refused(error instanceof Error ? error.message : String(error))
    }
  }

  #onRec(query: URLSearchParams, act: (idRec: string) => void): Promise<object> {
    return this.#act(() => {
      const rec = this.#find(query)
      act(rec.idRec)
      return showRec(rec)
    })
  }

  approve(query: URLSearchParams): Promise<object> {
    return this.#onRec(query, (idRec) => this.#bank.recurring.approve(idRec))
  }

  decline(query: URLSearchParams): Promise<object> {
    return this.#onRec(query, (idRec) => this.#bank.recurring.decline(idRec))
  }

  cancel(query: URLSearchParams): Promise<object> {
    return this.#onRec(query, (idRec) => this.#bank.recurring.cancel(idRec))
  }

  expire(query: URLSearchParams): Promise<object> {
    return this.#onRec(query, (idRec) => this.#bank.recurring.expire(idRec))
  }

  maximum(query: URLSearchParams): Promise<object> {
    return this.#onRec(query, (idRec) => {
      const cents = readCents(query)
      if (cents === undefined) throw new Refused("which maximum? /maximum?amountCents=<n>")
      this.#bank.recurring.setMaximum(idRec, cents)
    })
  }

  balance(query: URLSearchParams): Promise<object> {
    return this.#onRec(query, (idRec) => this.#bank.recurring.setBalance(idRec, readCents(query)))
  }

  /** Runs the debits of a day; by default the next day with a due debit. */
  day(query: URLSearchParams): Promise<object> {
    return this.#act(() => {
      const { recurring } = this.#bank
      const next = recurring.nextAt()
      const day = query.get("date") ?? (next === undefined ? undefined : dayAt(next))
      if (day === undefined) throw new Refused("no debit is scheduled: charge a cycle first")
      if (!/^\d{4}-\d\d-\d\d$/.test(day)) throw new Refused(`date takes a day like 2026-12-10, not ${day}`)
      const before = recurring.debits.length
      recurring.runDay(day)
      return { day, debits: recurring.debits.slice(before) }
    })
  }

  show(): object {
    const { ledger } = this.#bank.recurring
    return {
      recurrences: [...ledger.recs.values()].map(showRec),
      cycles: [...ledger.cycles.values()].map(showCycle),
    }
  }
}
