import type { Charge, ChargeChange, ChargeRequestInput, IssuedCharge } from "@pixcharge/core/charges"
import type { Cnpj } from "@pixcharge/core/party"
import type { LedgerCharge } from "@pixcharge/simulated-bank"
import { chargeKey, shortName, txidOf } from "./names.ts"
import { dayAt, plusDays } from "./recurrences/calendar.ts"
import { reportIf } from "./rules.ts"
import { conditions, type FeesOf, writeFees } from "./fees.ts"

/** What a client asks for. A part of the fees that it leaves out is the registration's. */
export type RequestedTerms = Omit<ChargeRequestInput, "id">

/** The fields that a change names. */
export type ChangedFields = Omit<ChargeChange, "key">

const shopTexts = ({ reference, metadata }: Pick<RequestedTerms, "reference" | "metadata">): string =>
  JSON.stringify([reference, metadata])

export interface Registration {
  readonly graceDays: number
  readonly fees?: FeesOf<never>
}

interface Request {
  readonly terms: RequestedTerms
  /** Epoch milliseconds. */
  readonly at: number
}

interface SeenAtRefusal {
  readonly bank: LedgerCharge | undefined
  /** When the refused call began. */
  readonly since: number
  readonly isStored: boolean
}

/** More than the clocks' difference. */
const toleranceMs = 62_000

const names = ["fine", "interest", "abatement", "discount"] as const

const resolveFees = ({ fees = {} }: RequestedTerms, registered: FeesOf<never> = {}): FeesOf<never> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const part = fees === "none" ? "none" : (fees[name] ?? registered[name])
      return part === undefined || part === "none" ? [] : [[name, part]]
    }),
  )

type NamedCharge = Pick<Charge, "issuer" | "id">

const payerFields = ({ payer }: RequestedTerms): Readonly<Record<string, unknown>> => {
  const { email, address } = payer ?? {}
  const { street: logradouro, city: cidade, state: uf, postalCode: cep } = address ?? {}
  return { nome: payer?.name, email, logradouro, cidade, uf, cep }
}

/** Judges that the bank's charges have the terms that clients asked for, with the registration of that time. */
export class Terms {
  /** The requested charges by txid. */
  readonly #names = new Map<string, NamedCharge>()
  readonly #requests = new Map<string, ReadonlyArray<Request>>()
  /** The fields of each requested change. */
  readonly #changed = new Map<string, ReadonlyArray<ChangedFields>>()
  readonly #registered = new Map<string, ReadonlyArray<Registration & { readonly since: number }>>()

  register(issuer: Cnpj, registration: Registration, since: number): void {
    this.#registered.set(issuer, [...(this.#registered.get(issuer) ?? []), { ...registration, since }])
  }

  request(charge: NamedCharge, terms: RequestedTerms, at: number): void {
    this.#names.set(txidOf(charge.issuer, charge.id), charge)
    this.#requests.set(chargeKey(charge), [...this.#of(charge), { terms, at }])
  }

  change(charge: NamedCharge, fields: ChangedFields): void {
    this.#changed.set(chargeKey(charge), [...(this.#changed.get(chargeKey(charge)) ?? []), fields])
  }

  /** True if a client or the bank's staff asked for a change. */
  isChanged(charge: NamedCharge): boolean {
    return this.#changed.has(chargeKey(charge))
  }

