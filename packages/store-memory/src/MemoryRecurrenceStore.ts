import { currentActor } from "@pixcharge/core"
import {
  maxOpenCharges,
  maxRecurrenceCheckMs,
  type RecurrenceChange,
  type RecurrenceStore,
} from "@pixcharge/core/recurring"
import {
  type CycleCharge,
  isCycleCharge,
  isFailed,
  isSoughtName,
  type PendingCharge,
  readSoughtText,
} from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import { freesCycle, type Recurrence, type RecurrenceId, type RecurrenceTerms } from "@pixcharge/core/recurrence"
import * as Effect from "effect/Effect"
import type { Deliveries } from "./Deliveries.ts"
import { findEarliest } from "./findEarliest.ts"
import type { Audit } from "./MemoryAudit.ts"
import type { MemoryState, RecurrenceRow } from "./MemoryState.ts"
import { readPage } from "./readPage.ts"
import { storing } from "./storing.ts"

type Port = RecurrenceStore["Service"]

const isOpen = (charge: CycleCharge): charge is CycleCharge<PendingCharge> =>
  charge._tag === "Pending" && !isFailed(charge)

const cyclePlace = ({ cycle }: CycleCharge): number => cycle.cycle * 1_000 + cycle.generation

const matchesText = ({ id, contract, payer }: Recurrence, text: string): boolean => {
  const sought = readSoughtText(text)
  const { ids, payerTaxId } = sought
  return (
    contract === text.trim() ||
    (ids !== undefined && ids.first <= id && id <= ids.last) ||
    (payer !== undefined && (payer.taxId === payerTaxId || isSoughtName(payer.name, sought)))
  )
}

const terms: Readonly<Record<keyof RecurrenceTerms, true>> = {
  issuer: true,
  id: true,
  contract: true,
  title: true,
  payer: true,
  payerErasedAt: true,
  period: true,
  startDate: true,
  endDate: true,
  amountCents: true,
  floorCents: true,
  retries: true,
  retryOn: true,
  journey: true,
  createdAt: true,
}

/** Keeps the stored terms: an erased payer stays erased. */
const keepTerms = (stored: Recurrence, next: Recurrence): Recurrence => {
  const kept = { ...next }
  for (const field of Object.keys(terms)) {
    if (Object.hasOwn(stored, field)) Reflect.set(kept, field, Reflect.get(stored, field))
    else Reflect.deleteProperty(kept, field)
  }
  return kept
}

export const recurrenceDueAt = ({ checkAt = NaN }: RecurrenceRow, now: number): number | undefined =>
  checkAt <= now || checkAt > now + maxRecurrenceCheckMs ? checkAt : undefined

/** Raises the version: a check under way can't replace the time of this check. */
const makeDue = (row: RecurrenceRow, checkAt: number | undefined): void => {
  row.checkAt = checkAt
  row.recurrence = { ...row.recurrence, version: row.recurrence.version + 1 }
}

export class MemoryRecurrenceStore implements Port {
  readonly #state: MemoryState
  readonly #outbox: Deliveries
  readonly #audit: Audit

  constructor(state: MemoryState, outbox: Deliveries, audit: Audit) {
    this.#state = state
    this.#outbox = outbox
    this.#audit = audit
  }

  readonly insert: Port["insert"] = (recurrence, checkAt, change) =>
    Effect.flatMap(currentActor, (by) =>
      storing("insert", { recurrence, checkAt }, () => {
        const { issuer, id, contract } = recurrence
        const rows = this.#rows(issuer)
        const known = rows.get(id)
        if (known !== undefined) return { _tag: "Exists" as const, recurrence: known.recurrence }
        const isTaken = [...rows.values()].some((row) => row.recurrence.contract === contract)
        if (isTaken) return { _tag: "ContractTaken" as const }
        rows.set(id, { recurrence, checkAt })
        if (change !== undefined) this.#audit.append(issuer, by, [change])
        return { _tag: "Inserted" as const }
      }),
    )

