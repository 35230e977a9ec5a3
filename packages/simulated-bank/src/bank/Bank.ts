import type { Cents } from "@pixcharge/core/money"
import type { Cnpj } from "@pixcharge/core/party"
import { type BankChance, happenAfter } from "../ledger/BankChance.ts"
import {
  type BankRefusal,
  chargeKey,
  chargeKind,
  type ChargeTerms,
  emptyLedger,
  type Ledger,
  type LedgerCharge,
  type LedgerPayment,
  type LedgerReturn,
  refuse,
} from "../ledger/Ledger.ts"
import { Recurring } from "../recurring/Recurring.ts"
import type { BankAccount, BankWays } from "../wire/BankOptions.ts"
import { Locations } from "./Locations.ts"
import { Returns } from "./Returns.ts"

export interface BankOrder {
  readonly issuer: Cnpj
  readonly txid: string
  readonly terms: ChargeTerms
  /** The id of a location of the company. By default, a new charge gets a new location, and a known charge keeps its location. */
  readonly locationId?: number
}

export type ChargeAnswer = BankRefusal | { readonly _tag: "Charge"; readonly charge: LedgerCharge }

export interface Paying {
  readonly amountCents?: number
  readonly paidAt?: number
  /** The revision that the payer's app had read, whose terms it pays, as a scheduled payment does. Default: the current one. */
  readonly revision?: number
  /** The payer's note (`infoPagador`). */
  readonly text?: string
  /** The payer scans the code of the charge alone, so the payment doesn't approve a recurrence. */
  readonly byOwnCode?: boolean
}

export interface PaymentQuery {
  /** Epoch milliseconds. */
  readonly from: number
  /** Epoch milliseconds, exclusive. */
  readonly until: number
  readonly txid?: string
  readonly hasTxid?: boolean
  readonly isReturned?: boolean
}

/** The terms as a string, without `payableUntil`, which depends on the time of the request. */
const termsKey = ({ amountCents, dueDate, body }: ChargeTerms): string => JSON.stringify([amountCents, dueDate, body])

/** A payer's bank can pay a little late if the code was scanned in time. */
const lateMs = 300_000

/** The ledger of a bank, and its rules for companies, payers and staff. `BankChance` decides about delays and failures. */
export class Bank {
  readonly ledger: Ledger = emptyLedger()
  readonly accounts: ReadonlyArray<BankAccount>
  readonly ways: BankWays
  readonly chance: BankChance
  readonly locations: Locations
  readonly returns: Returns
  readonly recurring: Recurring
  /** Called after a charge was made, altered or removed. */
  onCharge: (charge: LedgerCharge) => void = () => undefined
  /** Called after a payment was made or a return of a payment settled. */
  onMoney: (payment: LedgerPayment, returned?: LedgerReturn) => void = () => undefined

  constructor(accounts: ReadonlyArray<BankAccount>, ways: BankWays, chance: BankChance) {
    this.accounts = accounts
    this.ways = ways
    this.chance = chance
    this.locations = new Locations(this.ledger, chance)
    this.returns = new Returns(this)
    this.recurring = new Recurring({
      ways,
      chance,
      ledger: this.ledger,
      receive: (paid) => void this.#receive(paid),
    })
  }

  /** Makes or changes a charge, like its `PUT`. Calls `answer` once the charge is made. */
  putCharge(order: BankOrder, answer: (answer: ChargeAnswer) => void): void {
    const { issuer, txid, terms, locationId } = order
    const known = this.ledger.charges.get(chargeKey(issuer, txid))
    if (known !== undefined) return answer(this.#putAgain(known, order))
    const isOfCycle = this.recurring.ledger.cycles.has(chargeKey(issuer, txid))
    if (isOfCycle) return answer(refuse("txid", "the txid is taken"))
    const now = this.chance.now()
    const createdAt = now + this.ways.creationAheadMs
    const { locations } = this
    const ownLocation = locations.find(issuer, locationId) ?? locations.create(issuer, chargeKind(terms), createdAt)
    const charge: LedgerCharge = {
      issuer,
      txid,
      createdAt,
      location: ownLocation.url,
      terms,
      revision: 0,
      termsByRevision: [terms],
      status: "making",
      changedAt: now,
    }
    this.ledger.charges.set(chargeKey(issuer, txid), charge)
    locations.link(charge, ownLocation)
    happenAfter(this.chance, this.chance.makingMs(txid), () => {
      charge.status = "active"
      charge.changedAt = this.chance.now()
      this.onCharge(charge)
      answer({ _tag: "Charge", charge })
    })
  }

  #putAgain(known: LedgerCharge, { terms, locationId }: BankOrder): ChargeAnswer {
    if (known.status === "making") return refuse("txid", "the charge is being made", true)
    const isOfKind = (known.terms.dueDate === undefined) === (terms.dueDate === undefined)
    if (!isOfKind || this.ways.putOnExisting === "refuses" || known.status !== "active") {
      return refuse("txid", "the txid is taken")
    }
    const isSame = termsKey(known.terms) === termsKey(terms) && (locationId ?? known.locationId) === known.locationId
    return isSame ? { _tag: "Charge", charge: known } : this.#alter(known, terms, locationId)
  }

