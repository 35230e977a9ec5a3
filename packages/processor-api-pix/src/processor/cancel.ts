import { type CancelOutcome, ProcessorRejected } from "@pixcharge/core"
import type { Charge } from "@pixcharge/core/charge"
import * as Effect from "effect/Effect"
import type { PspClient } from "../http/PspClient.ts"
import { type PspCharge, readChargeWith } from "../wire/Cob.ts"
import { removalBody } from "../wire/CobBody.ts"
import { chargePath } from "../wire/paths.ts"
import type { PspRefusal } from "../wire/Problem.ts"
import { findCharge, orMissing } from "./findCharge.ts"
import { lookup } from "./lookup.ts"

const rejected = (reason: string) => new ProcessorRejected({ operation: "cancel", reason })

const isPaid = ({ status, payments }: PspCharge): boolean => status === "completed" || payments.length > 0

const remove = (client: PspClient, { txid, dueDate }: Charge) =>
  client.call({
    operation: "cancel",
    method: "PATCH",
    path: chargePath(txid, dueDate !== undefined),
    body: removalBody,
    read: readChargeWith(client.profile.codeFields),
  })

/** The bank refuses to remove what is removed or paid already: what it says then settles the race. */
const afterRefusal = Effect.fnUntraced(function* (client: PspClient, charge: Charge, refusal: PspRefusal) {
  const known = yield* findCharge(client, charge.txid, charge.dueDate !== undefined)
  return known?.status === "active" && !isPaid(known) ? yield* rejected(refusal.reason) : known
})

/**
 * Removes the charge (`REMOVIDA_PELO_USUARIO_RECEBEDOR`). A payment that came before is what the bank says it is: the
 * charge is paid then. What the bank doesn't know, nobody can pay.
 */
export const cancel = Effect.fnUntraced(
  function* (client: PspClient, charge: Charge) {
    const known = yield* Effect.catchTag(orMissing(remove(client, charge)), "PspRefusal", (refusal) =>
      afterRefusal(client, charge, refusal),
    )
    if (known === undefined || !isPaid(known)) return { _tag: "Cancelled" } satisfies CancelOutcome
    return { _tag: "Paid", view: yield* lookup(client, charge) } satisfies CancelOutcome
  },
  Effect.catchTag("PspRefusal", ({ reason }) => Effect.fail(rejected(reason))),
)