  readonly find: Port["find"] = (issuer, id) => Effect.sync(() => this.#rows(issuer).get(id)?.recurrence)

  readonly bankIdsOfOthers: Port["bankIdsOfOthers"] = (issuer, contract) =>
    Effect.sync(() =>
      [...this.#state.companies.values()]
        .flatMap(({ recurrences }) => Array.from(recurrences.values(), ({ recurrence }) => recurrence))
        .filter((one) => one.contract === contract && one.issuer !== issuer)
        .flatMap((one) => ("bankId" in one && one.bankId !== undefined ? [one.bankId] : [])),
    )

  readonly commit: Port["commit"] = (change) =>
    Effect.flatMap(currentActor, (by) => storing("commit", change, () => this.#write(change, by)))

  readonly list: Port["list"] = (issuer, { state, payer, text }, request) => {
    const isWanted = (one: Recurrence) =>
      (state === undefined || one._tag === state) &&
      (payer === undefined || one.payer?.taxId === payer) &&
      (text === undefined || matchesText(one, text))
    const items = () => Array.from(this.#rows(issuer).values(), ({ recurrence }) => recurrence).filter(isWanted)
    const position = ({ createdAt, id }: Recurrence) => ({ at: createdAt, id })
    return readPage("recurrences", items, { position, request, newestFirst: true })
  }

  readonly charges: Port["charges"] = (issuer, id, request) => {
    const position = (charge: CycleCharge) => ({ at: cyclePlace(charge), id: charge.id })
    return readPage("cycles", () => this.#chargesOf(issuer, id), { position, request, newestFirst: true })
  }

  readonly lastCharge: Port["lastCharge"] = (issuer, id, cycle) =>
    Effect.sync(() => this.#chargesOf(issuer, id).find((charge) => charge.cycle.cycle === cycle))

  readonly openCharges: Port["openCharges"] = (issuer, id) =>
    Effect.sync(() => this.#chargesOf(issuer, id).filter(isOpen).slice(0, maxOpenCharges).toReversed())

  readonly claim: Port["claim"] = ({ now, limit, leaseMs }) =>
    Effect.sync(() => {
      const all = Array.from(this.#state.companies.values(), ({ recurrences }) => recurrences.values())
      return findEarliest(all, (row) => recurrenceDueAt(row, now), limit).map((row) => {
        const due = { recurrence: row.recurrence, dueAt: row.checkAt ?? now }
        row.checkAt = now + leaseMs
        return due
      })
    })

  readonly scheduleNamed: Port["scheduleNamed"] = (issuer, { bankIds, chargeIds }, checkAt) =>
    storing("scheduleNamed", { checkAt }, () => {
      const { charges } = this.#state.company(issuer)
      const ids = new Set(chargeIds.flatMap((id) => charges.get(id)?.charge.cycle?.recurrenceId ?? []))
      const banks = new Set<string | undefined>(bankIds)
      for (const row of this.#rows(issuer).values()) {
        const { id, bankId } = { bankId: undefined, ...row.recurrence }
        if (ids.has(id) || banks.has(bankId)) makeDue(row, checkAt)
      }
    })

  readonly schedule: Port["schedule"] = (issuer, id, checkAt, version) =>
    storing("schedule", { checkAt }, () => {
      const row = this.#rows(issuer).get(id)
      if (row === undefined || (version !== undefined && row.recurrence.version !== version)) return
      if (version === undefined) makeDue(row, checkAt)
      else row.checkAt = checkAt
    })

  #rows(issuer: Cnpj): Map<RecurrenceId, RecurrenceRow> {
    return this.#state.company(issuer).recurrences
  }

  #chargesOf(issuer: Cnpj, id: RecurrenceId): ReadonlyArray<CycleCharge> {
    return Array.from(this.#state.company(issuer).charges.values(), ({ charge }) => charge)
      .filter(isCycleCharge)
      .filter(({ cycle }) => cycle.recurrenceId === id)
      .toSorted((a, b) => cyclePlace(b) - cyclePlace(a))
  }

  #mayAdd({ issuer, id, charge }: RecurrenceChange): boolean {
    if (charge === undefined) return true
    const isInTheWay = ({ cycle, ...other }: CycleCharge) => cycle.cycle === charge.cycle.cycle && !freesCycle(other)
    return !this.#state.company(issuer).charges.has(charge.id) && !this.#chargesOf(issuer, id).some(isInTheWay)
  }

  #write(change: RecurrenceChange, by: string | undefined): boolean {
    const { issuer, id, expectedVersion, next, checkAt, charge, deliveries, audit } = change
    const row = this.#rows(issuer).get(id)
    if (row?.recurrence.version !== expectedVersion || !this.#mayAdd(change)) return false
    row.recurrence = keepTerms(row.recurrence, next)
    row.checkAt = checkAt
    if (charge !== undefined) this.#state.company(issuer).charges.set(charge.id, { charge, checksEndedAt: undefined })
    for (const delivery of deliveries) this.#outbox.add(delivery, next.updatedAt)
    if (audit !== undefined) this.#audit.append(issuer, by, [audit])
    return true
  }
}
