import type { Cnpj } from "@pixcharge/core/party"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import { txidOf, txidUuid } from "./txids.ts"

/** A company with its key, and the holder of its account at the bank. */
export interface AccountCompany {
  readonly cnpj: Cnpj
  readonly holder: Cnpj
  readonly pixKey: string
}

type Paid = Pick<LedgerPayment, "issuer" | "txid" | "pixKey" | "paidAt">

/** Since when a company has a key: epoch milliseconds. */
interface KeyHolding {
  readonly cnpj: Cnpj
  readonly since: number
}

/**
 * Knows whose a payment at the bank is: several companies may share an account, whose holder the bank's ledger names, and keys may
 * move between them.
 */
export class Accounts {
  readonly #companies: ReadonlyArray<AccountCompany>
  readonly #showsKeys: boolean
  /** Who has had each key, one after the other. */
  readonly #holdings = new Map<string, Array<KeyHolding>>()
  readonly #named = new Map<string, ReadonlyArray<Cnpj> | undefined>()

  constructor(companies: ReadonlyArray<AccountCompany>, showsKeys: boolean) {
    this.#companies = companies
    this.#showsKeys = showsKeys
    for (const { cnpj, pixKey } of companies) this.moveKey(pixKey, cnpj, Number.NEGATIVE_INFINITY)
  }

  /** The key is this company's from now on: epoch milliseconds. */
  moveKey(pixKey: string, cnpj: Cnpj, now: number): void {
    const holdings = this.#holdings.get(pixKey) ?? []
    this.#holdings.set(pixKey, [...holdings, { cnpj, since: now }])
  }

  /** The companies that have had the key since then, in order: epoch milliseconds. */
  #holdersSince(pixKey: string, then: number): ReadonlyArray<Cnpj> {
    const holdings = this.#holdings.get(pixKey) ?? []
    return holdings.filter((_, at) => (holdings[at + 1]?.since ?? Infinity) >= then).map(({ cnpj }) => cnpj)
  }

  /** The holder of the company's account. */
  holder(issuer: Cnpj): Cnpj {
    return this.#companies.find(({ cnpj }) => cnpj === issuer)?.holder ?? issuer
  }

  /** The company of the charge that a txid names, if it has this account; undefined if the txid names no charge. */
  named({ issuer: holder, txid = "" }: Pick<Paid, "issuer" | "txid">): ReadonlyArray<Cnpj> | undefined {
    const key = `${holder} ${txid}`
    if (!this.#named.has(key)) this.#named.set(key, this.#findNamed(holder, txid))
    return this.#named.get(key)
  }

  #findNamed(holder: Cnpj, txid: string): ReadonlyArray<Cnpj> | undefined {
    const uuid = txidUuid(txid)
    if (uuid === undefined) return undefined
    return this.#companies
      .filter((one) => one.holder === holder && txidOf(one.cnpj, uuid) === txid)
      .map(({ cnpj }) => cnpj)
  }

  /**
   * The companies in whose books the payment may be: in those of exactly one of them, in none if it names another account's. Who has
   * the key while the payment is recorded gets it (decision 59).
   */
  owners(payment: Paid): ReadonlyArray<Cnpj> {
    const named = this.named(payment)
    if (named !== undefined) return named
    const { issuer: holder, pixKey, paidAt } = payment
    const sharing = this.#companies.filter((one) => one.holder === holder).map(({ cnpj }) => cnpj)
    if (!this.#showsKeys) return sharing
    const holders = this.#holdersSince(pixKey, paidAt)
    return sharing.filter((one) => holders.includes(one))
  }

  /** Whether the payment may be in this company's books. */
  mayOwn(issuer: Cnpj, payment: Paid): boolean {
    return this.owners(payment).includes(issuer)
  }

  /**
   * Whether the bank shows a payment or charge under a key that was another company's all the time since then: the money isn't this
   * company's to return, and the charge isn't its to adopt or cancel (decision 59). Epoch milliseconds; by default now.
   */
  isKeyOfAnother(issuer: Cnpj, pixKey: string | undefined, then = Infinity): boolean {
    if (!this.#showsKeys || pixKey === undefined) return false
    const holders = this.#holdersSince(pixKey, then)
    return holders.length > 0 && !holders.includes(issuer)
  }
}
