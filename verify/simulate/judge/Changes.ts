import type { ChargeOrder, Period, ProcessorView } from "@pixcharge/core"
import type { Charge, ChargeId } from "@pixcharge/core/charges"
import type { ChangedTerms } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import type { LedgerCharge } from "@pixcharge/simulated-bank"
import type { StoreCall } from "./describeWrite.ts"
import type { Ask, Word } from "./Evidence.ts"
import { chargeKey, shortName } from "./names.ts"
import { reportIf } from "./rules.ts"
import { findOpen, type TermsRow, TermsRows } from "./TermsRows.ts"
import type { ChangedFields } from "./Terms.ts"

/** Longer than a process needs from its last read of a charge until its call. */
const knownMs = 150_000

interface Known {
  /** The last requested terms that the process saw, and when. */
  readonly open?: TermsRow
  readonly seenAt: number
  /** Since when it knows that these have ended. */
  readonly endedAt?: number
}

interface Shown {
  readonly sentAt: number
  readonly revision: number
  readonly amountCents: number
  readonly dueDate: string | undefined
}

const isCharge = (one: unknown): one is Charge =>
  typeof one === "object" && one !== null && "txid" in one && "watchUntil" in one

/** The charges that a store's call shows its caller, or that the caller stores. */
const chargesIn = ({ port, method, args, answer }: StoreCall): ReadonlyArray<Charge> => {
  if (port === "checks") return Array.isArray(answer) ? answer.filter(isCharge) : []
  if (port !== "store") return []
  const { moved, charge } = { ...(answer as { readonly moved?: boolean; readonly charge?: Charge } | undefined) }
  const { next } = { ...(args[0] as { readonly next?: unknown } | undefined) }
  return [answer, charge, moved === true && method === "commit" && next].filter(isCharge)
}

/** Judges each call that changes a charge at the bank: by what its process can know, the terms are requested and the last. */
export class Sendings {
  readonly #known = new Map<string, Known>()
  readonly #shown = new Map<string, Shown>()
  /** By charge and row: the first process that sent the terms. */
  readonly #sentBy = new Map<string, string>()

  setBack(): void {
    this.#known.clear()
    this.#sentBy.clear()
  }

  learn(caller: string, call: StoreCall, now: number): void {
    for (const charge of chargesIn(call)) {
      const key = `${caller} ${charge.txid}`
      const open = charge._tag === "Pending" ? findOpen(charge) : undefined
      const before = this.#known.get(key)
      if (open !== undefined) this.#known.set(key, { open, seenAt: now })
      else if (before !== undefined) this.#known.set(key, { endedAt: now, ...before })
    }
  }

  recordLook({ caller, args, requestedAt }: Ask, { terms }: ProcessorView): void {
    const [{ txid }, earlier] = args as readonly [Charge, number?]
    if (terms?.revision === undefined || earlier !== undefined) return
    const { revision, amountCents, dueDate } = terms
    this.#shown.set(`${caller} ${txid}`, { sentAt: requestedAt, revision, amountCents, dueDate })
  }

  /** True if the terms were sent before: the call resumes a change. */
  resumes({ caller, args: [order] }: Ask): boolean {
    const { txid } = order as ChargeOrder
    const key = `${txid} ${this.#known.get(`${caller} ${txid}`)?.open?.number}`
    const isAgain = this.#sentBy.has(key)
    this.#sentBy.set(key, caller)
    return isAgain
  }

  judge({ caller, args: [order], requestedAt: now }: Ask): ReadonlyArray<string> {
    const { txid, amountCents, dueDate } = order as ChargeOrder
    const known = this.#known.get(`${caller} ${txid}`)
    const { open, seenAt = 0, endedAt = Infinity } = known ?? {}
    const isRequested = open !== undefined && open.amountCents === amountCents && open.dueDate === dueDate
    const shown = this.#shown.get(`${caller} ${txid}`)
    const isLater =
      shown !== undefined &&
      shown.sentAt > seenAt &&
      shown.revision > (open?.revision ?? shown.revision) &&
      (shown.amountCents !== amountCents || shown.dueDate !== dueDate)
    const what = `${caller} sends ${shortName(txid)} for ${amountCents} cents, due on ${dueDate}`
    return [
      ...reportIf(!isRequested, `${what}, but these terms aren't requested in its books`),
      ...reportIf(isRequested && now > endedAt + knownMs, `${what}, but knows that this change has ended`),
      ...reportIf(isRequested && isLater, `${what}, over later terms that the bank has shown it`),
    ]
  }
}

export interface RequestedChange {
  readonly issuer: Cnpj
  readonly id: ChargeId
  readonly change: { readonly key: string; readonly fields: ChangedFields }
}

/** How far from the record of a payment its charge can have been looked up in vain. */
const unseenMs = 120_000

/** What the judge knows of changes: requests, stored terms, calls to the bank, and answers. */
export class Changes {
  readonly rows = new TermsRows()
  readonly sendings = new Sendings()
  /** The number of each answered key. */
  readonly #numbers = new Map<string, number>()
  /** The look-ups of a charge that failed, by txid. */
  readonly #failed = new Map<string, ReadonlyArray<Period>>()

  setBack(): void {
    this.#numbers.clear()
    this.rows.setBack()
    this.sendings.setBack()
  }

  /** Records a processor's answer to a look-up or a change. */
  recordAnswer(ask: Word, now: number): void {
    const { method, failure, answer, args } = ask
    const { txid, company, id } = args[0] as ChargeOrder
    if (method === "change" && failure === "ProcessorRejected") {
      this.rows.recordRefusal(chargeKey({ issuer: company.cnpj, id }))
    }
    if (method !== "lookup") return
    if (failure === undefined) this.sendings.recordLook(ask, answer as ProcessorView)
    else this.#failed.set(txid, [...(this.#failed.get(txid) ?? []), { from: ask.requestedAt, until: now }])
  }

  /** True if a process can have failed to look up the charge when it recorded the payment. */
  wasUnseen(charge: Charge): boolean {
    if (!("payment" in charge)) return false
    const { recordedAt } = charge.payment
    const failed = this.#failed.get(charge.txid) ?? []
    return failed.some(({ from, until }) => Math.max(from - recordedAt, recordedAt - until) < unseenMs)
  }

  /** A change that is answered as done has one number, its fields, and has been at the bank. */
  judgeAnswer({ charge, number }: ChangedTerms, requested: RequestedChange, bank: LedgerCharge | undefined) {
    const { key, fields } = requested.change
    const row = charge.termsRows?.[number - 1]
    const id = `${chargeKey(requested)} ${key}`
    const first = this.#numbers.get(id) ?? number
    this.#numbers.set(id, first)
    const had = bank?.termsByRevision.some(
      ({ amountCents, dueDate }) => amountCents === row?.amountCents && dueDate === row?.dueDate,
    )
    const name = `change ${key} of ${shortName(charge.txid)}`
    const isOther = fields.amountCents !== undefined && fields.amountCents !== row?.amountCents
    return [
      ...reportIf(row?.key !== key, `${name} is answered with terms of the key ${row?.key}`),
      ...reportIf(first !== number, `${name} had the number ${first}, and now ${number}`),
      ...reportIf(row?.inForceAt === undefined, `${name} is answered as done, but isn't in force`),
      ...reportIf(isOther, `${name} is answered with ${row?.amountCents} cents`),
      ...reportIf(had !== true, `${name} is answered as done, but the bank never had its terms`),
    ]
  }
}
