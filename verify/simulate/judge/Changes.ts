import type { ChargeOrder, ProcessorView } from "@pixcharge/core"
import type { Charge, ChargeId } from "@pixcharge/core/charges"
import type { ChangedTerms } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import type { LedgerCharge } from "@pixcharge/simulated-bank"
import type { StoreCall } from "./describeWrite.ts"
import type { Ask } from "./Looks.ts"
import { chargeKey, shortName } from "./names.ts"
import { reportIf } from "./rules.ts"
import type { ChangedFields } from "./Terms.ts"
import { Sendings } from "./Sendings.ts"
import { TermsRows } from "./TermsRows.ts"

export interface RequestedChange {
  readonly issuer: Cnpj
  readonly id: ChargeId
  readonly change: { readonly key: string; readonly fields: ChangedFields }
}

/** How long before its record a payment's charge can have been looked up in vain. */
const unseenMs = 120_000

/** What the judge knows of changes: requests, stored terms, calls to the bank, and answers. */
export class Changes {
  readonly rows = new TermsRows()
  readonly sendings = new Sendings()
  /** The number of each answered key. */
  readonly #numbers = new Map<string, number>()
  /** When look-ups of a charge failed, by txid. */
  readonly #failedAt = new Map<string, ReadonlyArray<number>>()

  setBack(): void {
    this.#numbers.clear()
    this.rows.setBack()
    this.sendings.setBack()
  }

  /** Records a processor's answer to a look-up or a change. */
  recordAnswer(ask: Ask & { readonly answer: unknown; readonly failure?: string }, now: number): void {
    const { method, failure, answer, args } = ask
    const { txid, company, id } = args[0] as ChargeOrder
    if (method === "change" && failure === "ProcessorRejected") {
      this.rows.recordRefusal(chargeKey({ issuer: company.cnpj, id }))
    }
    if (method !== "lookup") return
    if (failure === undefined) this.sendings.recordLook(ask, answer as ProcessorView)
    else this.#failedAt.set(txid, [...(this.#failedAt.get(txid) ?? []), now])
  }

  /** True if a process can have failed to look up the charge when it recorded the payment. */
  wasUnseen(charge: Charge): boolean {
    if (!("payment" in charge)) return false
    const { recordedAt } = charge.payment
    return (this.#failedAt.get(charge.txid) ?? []).some((at) => Math.abs(at - recordedAt) < unseenMs)
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

  learn(caller: string, call: StoreCall, now: number): void {
    this.sendings.learn(caller, call, now)
  }
}
