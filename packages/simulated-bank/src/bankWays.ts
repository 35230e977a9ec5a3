import type { PublishedWays } from "./BankOptions.ts"
import { bancoDoBrasil } from "./ways/bancoDoBrasil.ts"
import { banrisul } from "./ways/banrisul.ts"
import { bradesco } from "./ways/bradesco.ts"
import { c6 } from "./ways/c6.ts"
import { cielo } from "./ways/cielo.ts"
import { efi } from "./ways/efi.ts"
import { inter } from "./ways/inter.ts"
import { itau, itauRegulatorio } from "./ways/itau.ts"
import { pagbank } from "./ways/pagbank.ts"
import { santander } from "./ways/santander.ts"
import { sicoob } from "./ways/sicoob.ts"
import { sicredi } from "./ways/sicredi.ts"

/**
 * The ways of banks on the wire. Each is written only from what the bank publishes, so that it doesn't repeat an
 * adapter's mistake.
 */
export const bankWays = {
  standard: { production: {} },
  bancoDoBrasil,
  banrisul,
  bradesco,
  c6,
  cielo,
  efi,
  inter,
  itau,
  itauRegulatorio,
  pagbank,
  santander,
  sicoob,
  sicredi,
} as const satisfies Record<string, PublishedWays>
