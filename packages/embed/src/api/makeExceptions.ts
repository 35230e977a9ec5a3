import { InvalidOption } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import { checkExceptionFilter, checkNames, checkPage, mapPage, pageRequest, pages } from "./ChargeFilter.ts"
import type { Calls } from "./makeCalls.ts"
import { parseRefund } from "./checkFields.ts"
import type { Exceptions } from "./Exceptions.ts"
import { toPlainException } from "./plain.ts"
import type { Services } from "../services.ts"

const checkNote = (note: string): Effect.Effect<string, InvalidOption> =>
  typeof note === "string"
    ? Effect.succeed(note)
    : Effect.fail(new InvalidOption({ message: "exceptions.resolve needs a note, as text." }))

/** Payments that settled no charge, for a plain host. */
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
      Effect.flatMap(Effect.all([checkNames({ endToEndId }), checkNote(note)]), ([, said]) =>
        Effect.map(exceptions.resolve(company, endToEndId, said), toPlainException),
      ),
    ),
})