  /** All terms that the charge can have: each change is laid over the terms before it. */
  #all(charge: NamedCharge): ReadonlyArray<RequestedTerms> {
    let all: ReadonlyArray<RequestedTerms> = this.#of(charge).map(({ terms }) => terms)
    for (const fields of this.#changed.get(chargeKey(charge)) ?? []) {
      const both = [...all, ...all.map((terms) => ({ ...terms, ...fields }) as RequestedTerms)]
      all = [...new Map(both.map((terms) => [JSON.stringify(Object.entries(terms).toSorted()), terms])).values()]
    }
    return all
  }

  #of(charge: NamedCharge): ReadonlyArray<Request> {
    return this.#requests.get(chargeKey(charge)) ?? []
  }

  /** True if some clients asked for other terms under the charge's id. */
  isContested(charge: NamedCharge): boolean {
    return new Set(this.#of(charge).map(({ terms }) => JSON.stringify(terms))).size > 1
  }

  /** The day of a discount's tier that ended before the charge was first requested. */
  #passedDay(charge: NamedCharge): string | undefined {
    const [first] = this.#of(charge)
    const { fees = "none" } = (first?.terms ?? {}) as { readonly fees?: FeesOf<"none"> | "none" }
    const { discount = "none" } = fees === "none" ? {} : fees
    const days = (discount === "none" ? [] : (discount.tiers ?? [])).flatMap(({ date }) => date ?? [])
    return days.find((day) => first !== undefined && day < dayAt(first.at - toleranceMs))
  }

  /** The conditions that an order of the charge can have, sent by any of its calls until now. */
  #allowed(charge: NamedCharge, dueDate: string, now: number): ReadonlySet<string> {
    const requests = this.#of(charge)
    const from = (requests[0]?.at ?? now) - toleranceMs
    const all = this.#registered.get(charge.issuer) ?? []
    const registered = all.filter((_, index) => (all[index + 1]?.since ?? Infinity) > from)
    const days: Array<string> = []
    for (let day = dayAt(from); day <= dayAt(now + toleranceMs); day = plusDays(day, 1)) days.push(day)
    return new Set(
      this.#all(charge).flatMap((terms) =>
        registered.flatMap((registration) =>
          days.map((day) =>
            conditions(
              writeFees(resolveFees(terms, registration.fees), dueDate, day),
              terms.graceDays ?? registration.graceDays,
            ),
          ),
        ),
      ),
    )
  }

  /** Finds conditions and a payer of the bank's charge that no client asked for. */
  #judgeConditions(charge: NamedCharge, { dueDate, body }: LedgerCharge["terms"], now: number): ReadonlyArray<string> {
    const [first] = this.#of(charge)
    if (dueDate === undefined || body === undefined || first === undefined) return []
    const name = shortName(charge.id)
    const its = conditions(body.valor, body.calendario["validadeAposVencimento"])
    const findWrong = (terms: RequestedTerms) =>
      Object.entries(payerFields(terms)).filter(
        ([field, value]) => value !== undefined && body.devedor?.[field] !== value,
      )
    const wrong = findWrong(this.#all(charge).find((terms) => findWrong(terms).length === 0) ?? first.terms)
    return [
      ...reportIf(!this.#allowed(charge, dueDate, now).has(its), `${name} has the conditions ${its} at the bank`),
      ...wrong.map(([field, value]) => `${name} has ${field} ${String(body.devedor?.[field])}, not ${String(value)}`),
    ]
  }

  /** Judges a charge that the bank has just made or altered. */
  judgeChange(bank: LedgerCharge, now: number): ReadonlyArray<string> {
    if (bank.status === "removed") return []
    const charge = this.#names.get(bank.txid)
    const { amountCents, dueDate } = bank.terms
    const isRequested =
      charge !== undefined &&
      this.#all(charge).some((terms) => terms.amountCents === amountCents && terms.dueDate === dueDate)
    const name = shortName(bank.txid)
    return [
      ...reportIf(
        !isRequested,
        `${name} is at the bank for ${amountCents} cents, due on ${dueDate}, which no client asked for`,
      ),
      ...(charge === undefined ? [] : this.#judgeConditions(charge, bank.terms, now)),
    ]
  }

  /**
   * The books must have the fees of the bank's charge, unless the bank carried out a change of fees after it had refused it
   * (decision 64).
   */
  judgeBooks({ fees, termsRows = [], txid }: Charge, bank: LedgerCharge): ReadonlyArray<string> {
    const { dueDate, body } = bank.terms
    if (dueDate === undefined || body === undefined) return []
    const shown = conditions(body.valor)
    const write = (its: FeesOf<never> = {}) => conditions(writeFees(its, dueDate))
    const stored = write(fees)
    const isRefused = termsRows.some(
      (row) => (row.refusedAt ?? Infinity) < bank.changedAt + toleranceMs && write(row.fees) === shown,
    )
    return reportIf(
      stored !== shown && !isRefused,
      `${shortName(txid)} is stored with ${stored}, but has ${shown} at the bank`,
    )
  }

  judgeAnswer(charge: IssuedCharge): ReadonlyArray<string> {
    const day = this.#passedDay(charge)
    const [first] = this.#of(charge)
    const isOther = first !== undefined && !this.#all(charge).some((terms) => shopTexts(terms) === shopTexts(charge))
    const name = shortName(charge.id)
    return [
      ...reportIf(day !== undefined, `${name} is issued with a discount until ${day}, which had passed`),
      ...reportIf(isOther, `${name} is issued with ${shopTexts(charge)}, which no client asked for`),
    ]
  }

  /** True if the bank's charge was changed, or can have other fees than are registered now: books that lost it don't adopt it. */
  canDiffer({ issuer }: Pick<NamedCharge, "issuer">, bank: LedgerCharge | undefined): boolean {
    const changedAt = this.#registered.get(issuer)?.slice(1).at(-1)?.since ?? -Infinity
    if ((bank?.revision ?? 0) > 0) return true
    return bank?.terms.dueDate !== undefined && bank.createdAt < changedAt + toleranceMs
  }

  /**
   * Finds refusals without a reason. A conflict is right if the books have lost a charge with other fees. A refusal for
   * a passed date of a discount is wrong if the bank has the charge.
   */
  judgeRefusal(tag: string, charge: NamedCharge, { bank, since, isStored }: SeenAtRefusal): ReadonlyArray<string> {
    const isBegun = bank !== undefined && bank.status !== "removed" && bank.createdAt < since
    const isLost = !isStored && this.canDiffer(charge, bank)
    return [
      ...reportIf(
        tag === "ChargeConflict" && !this.isContested(charge) && !isLost,
        `no client asked for other terms of ${charge.id}`,
      ),
      ...reportIf(tag === "InvalidFees" && isBegun, `InvalidFees was answered for ${charge.id}, which is at the bank`),
    ]
  }
}
