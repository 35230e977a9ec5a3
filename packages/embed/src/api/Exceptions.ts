import { InvalidOption, type Page, type PageRequest } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { Services } from "../instance/services.ts"
import type { Calls } from "./calls.ts"
import { parseRefund, type RefundInput } from "./checkFields.ts"
import {
  checkExceptionFilter,
  checkNames,
  checkPage,
  type ExceptionFilter,
  mapPage,
  pageRequest,
  pages,
} from "./filters.ts"
import { type PlainException, toPlainException } from "./plain.ts"

/** A host's calls about payments that settled no charge, named by their endToEndId. */
export interface Exceptions {
  /** Open exceptions, oldest first. */
  readonly list: (issuer: string) => AsyncIterable<PlainException>
  /**
   * Exceptions of every status whose payment was made within a period, newest payment first; `status` narrows them. Rejects
   * with `InvalidFilter`.
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
   * Refunds the whole payment; its state is `Refunding` while the processor works on it. Rejects with `ExceptionNotFound`,
   * `ExceptionClosed` (`state` says why), `ExceptionRefundRejected` or `InvalidRefundReason`.
   */
  readonly refund: (issuer: string, endToEndId: string, refund?: RefundInput) => Promise<PlainException>
  /**
   * Keeps the payment and closes the exception with a note. Rejects with `ExceptionNotFound`, `ExceptionClosed`, or
   * `InvalidOption` without a note.
   */
  readonly resolve: (issuer: string, endToEndId: string, note: string) => Promise<PlainException>
}

const checkNote = (note: string): Effect.Effect<string, InvalidOption> =>
  typeof note === "string"
    ? Effect.succeed(note)
    : Effect.fail(new InvalidOption({ message: "exceptions.resolve needs a note, as text." }))

export const makeExceptions = ({ asCompany }: Calls<Services>): Exceptions => ({
  list: (issuer) =>
    pages((page) =>
      asCompany(issuer, ({ exceptions }, company) =>
        Effect.map(exceptions.list(company, page), (listed) => mapPage(listed, toPlainException)),
      ),
    ),
  search: (issuer, filter, page = {}) =>
    asCompany(issuer, ({ exceptions }, company) =>
      Effect.flatMap(
        Effect.all([checkExceptionFilter(filter), checkPage(page)]),
        ([{ from, until, status }, checked]) =>
          Effect.map(
            exceptions.search(company, { from, until, ...(status && { status }) }, pageRequest(checked)),
            (listed) => mapPage(listed, toPlainException),
          ),
      ),
    ),
  find: (issuer, endToEndId) =>
    asCompany(issuer, ({ exceptions }, company) =>
      Effect.flatMap(checkNames({ endToEndId }), () =>
        Effect.map(exceptions.find(company, endToEndId), toPlainException),
      ),
    ),
  refund: (issuer, endToEndId, refund, ...surplus: ReadonlyArray<unknown>) =>
    asCompany(issuer, ({ exceptions }, company) =>
      Effect.flatMap(
        Effect.all([
          checkNames({ endToEndId }),
          parseRefund("exceptions.refund(issuer, endToEndId, refund)", refund, surplus),
        ]),
        ([, reason]) => Effect.map(exceptions.refund(company, endToEndId, reason), toPlainException),
      ),
    ),
  resolve: (issuer, endToEndId, note) =>
    asCompany(issuer, ({ exceptions }, company) =>
      Effect.flatMap(Effect.all([checkNames({ endToEndId }), checkNote(note)]), ([, checkedNote]) =>
        Effect.map(exceptions.resolve(company, endToEndId, checkedNote), toPlainException),
      ),
    ),
})
