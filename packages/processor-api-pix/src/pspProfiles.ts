import { bancoDoBrasil } from "./profiles/bancoDoBrasil.ts"
import { banrisul } from "./profiles/banrisul.ts"
import { bradesco } from "./profiles/bradesco.ts"
import { c6 } from "./profiles/c6.ts"
import { cielo } from "./profiles/cielo.ts"
import { efi } from "./profiles/efi.ts"
import { inter } from "./profiles/inter.ts"
import { itau } from "./profiles/itau.ts"
import { itauRegulatorio } from "./profiles/itauRegulatorio.ts"
import { pagbank } from "./profiles/pagbank.ts"
import { santander } from "./profiles/santander.ts"
import { sicoob } from "./profiles/sicoob.ts"
import { sicredi } from "./profiles/sicredi.ts"
import { standard } from "./profiles/standard.ts"
import { renamedBanks, unsupportedBanks } from "./profiles/unsupported.ts"
import type { KnownProfile } from "./PspProfile.ts"

/**
 * Profiles after what the banks publish, each with its sources. They were tested against our simulated bank only: compare
 * them with your bank's documents.
 */
export const pspProfiles = {
  standard,
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
} as const satisfies Record<string, KnownProfile>

/** A bank that `apiPix` knows by name. */
export type ProfileName = keyof typeof pspProfiles

/** Own entries only: a name may be anything where a host reads it from elsewhere. */
const findOwn = <A>(of: Readonly<Record<string, A>>, name: string): A | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined

/** "Mercado Pago", "mercado-pago" and "mercadoPago" are one to a person, and so are "Itaú" and "itau". */
const simplifyName = (name: string): string =>
  name
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")

const properNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(pspProfiles).map((name) => [simplifyName(name), name])),
  ...renamedBanks,
}

/** The profile of a bank by its name, or why there is none. */
export const findProfile = (name: string): KnownProfile | string => {
  const found = findOwn<KnownProfile>(pspProfiles, name)
  if (found !== undefined) return found
  const plain = simplifyName(name)
  const proper = findOwn(properNames, plain)
  if (proper !== undefined) return `psp must name the bank as "${proper}"`
  const others = `psp may be ${Object.keys(pspProfiles).join(", ")}; any other bank is described by a profile of your own`
  const why = findOwn(unsupportedBanks, plain)
  return why === undefined
    ? `psp names no bank that is known: ${others}`
    : `there is no profile of the bank that psp names, because ${why}: ${others}`
}
