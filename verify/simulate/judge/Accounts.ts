import type { Cnpj } from "@pixcharge/core/party"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import { txidOf, txidUuid } from "./names.ts"

export interface AccountCompany {
  readonly cnpj: Cnpj
  readonly holder: Cnpj
  readonly pixKey: string
}

type Paid = Pick<LedgerPayment, "issuer" | "txid" | "pixKey" | "paidAt">

/** The start of a company's hold of a key. */
interface KeyHolding {
  readonly cnpj: Cnpj
  readonly since: number
}

/**
 * Finds the owner of a payment. Companies can share an account, and keys can move between them. The bank's ledger names
 * only the account's holder.
 */
export class Accounts {
  readonly #companies: ReadonlyArray<AccountCompany>
  readonly #showsKeys: boolean
  readonly #holdings = new Map<string, Array<KeyHolding>>()
  readonly #named = new Map<string, ReadonlyArray<Cnpj> | undefined>()

  constructor(companies: ReadonlyArray<AccountCompany>, showsKeys: boolean) {
    this.#companies = companies
    this.#showsKeys = showsKeys
    for (const { cnpj, pixKey } of companies) this.moveKey(pixKey, cnpj, Number.NEGATIVE_INFINITY)
  }

  moveKey(pixKey: string, cnpj: Cnpj, now: number): void {
    const holdings = this.#holdings.get(pixKey) ?? []
    this.#holdings.set(pixKey, [...holdings, { cnpj, since: now }])
  }

  #holdersSince(pixKey: string, then: number): ReadonlyArray<Cnpj> {
    const holdings = this.#holdings.get(pixKey) ?? []
    return holdings.filter((_, index) => (holdings[index + 1]?.since ?? Infinity) >= then).map(({ cnpj }) => cnpj)
  }

  holder(issuer: Cnpj): Cnpj {
    return this.#companies.find(({ cnpj }) => cnpj === issuer)?.holder ?? issuer
  }

  /**
   * The company of the txid's charge, as a list: empty if the company has another account. Undefined if the txid names
   * no charge.
   */
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
   * The companies that can own the payment. Exactly one of them does: the company that holds the key when the payment
   * is recorded (decision 59). Empty if the payment belongs to another account.
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

  mayOwn(issuer: Cnpj, payment: Paid): boolean {
    return this.owners(payment).includes(issuer)
  }

  /**
   * True if the key of a payment or charge has been another company's since `then`; by default
   * now. The company can't return that payment, and can't adopt or cancel that charge (decision 59).
   */
  isKeyOfAnother(issuer: Cnpj, pixKey: string | undefined, then = Infinity): boolean {
    if (!this.#showsKeys || pixKey === undefined) return false
    const holders = this.#holdersSince(pixKey, then)
    return holders.length > 0 && !holders.includes(issuer)
  }

  /** True if a process can know the key as another company's: it has been that at some time since `then`. */
  canSeemOfAnother(issuer: Cnpj, pixKey: string | undefined, then: number): boolean {
    if (!this.#showsKeys || pixKey === undefined) return false
    return this.#holdersSince(pixKey, then).some((holder) => holder !== issuer)
  }
}
