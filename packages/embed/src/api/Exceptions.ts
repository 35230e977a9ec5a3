import type { Page, PageRequest, Period } from "@pixcharge/core"
import type { ExceptionStatus } from "@pixcharge/core/charges"
import type { PlainException } from "./plain.ts"
import type { RefundInput } from "./checkFields.ts"

/** Which exceptions to list: those whose payment was made within the period, and of these only those of this status. */
export interface ExceptionFilter extends Period {
  /** `returned` once the whole payment went back, by us or elsewhere. */
  readonly status?: ExceptionStatus | undefined
}

/** What a host can do about payments that settled no charge; payments are named by their endToEndId. */
export interface Exceptions {
  /** What waits for a decision, oldest first. */
  readonly list: (issuer: string) => AsyncIterable<PlainException>
  /**
   * The exceptions of every status whose payment was made within a period, newest payment first, page by page; with a
   * status, only those of that status. Filter and page may come from a request. Rejects with `InvalidFilter`. A page holds
   * 500 by default, and 1 to 1000.
   *
   * @example
   * const { items, cursor } = await pix.exceptions.search("12345678000195", { from, until, status: "returned" })
   */
  readonly search: (
    issuer: string,
    filter: ExceptionFilter,
    page?: Partial<PageRequest>,
  ) => Promise<Page<PlainException>>
  /** One exception, of any status. Rejects with `ExceptionNotFound` or `InvalidFilter`. */
  readonly find: (issuer: string, endToEndId: string) => Promise<PlainException>
  /**
   * Returns the whole payment; its state is `Refunding` while the processor works on it. Rejects with `ExceptionNotFound`,
   * `ExceptionClosed` (`state` says why), `ExceptionRefundRejected` or `InvalidRefundReason`.
   */
  readonly refund: (issuer: string, endToEndId: string, refund?: RefundInput) => Promise<PlainException>
  /**
   * Keeps the payment and closes the exception, with a note that says why. Rejects with `ExceptionNotFound`,
   * `ExceptionClosed`, or `InvalidOption` without a note.
   */
  readonly resolve: (issuer: string, endToEndId: string, note: string) => Promise<PlainException>
}
