import type { CancelOutcome } from "@pixcharge/core"
import type { CycleCharge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { PspClient } from "../../http/PspClient.ts"
import type { ReceivingAccount } from "../../ReceivingAccount.ts"
import { type PspCycle, cycleReaderFor } from "../../wire/CobR.ts"
import { cyclePath } from "../../wire/paths.ts"
import { readShown } from "../../wire/Reader.ts"
import { cancellationBody } from "../../wire/recurrenceBodies.ts"
import { failRejected, failUnavailable, makeRejected } from "../chargeCalls.ts"
import { findCycle } from "./cycleCalls.ts"
import { lookupCycle } from "./lookupCycle.ts"

const operation = "cancelCycle"

/** Also by a payment that can't be read, or by an attempt that is paid before its charge is. */
const isPaid = ({ status, payments, flaws, attempts }: PspCycle): boolean =>
  status === "completed" || payments.length > 0 || flaws !== undefined || attempts.some((one) => one.status === "paid")

const isOpen = (known: PspCycle): boolean => (known.status === "active" || known.status === "unknown") && !isPaid(known)

/**
 * Takes a cycle's charge back (`CANCELADA`). The bank decides the race with the payer's bank: only what it shows counts, and a
 * charge that it keeps is not cancelled. One of which it knows nothing is debited by nobody.
 */
export const cancelCycle = Effect.fnUntraced(
  function* (client: PspClient, charge: CycleCharge, account: ReceivingAccount) {
    const { txid } = charge
    const answered = yield* Effect.result(
      client.call({
        operation,
        method: "PATCH",
        path: cyclePath(txid),
        body: cancellationBody,
        read: readShown(cycleReaderFor(txid)),
      }),
    )
    if (Result.isFailure(answered) && answered.failure._tag === "ProcessorUnavailable") return yield* answered.failure
    const shown = Result.getOrUndefined(answered)
    // Some banks return nothing, or the charge as it was before.
    const known =
      shown !== undefined && !isOpen(shown)
        ? shown
        : yield* Effect.catchTag(findCycle(client, txid), "PspRefusal", failUnavailable(operation))
    if (known !== undefined && isOpen(known)) {
      return yield* Result.isFailure(answered)
        ? answered.failure
        : makeRejected(operation, "the bank keeps the charge to be debited")
    }
    if (known === undefined || !isPaid(known)) return { _tag: "Cancelled" } satisfies CancelOutcome
    return { _tag: "Paid", view: yield* lookupCycle(client, charge, account) } satisfies CancelOutcome
  },
  Effect.catchTag("PspRefusal", failRejected(operation)),
)
