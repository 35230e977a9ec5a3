import { ProcessorUnavailable } from "@pixcharge/core"
import type { CycleOrder } from "@pixcharge/core/recurring"
import * as Effect from "effect/Effect"
import type { PspClient } from "../../http/PspClient.ts"
import type { ReceivingAccount } from "../../ReceivingAccount.ts"
import { type PspCycle, cycleReaderFor } from "../../wire/CobR.ts"
import { cyclePath } from "../../wire/paths.ts"
import type { PspRefusal } from "../../wire/Problem.ts"
import { readShown } from "../../wire/Reader.ts"
import { cycleBody, withDebtor } from "../../wire/recurrenceBodies.ts"
import { failRejected, failUnavailable, makeRejected } from "../chargeCalls.ts"
import { findCycle, isAboutCharge, isSameCycle } from "./cycleCalls.ts"

const operation = "chargeCycle"

const writeBody = ({ profile }: PspClient, { charge }: CycleOrder, account: ReceivingAccount) => {
  const body = cycleBody(charge, charge.cycle, account)
  return profile.recurrences === "withDebtor" ? withDebtor(body) : body
}

/** Makes it known under its txid; undefined where the answer doesn't show it. */
const put = (client: PspClient, order: CycleOrder, account: ReceivingAccount) => {
  const { txid } = order.charge
  return client.call({
    operation,
    method: "PUT",
    path: cyclePath(txid),
    body: writeBody(client, order, account),
    read: readShown(cycleReaderFor(txid)),
  })
}

const lookAgain = (client: PspClient, { charge }: CycleOrder) =>
  Effect.catchTag(findCycle(client, charge.txid), "PspRefusal", failUnavailable(operation))

/** One error of the bank says "the txid is in use", "the cycle has a charge" and "wrong": only what it shows tells them apart. */
const resolveRefusal = Effect.fnUntraced(function* (client: PspClient, order: CycleOrder, refusal: PspRefusal) {
  const known = yield* lookAgain(client, order)
  if (known !== undefined) return known
  return yield* isAboutCharge(refusal) ? refusal : new ProcessorUnavailable({ operation, cause: refusal })
})

/** Makes a cycle's charge known (`PUT /cobr/{txid}`), once: one that the bank has already must be the same. */
export const chargeCycle = Effect.fnUntraced(
  function* (client: PspClient, order: CycleOrder, account: ReceivingAccount) {
    const shown: PspCycle | undefined = yield* Effect.catchTag(put(client, order, account), "PspRefusal", (refusal) =>
      resolveRefusal(client, order, refusal),
    )
    const known = shown ?? (yield* lookAgain(client, order))
    if (known === undefined)
      return yield* new ProcessorUnavailable({ operation, cause: "the bank doesn't show it yet" })
    if (!isSameCycle(order, account, known)) {
      return yield* makeRejected(operation, "the txid has a charge of another recurrence, or of other terms")
    }
  },
  Effect.catchTag("PspRefusal", failRejected(operation)),
)
