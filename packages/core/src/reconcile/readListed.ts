import * as Effect from "effect/Effect"
import { hideCause } from "../runtime/error/hideCause.ts"
import { ProcessorUnavailable } from "../ports/portErrors.ts"
import type { Cnpj } from "../party/Cnpj.ts"
import type { PaymentPage, PaymentProcessor, PaymentSearch } from "../ports/PaymentProcessor.ts"

/** A page that takes longer is given up as unanswered. */
const maxPageMs = 60_000

/** Reads one page of the payments that a processor lists. */
export const makeReadListed = (processor: PaymentProcessor["Service"]) =>
  Effect.fnUntraced(function* (
    issuer: Cnpj,
    search: PaymentSearch,
    cursor?: string,
  ): Effect.fn.Return<PaymentPage, ProcessorUnavailable> {
    const page = yield* Effect.suspend(() => processor.payments(issuer, search, cursor)).pipe(
      Effect.timeoutOrElse({
        duration: maxPageMs,
        orElse: () => new ProcessorUnavailable({ operation: "payments", cause: `no answer within ${maxPageMs} ms` }),
      }),
      // An adapter that breaks on an odd answer has given none.
      Effect.catchDefect((cause) => new ProcessorUnavailable({ operation: "payments", cause: hideCause(cause) })),
    )
    if (page.cursor !== undefined && page.cursor === cursor) {
      return yield* new ProcessorUnavailable({ operation: "payments", cause: "the next page has the same cursor" })
    }
    return page
  })
