import * as Effect from "effect/Effect"
import type { DirectoryUnavailable } from "../../directory/directoryErrors.ts"
import type { Cnpj } from "../../party/Cnpj.ts"
import type { ChargePorts } from "../ChargePorts.ts"

/**
 * Whether a key that the processor shows is another company's. A charge keeps the key under which it was issued: one that no
 * company has any more may be this one's.
 */
export const makeIsKeyOfAnother =
  ({ directory }: Pick<ChargePorts, "directory">) =>
  (issuer: Cnpj, pixKey: string | undefined): Effect.Effect<boolean, DirectoryUnavailable> =>
    pixKey === undefined
      ? Effect.succeed(false)
      : Effect.map(directory.byPixKey(pixKey), (entry) => (entry?.company.cnpj ?? issuer) !== issuer)
