import type { PublishedWays } from "../wire/BankOptions.ts"
import { bancoDoBrasil } from "./bancoDoBrasil.ts"
import { banrisul } from "./banrisul.ts"
import { bradesco } from "./bradesco.ts"
import { c6 } from "./c6.ts"
import { cielo } from "./cielo.ts"
import { efi } from "./efi.ts"
import { inter } from "./inter.ts"
import { itau, itauRegulatorio } from "./itau.ts"
import { pagbank } from "./pagbank.ts"
import { santander } from "./santander.ts"
import { sicoob } from "./sicoob.ts"
import { sicredi } from "./sicredi.ts"

/** The ways of banks on the wire. They come from publications alone, so they don't repeat an adapter's mistakes. */
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
