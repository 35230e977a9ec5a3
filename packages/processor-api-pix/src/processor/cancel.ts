import type { CancelOutcome, ProcessorRejected } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charges"
import * as Effect from "effect/Effect"
import type { PspClient } from "../http/PspClient.ts"
import type { PspCharge } from "../wire/Cob.ts"
import { removalBody } from "../wire/CobBody.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import { changeCharge, failRejected, findChargeOrFail, makeRejected } from "./chargeCalls.ts"
import { lookup } from "./lookup.ts"

const failKeptPayable = () => makeRejected("cancel", "the bank keeps the charge payable")

/** Also by a payment that can't be read. */
const isPaid = ({ status, payments, flaws }: PspCharge): boolean =>
  status === "completed" || payments.length > 0 || flaws !== undefined

const remove = (client: PspClient, { txid, dueDate }: Charge) =>
  changeCharge(client, txid, dueDate !== undefined, { operation: "cancel", method: "PATCH", body: removalBody })

const isPayable = (known: PspCharge): boolean => known.status === "active" && !isPaid(known)

/**
 * The bank's charge decides the race with a payment; while it can still be paid it is not cancelled. A removal that is
 * answered 404 may have gone to a wrong path: only the look-up says that there is no charge.
 */
const settle = Effect.fnUntraced(function* (client: PspClient, charge: Charge, whyNot: ProcessorRejected | PspRefusal) {
  const known = yield* findChargeOrFail(client, charge.txid, charge.dueDate !== undefined)
  return known !== undefined && isPayable(known) ? yield* whyNot : known
})

/**
 * Removes the charge (`REMOVIDA_PELO_USUARIO_RECEBEDOR`). If the bank shows a payment that came before, the charge is paid.
 * If the bank doesn't know the charge, nobody can pay it.
 */
export const cancel = Effect.fnUntraced(
  function* (client: PspClient, charge: Charge) {
    const changed = yield* Effect.catchTag(remove(client, charge), "PspRefusal", (refusal) =>
      settle(client, charge, refusal),
    )
    // Some banks return the charge as it was before.
    const known =
      changed !== undefined && isPayable(changed) ? yield* settle(client, charge, failKeptPayable()) : changed
    if (known === undefined || !isPaid(known)) return { _tag: "Cancelled" } satisfies CancelOutcome
    return { _tag: "Paid", view: yield* lookup(client, charge) } satisfies CancelOutcome
  },
  Effect.catchTag("PspRefusal", failRejected("cancel")),
)
