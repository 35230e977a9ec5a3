import type { Bank } from "../bank/Bank.ts"
import type { BankAccount } from "../wire/BankOptions.ts"
import type { BankAnswer, BankRequest } from "../wire/BankRequest.ts"

/** A call of the API that its account may make, with the parts of its path. */
export interface BankCall {
  readonly bank: Bank
  readonly account: BankAccount
  readonly request: BankRequest
  readonly query: URLSearchParams
  /** Like `cob`. */
  readonly resource: string
  /** The resource's id; empty without one. */
  readonly id: string
  /** The id of a part of the resource, like a return; empty without one. */
  readonly partId: string
  /** Throws a `SyntaxError` for a body that isn't JSON. */
  readonly readBody: () => unknown
}

/** The answers to calls by their names (`nameCall`). */
export type Routes = Readonly<Record<string, (call: BankCall) => BankAnswer | Promise<BankAnswer>>>
