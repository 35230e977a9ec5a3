import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { ProcessorUnavailable } from "../../ports/portErrors.ts"
import type { Cnpj } from "../../party/Cnpj.ts"
import type { PaymentProcessor, ProcessorView } from "../../ports/PaymentProcessor.ts"
import { makeFindReceivers, type Receiver, type ReceiverPorts } from "./findReceivers.ts"

/**
 * The processor, with views that show only a charge's own payments.
 *
 * Two companies with one account that issued the same txid share one charge at the processor. A payment belongs to the company
 * whose key it shows. A view without another company's key costs no look-up of receivers.
 */
export const ownViews = (ports: ReceiverPorts): PaymentProcessor["Service"] => {
  const { directory, processor } = ports
  const findReceivers = makeFindReceivers(ports)

  const isOthers = (issuer: Cnpj, pixKey: string | undefined) =>
    pixKey === undefined
      ? Effect.succeed(false)
      : Effect.map(directory.byPixKey(pixKey), (entry) => (entry?.company.cnpj ?? issuer) !== issuer)

  const filterView = Effect.fnUntraced(function* (issuer: Cnpj, view: ProcessorView) {
    const others = yield* Effect.filter(view.payments, ({ pixKey }) => isOthers(issuer, pixKey))
    const receivers = yield* findReceivers(
      issuer,
      others.map((payment) => ({ ...payment, returns: [] })),
    )
    const isOwn = (receiver: Receiver | undefined) =>
      receiver !== undefined && Result.isSuccess(receiver) && receiver.success === issuer
    const foreign = new Set(others.flatMap(({ endToEndId }, at) => (isOwn(receivers[at]) ? [] : endToEndId)))
    return {
      ...view,
      payments: view.payments.flatMap(({ pixKey: _, ...one }) => (foreign.has(one.endToEndId) ? [] : one)),
      returns: view.returns.filter(({ endToEndId }) => !foreign.has(endToEndId)),
    }
  })

  const ownView = (issuer: Cnpj, view: ProcessorView): Effect.Effect<ProcessorView, ProcessorUnavailable> =>
    Effect.mapError(filterView(issuer, view), (cause) => new ProcessorUnavailable({ operation: "lookup", cause }))

  return {
    ...processor,
    lookup: (charge) => Effect.flatMap(processor.lookup(charge), (view) => ownView(charge.issuer, view)),
    cancel: (charge) =>
      Effect.gen(function* () {
        const outcome = yield* processor.cancel(charge)
        return outcome._tag === "Paid" ? { ...outcome, view: yield* ownView(charge.issuer, outcome.view) } : outcome
      }),
  }
}
