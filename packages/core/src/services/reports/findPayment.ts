import * as Effect from "effect/Effect"
import type { SettledCharge } from "../../model/charge/Charge.ts"
import type { Payment, PaymentException } from "../../model/charge/index.ts"
import type { Cnpj } from "../../model/party/Cnpj.ts"
import type { ChargeLists } from "../../ports/ChargeLists.ts"
import type { ChargeStore } from "../../ports/ChargeStore.ts"
import type { ExceptionStore } from "../../ports/ExceptionStore.ts"
import { StoreUnavailable } from "../../ports/portErrors.ts"

export type FoundPayment =
  | { readonly payment: Payment; readonly charge: SettledCharge; readonly exception?: undefined }
  | { readonly payment: Payment; readonly exception: PaymentException; readonly charge?: undefined }

interface FindPorts {
  readonly lists: Pick<ChargeLists["Service"], "paymentInAnyCase">
  readonly store: Pick<ChargeStore["Service"], "find">
  readonly exceptions: Pick<ExceptionStore["Service"], "find">
}

const operation = "findPayment"
/** A commit can move the payment between two reads. */
const maxRounds = 3

export const makeFindPayment = ({ lists, store, exceptions }: FindPorts) =>
  Effect.fnUntraced(function* (
    issuer: Cnpj,
    sought: string,
  ): Effect.fn.Return<FoundPayment | undefined, StoreUnavailable> {
    for (let round = 0; round < maxRounds; round++) {
      const payment = yield* lists.paymentInAnyCase(issuer, sought)
      if (payment === undefined) return undefined
      const { endToEndId, chargeId } = payment
      const exception = yield* exceptions.find(issuer, endToEndId)
      if (exception !== undefined) return { payment: exception.payment, exception }
      const charge = chargeId && (yield* store.find(issuer, chargeId))
      if (charge && "payment" in charge && charge.payment.endToEndId === endToEndId) return { payment, charge }
    }
    return yield* new StoreUnavailable({ operation, cause: "the payment moved during each read" })
  })
