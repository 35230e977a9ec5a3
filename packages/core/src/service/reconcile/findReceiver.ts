import * as Effect from "effect/Effect"
import { chargeIdFromTxid } from "../../charge/ChargeId.ts"
import type { DirectoryUnavailable, StoreUnavailable } from "../../errors.ts"
import type { Cnpj } from "../../party/Cnpj.ts"
import type { ReceivedPayment } from "../../ports/PaymentProcessor.ts"
import type { ReconcilerPorts } from "./ReconcilerPorts.ts"

/**
 * Companies may share an account: then the key says whose payment it is. One for a charge of the company's own is its own,
 * whoever has the charge's key by now.
 */
export const makeFindReceiver = ({ directory, charges }: Pick<ReconcilerPorts, "directory" | "charges">) =>
  Effect.fnUntraced(function* ({
    issuer,
    pixKey,
    txid,
  }: ReceivedPayment): Effect.fn.Return<Cnpj, DirectoryUnavailable | StoreUnavailable> {
    const entry = pixKey === undefined ? undefined : yield* directory.byPixKey(pixKey)
    const holder = entry?.company.cnpj ?? issuer
    const id = holder === issuer || txid === undefined ? undefined : chargeIdFromTxid(txid)
    if (id === undefined) return holder
    return yield* charges.find(issuer, id).pipe(
      Effect.as(issuer),
      Effect.catchTag("ChargeNotFound", () => Effect.succeed(holder)),
    )
  })
