import { hash } from "node:crypto"
import { ProcessorRejected } from "@pixcharge/core"
import type { RecurrenceProcessor } from "@pixcharge/core/recurring"
import { brasiliaDate } from "@pixcharge/core/calendar"
import { chargeTxid } from "@pixcharge/core/charges"
import type { RecurrencePlay, RecurrenceSimulator } from "@pixcharge/core/internal"
import type { EndedBy, Recurrence, RecurrenceView } from "@pixcharge/core/recurrence"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { sandboxRecurrenceCode } from "../SandboxCode.ts"
import type { SandboxMemory } from "../SandboxMemory.ts"
import { alphanumeric, sandboxIspb } from "../SandboxPayment.ts"
import { makeRecurrenceMemory, type RememberedRecurrence } from "./RecurrenceMemory.ts"
import { makeSandboxDebits } from "./SandboxDebits.ts"

/** The id has the form of a real one, and follows from company and contract alone. */
const makeBankId = ({ issuer, contract, retries, createdAt }: Recurrence): string => {
  const day = brasiliaDate(createdAt).replaceAll("-", "")
  const letter = retries === "none" ? "N" : "R"
  return `R${letter}${sandboxIspb}${day}${alphanumeric(hash("sha256", `${issuer}/${contract}`).slice(0, 16))}`
}

const statusAfterRestart = { Offered: "offered", Approved: "approved", Ending: "approved" } as const

/** One from before this memory goes by the books. */
const recall = (terms: Recurrence): RememberedRecurrence | undefined => {
  if (terms._tag === "Requested" || terms._tag === "Ended" || terms.bankId === undefined) return undefined
  return { terms, view: { bankId: terms.bankId, status: statusAfterRestart[terms._tag] }, outcomes: [] }
}

const final = new Set<RecurrenceView["status"]>(["declined", "expired", "cancelled"])

/** Recurrences and debits at the sandbox's bank, and the payer who is played. */
export const sandboxRecurrences = (
  memory: SandboxMemory,
): RecurrenceProcessor["Service"] & RecurrenceSimulator["Service"] => {
  const recurrences = makeRecurrenceMemory()
  const debits = makeSandboxDebits(memory, recurrences)

  const move = (known: RememberedRecurrence, view: Omit<RecurrenceView, "bankId">): RememberedRecurrence => {
    const moved = { ...known, view: { ...known.view, ...view } }
    recurrences.remember(moved)
    return moved
  }

  /** What time, and a payment that authorises, have made of an offer by now. */
  const age = (known: RememberedRecurrence, now: number): RememberedRecurrence => {
    const { issuer, journey } = known.terms
    if (known.view.status !== "offered") return known
    if (journey.by === "bank" && now >= journey.until) return move(known, { status: "expired", at: journey.until })
    if (journey.by !== "payment" || journey.dueDate !== undefined) return known
    const payment = memory.charge(issuer, chargeTxid(issuer, journey.chargeId))?.payments[0]
    return payment === undefined ? known : move(known, { status: "approved", at: payment.paidAt })
  }

  const find = (terms: Recurrence, now: number): RememberedRecurrence | undefined => {
    const known = recurrences.recurrence(terms.issuer, terms.contract) ?? recall(terms)
    if (known === undefined) return undefined
    recurrences.remember(known)
    return age(known, now)
  }

  const offer: RecurrenceProcessor["Service"]["offer"] = ({ company, recurrence }) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const known = find(recurrence, now)
      if (known !== undefined) return known.view
      const brCode = sandboxRecurrenceCode(company, recurrence)
      const view = { bankId: makeBankId(recurrence), status: "offered", at: now, ...(brCode && { brCode }) } as const
      recurrences.remember({ terms: recurrence, view, outcomes: [] })
      return view
    })

  const cancel = (known: RememberedRecurrence, by: EndedBy, code: string, now: number): RememberedRecurrence => {
    debits.cancelAll(known.terms.issuer, known.terms.contract, by, now)
    return move(known, { status: "cancelled", at: now, by, code })
  }

  const end: RecurrenceProcessor["Service"]["end"] = (recurrence) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const known = find(recurrence, now)
      if (known === undefined) {
        return Effect.fail(new ProcessorRejected({ operation: "end", reason: Redacted.make("it is unknown") }))
      }
      return Effect.succeed((final.has(known.view.status) ? known : cancel(known, "company", "SLCR", now)).view)
    })

  const act = (known: RememberedRecurrence, play: RecurrencePlay, now: number): RememberedRecurrence | undefined => {
    const { status } = known.view
    if (typeof play !== "string") return { ...known, maximumCents: play.maximumCents }
    if (play === "cancel") return cancel(known, "payer", "SLDB", now)
    if (play === "expire") return move(known, { status: "expired", at: now })
    if (status !== "offered") return play === "approve" ? known : undefined
    return play === "approve"
      ? move(known, { status: "approved", at: now })
      : move(known, { status: "declined", at: now, by: "payer", code: "AP14" })
  }

  const play: RecurrenceSimulator["Service"]["play"] = (recurrence, played) =>
    Effect.map(Clock.currentTimeMillis, (now) => {
      const known = find(recurrence, now)
      const after = known && !final.has(known.view.status) ? act(known, played, now) : undefined
      if (after !== undefined) recurrences.remember(after)
      return after !== undefined
    })

  return {
    offer,
    lookup: (recurrence) => Effect.map(Clock.currentTimeMillis, (now) => find(recurrence, now)?.view),
    end,
    charge: debits.charge,
    lookupCharge: debits.lookupCharge,
    cancelCharge: debits.cancelCharge,
    retry: debits.retry,
    play,
    authorisedBy: (issuer, chargeId) =>
      Effect.sync(() => recurrences.paidBy(issuer, chargeId).map(({ view }) => view.bankId)),
    playDebit: (recurrence, outcome) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const isOpen = debits.settleAll(recurrence.issuer, recurrence.contract, now)
        const known = find(recurrence, now)
        if (known === undefined || (final.has(known.view.status) && !isOpen)) return false
        recurrences.remember({ ...known, outcomes: [...known.outcomes, outcome] })
        return true
      }),
  }
}
