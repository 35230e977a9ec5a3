import type { Cnpj } from "@pixcharge/core/party"
import type { LedgerPayment } from "@pixcharge/simulated-bank"
import { txidOf, txidUuid } from "./txids.ts"

/** A company with its key, and the holder of its account at the bank. */
export interface AccountCompany {
  readonly cnpj: Cnpj
  readonly holder: Cnpj
  readonly pixKey: string
}

type Paid = Pick<LedgerPayment, "issuer" | "txid" | "pixKey">

/** Knows whose a payment at the bank is: several companies may share an account, whose holder the bank's ledger names. */
export class Accounts {
  readonly #companies: ReadonlyArray<AccountCompany>
  readonly #showsKeys: boolean
  readonly #named = new Map<string, ReadonlyArray<Cnpj> | undefined>()

  constructor(companies: ReadonlyArray<AccountCompany>, showsKeys: boolean) {
    this.#companies = companies
    this.#showsKeys = showsKeys
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

  /** The companies in whose books the payment may be: in those of exactly one of them, in none if it names another account's. */
  owners(payment: Paid): ReadonlyArray<Cnpj> {
    const named = this.named(payment)
    if (named !== undefined) return named
    const { issuer: holder, pixKey } = payment
    return this.#companies
      .filter((one) => one.holder === holder && (!this.#showsKeys || one.pixKey === pixKey))
      .map(({ cnpj }) => cnpj)
  }

  /** Whether the payment may be in this company's books. */
  mayOwn(issuer: Cnpj, payment: Paid): boolean {
    return this.owners(payment).includes(issuer)
  }

  /** Whether the bank shows the payment under another company's key: it isn't this company's to return (decision 59). */
  isKeyOfAnother(issuer: Cnpj, { pixKey }: Pick<Paid, "pixKey">): boolean {
    return this.#showsKeys && this.#companies.some((one) => one.pixKey === pixKey && one.cnpj !== issuer)
  }
}