  #alter(known: LedgerCharge, terms: ChargeTerms, locationId: number | undefined): ChargeAnswer {
    const newLocation = this.locations.find(known.issuer, locationId)
    if (newLocation !== undefined) this.locations.link(known, newLocation)
    return this.#change(known, { terms })
  }

  #change(known: LedgerCharge, changed: Partial<Pick<LedgerCharge, "terms" | "status" | "removedBy">>): ChargeAnswer {
    Object.assign(known, changed, { changedAt: this.chance.now() })
    known.revision += 1
    known.termsByRevision.push(known.terms)
    this.onCharge(known)
    return { _tag: "Charge", charge: known }
  }

  /** Changes a charge's terms, like its `PATCH`. Undefined if no charge of this kind exists. */
  alterCharge({ issuer, txid, terms, locationId }: BankOrder): ChargeAnswer | undefined {
    const known = this.getCharge(issuer, txid)
    if (known === undefined || chargeKind(known.terms) !== chargeKind(terms)) return undefined
    if (this.ways.patchOfTerms === "refuses") return refuse("valor", "this bank doesn't change charges")
    if (known.status !== "active") return refuse("status", "the charge is not active")
    return this.chance.refusesChange?.(txid) === true
      ? refuse("valor", "the bank refuses this change")
      : this.#alter(known, terms, locationId)
  }

  /** Removes a charge. Undefined if the charge doesn't exist. */
  removeCharge(issuer: Cnpj, txid: string, removedBy: "company" | "bank" = "company"): ChargeAnswer | undefined {
    const known = this.getCharge(issuer, txid)
    if (known === undefined) return undefined
    return known.status === "active"
      ? this.#change(known, { status: "removed", removedBy })
      : refuse("status", "the charge is not active")
  }

  /** Finds a charge, like its `GET`. Undefined while the charge is being made. */
  getCharge(issuer: Cnpj, txid: string): LedgerCharge | undefined {
    const known = this.ledger.charges.get(chargeKey(issuer, txid))
    return known?.status === "making" ? undefined : known
  }

  getPayment(issuer: Cnpj, endToEndId: string): LedgerPayment | undefined {
    const payment = this.ledger.payments.get(endToEndId)
    return payment?.issuer === issuer ? payment : undefined
  }

  findPayments(issuer: Cnpj, { from, until, txid, hasTxid, isReturned }: PaymentQuery): ReadonlyArray<LedgerPayment> {
    const listedUntil = this.chance.now() - this.ways.listsAfterMs
    return [...this.ledger.payments.values()]
      .filter(
        (one) =>
          one.issuer === issuer &&
          one.paidAt >= from &&
          one.paidAt < until &&
          one.paidAt <= listedUntil &&
          (one.idRec === undefined || this.ways.listsCyclePix) &&
          (txid === undefined || one.txid === txid) &&
          (hasTxid === undefined || (one.txid !== undefined) === hasTxid) &&
          (isReturned === undefined || one.returns.some(({ status }) => status !== "making") === isReturned),
      )
      .toSorted((a, b) => a.paidAt - b.paidAt)
  }

  /** Pays a charge, even if it is paid already. Undefined if the bank refuses the payment. */
  pay(
    issuer: Cnpj,
    txid: string,
    { amountCents, paidAt, text, revision: read, byOwnCode = false }: Paying = {},
  ): LedgerPayment | undefined {
    const charge = this.getCharge(issuer, txid)
    const isPayable = charge?.status === "active" || charge?.status === "completed"
    const revision = read ?? charge?.revision ?? 0
    const terms = charge?.termsByRevision[revision]
    if (charge === undefined || terms === undefined || !isPayable) return undefined
    if (this.chance.now() > terms.payableUntil + lateMs) return undefined
    if (charge.status === "active") charge.changedAt = this.chance.now()
    charge.status = "completed"
    const payment = this.#receive({
      issuer,
      txid,
      revision,
      pixKey: terms.body?.chave ?? this.accounts.find(({ cnpj }) => cnpj === issuer)?.pixKeys[0] ?? "",
      amountCents: (amountCents as Cents | undefined) ?? terms.amountCents,
      ...(paidAt !== undefined && { paidAt }),
      ...(text !== undefined && { payerText: text }),
    })
    if (!byOwnCode) this.recurring.approveByPayment(issuer, txid)
    return payment
  }

  /** Pays to a key. Undefined if the key is unknown. */
  payToKey(
    pixKey: string,
    amountCents: number,
    { txid, paidAt }: { readonly txid?: string; readonly paidAt?: number } = {},
  ): LedgerPayment | undefined {
    const account = this.accounts.find(({ pixKeys }) => pixKeys.includes(pixKey))
    if (account === undefined) return undefined
    return this.#receive({
      issuer: account.cnpj as Cnpj,
      pixKey,
      amountCents: amountCents as Cents,
      ...(txid !== undefined && { txid }),
      ...(paidAt !== undefined && { paidAt }),
    })
  }

  #receive(
    paid: Omit<LedgerPayment, "endToEndId" | "returns" | "paidAt"> &
      Partial<Pick<LedgerPayment, "endToEndId" | "paidAt">>,
  ): LedgerPayment {
    const { paidAt = this.chance.now(), endToEndId = this.chance.id("E", paidAt) } = paid
    const payment: LedgerPayment = { ...paid, paidAt, endToEndId, returns: [] }
    this.ledger.payments.set(payment.endToEndId, payment)
    this.onMoney(payment)
    return payment
  }
}
