import * as Effect from "effect/Effect"
import type { DirectoryUnavailable } from "../../directory/directoryErrors.ts"
import type { Cnpj } from "../../party/Cnpj.ts"
import type { ChargePorts } from "../ChargePorts.ts"

/**
 * Whether one of the keys that the processor shows is another company's. A charge keeps the key under which it was issued: one
 * that no company has any more may be this one's.
 */
export const makeIsKeyOfAnother =
  ({ directory }: Pick<ChargePorts, "directory">) =>
  (issuer: Cnpj, ...shown: ReadonlyArray<string | undefined>): Effect.Effect<boolean, DirectoryUnavailable> => {
    const keys = new Set(shown.filter((pixKey) => pixKey !== undefined))
    return Effect.map(Effect.forEach(keys, directory.byPixKey), (entries) =>
      entries.some((entry) => (entry?.company.cnpj ?? issuer) !== issuer),
    )
  }
