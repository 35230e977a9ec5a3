import { hash } from "node:crypto"
import type { RecurrenceProcessor } from "@pixcharge/core/recurring"
import { brasiliaDate } from "@pixcharge/core/calendar"
import { chargeTxid } from "@pixcharge/core/charges"
import type { RecurrencePlay, RecurrenceSimulator } from "@pixcharge/core/internal"
import type { EndedBy, Recurrence, RecurrenceView } from "@pixcharge/core/recurrence"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { sandboxRecurrenceCode } from "./SandboxCode.ts"
import type { SandboxMemory } from "./SandboxMemory.ts"
import { alphanumeric, sandboxIspb } from "./SandboxPayment.ts"
import { RecurrenceMemory, type RememberedRecurrence } from "./RecurrenceMemory.ts"
import { reject, SandboxDebits } from "./SandboxDebits.ts"

/** The id depends only on the recurrence's terms, so it stays the same after a restart. */
const makeBankId = ({ issuer, contract, retries, createdAt }: Recurrence): string => {
  const day = brasiliaDate(createdAt).replaceAll("-", "")
  const letter = retries === "none" ? "N" : "R"
  return `R${letter}${sandboxIspb}${day}${alphanumeric(hash("sha256", `${issuer}/${contract}`).slice(0, 16))}`
}

const statusAfterRestart = { Offered: "offered", Approved: "approved", Ending: "approved" } as const

/** Restores a recurrence from before a restart from the books. */
const recall = (terms: Recurrence): RememberedRecurrence | undefined => {
  if (terms._tag === "Requested" || terms._tag === "Ended" || terms.bankId === undefined) return undefined
  return { terms, view: { bankId: terms.bankId, status: statusAfterRestart[terms._tag] }, outcomes: [] }
}

const hasEnded = ({ view }: RememberedRecurrence): boolean =>
  view.status === "declined" || view.status === "expired" || view.status === "cancelled"

type Port = RecurrenceProcessor["Service"]
type Simulator = RecurrenceSimulator["Service"]

export const sandboxRecurrences = (memory: SandboxMemory): Port & Simulator => {
  const recurrences = new RecurrenceMemory()
  const debits = new SandboxDebits(memory, recurrences)
  return { ...debits, ...new SandboxRecurrences(memory, recurrences, debits) }
}

/**
 * The recurrences at the sandbox's bank. Each call first expires or approves an offer, if its time or a payment has
 * come.
 */
class SandboxRecurrences {
  readonly #memory: SandboxMemory
  readonly #recurrences: RecurrenceMemory
  readonly #debits: SandboxDebits

  constructor(memory: SandboxMemory, recurrences: RecurrenceMemory, debits: SandboxDebits) {
    this.#memory = memory
    this.#recurrences = recurrences
    this.#debits = debits
  }

  readonly offer: Port["offer"] = ({ company, recurrence }) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const known = this.#find(recurrence, now)
      if (known !== undefined) return known.view
      const brCode = sandboxRecurrenceCode(company, recurrence)
      const view = { bankId: makeBankId(recurrence), status: "offered", at: now, ...(brCode && { brCode }) } as const
      this.#recurrences.remember({ terms: recurrence, view, outcomes: [] })
      return view
    })

  readonly lookup: Port["lookup"] = (recurrence) =>
    Effect.map(Clock.currentTimeMillis, (now) => this.#find(recurrence, now)?.view)

  readonly end: Port["end"] = Effect.fnUntraced({ self: this }, function* (recurrence: Recurrence) {
    const now = yield* Clock.currentTimeMillis
    const known = this.#find(recurrence, now)
    if (known === undefined) return yield* reject("end", "the recurrence is unknown")
    return (hasEnded(known) ? known : this.#cancel(known, "company", "SLCR", now)).view
  })

  readonly play: Simulator["play"] = (recurrence, played) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const known = this.#find(recurrence, now)
      const after = known && !hasEnded(known) ? this.#act(known, played, now) : undefined
      if (after !== undefined) this.#recurrences.remember(after)
      return after !== undefined
    })

  readonly authorisedBy: Simulator["authorisedBy"] = (issuer, chargeId) =>
    Effect.sync(() => this.#recurrences.paidBy(issuer, chargeId).map(({ view }) => view.bankId))

  readonly playDebit: Simulator["playDebit"] = (recurrence, outcome) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const isOpen = this.#debits.hasActiveDebit(recurrence.issuer, recurrence.contract, now)
      const known = this.#find(recurrence, now)
      if (known === undefined || (hasEnded(known) && !isOpen)) return false
      this.#recurrences.remember({ ...known, outcomes: [...known.outcomes, outcome] })
      return true
    })

  #find(terms: Recurrence, now: number): RememberedRecurrence | undefined {
    const known = this.#recurrences.recurrence(terms.issuer, terms.contract) ?? recall(terms)
    if (known === undefined) return undefined
    this.#recurrences.remember(known)
    return this.#age(known, now)
  }

  #age(known: RememberedRecurrence, now: number): RememberedRecurrence {
    const { issuer, journey } = known.terms
    if (known.view.status !== "offered") return known
    if (journey.by === "bank" && now >= journey.until)
      return this.#move(known, { status: "expired", at: journey.until })
    if (journey.by !== "payment" || journey.dueDate !== undefined) return known
    const payment = this.#memory.charge(issuer, chargeTxid(issuer, journey.chargeId))?.payments[0]
    return payment === undefined ? known : this.#move(known, { status: "approved", at: payment.paidAt })
  }

  /** Undefined if the act is no longer possible. */
  #act(known: RememberedRecurrence, play: RecurrencePlay, now: number): RememberedRecurrence | undefined {
    if (typeof play !== "string") return { ...known, maximumCents: play.maximumCents }
    if (play === "cancel") return this.#cancel(known, "payer", "SLDB", now)
    if (play === "expire") return this.#move(known, { status: "expired", at: now })
    if (known.view.status !== "offered") return play === "approve" ? known : undefined
    return play === "approve"
      ? this.#move(known, { status: "approved", at: now })
      : this.#move(known, { status: "declined", at: now, by: "payer", code: "AP14" })
  }

  #cancel(known: RememberedRecurrence, by: EndedBy, code: string, now: number): RememberedRecurrence {
    this.#debits.cancelAll(known.terms.issuer, known.terms.contract, by, now)
    return this.#move(known, { status: "cancelled", at: now, by, code })
  }

  #move(known: RememberedRecurrence, view: Omit<RecurrenceView, "bankId">): RememberedRecurrence {
    const moved = { ...known, view: { ...known.view, ...view } }
    this.#recurrences.remember(moved)
    return moved
  }
}
