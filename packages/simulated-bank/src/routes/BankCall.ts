import type { Bank } from "../bank/Bank.ts"
import type { BankAccount } from "../wire/BankOptions.ts"
import type { BankAnswer, BankRequest } from "../wire/BankRequest.ts"

/** A permitted call of the API, with the parts of its path. */
export interface BankCall {
  readonly bank: Bank
  readonly account: BankAccount
  readonly request: BankRequest
  readonly query: URLSearchParams
  /** The first segment of the path, like `cob`. */
  readonly resource: string
  /** The id in the path, or an empty string. */
  readonly id: string
  /** The id of a part, like a return's, or an empty string. */
  readonly partId: string
  /** Throws a `SyntaxError` for a body that isn't JSON. */
  readonly readBody: () => unknown
}

/** Handlers by the call's name (`nameCall`). */
export type Routes = Readonly<Record<string, (call: BankCall) => BankAnswer | Promise<BankAnswer>>>
