import { type KnownProfile, standard } from "./PspProfile.ts"
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

/**
 * Bank profiles from public sources. They were tested only against our simulated bank: compare them with your bank's
 * documentation.
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

/**
 * Banks without a profile, by name in lower-case letters and digits.
 *
 * Each text ends the sentence "there is no profile of the bank that psp names, because ...". The sources are the banks'
 * documentation and https://github.com/bacen/pix-api/issues (76, 551, 560), read on 2026-11-22.
 */
export const unsupportedBanks: Readonly<Record<string, string>> = {
  // These banks publish too little about API Pix.
  ailos: "Ailos publishes neither due-date charges nor webhooks, and its token request holds a root certificate",
  bancodonordeste: "Banco do Nordeste names the two headers of its key and secret to its clients alone",
  bnb: "Banco do Nordeste names the two headers of its key and secret to its clients alone",
  btg: "BTG Pactual publishes no paths of API Pix, and gives its tokens to a person in a browser",
  caixa: "Caixa publishes neither the addresses of API Pix nor its token endpoint",
  cresol: "Cresol publishes nothing of API Pix",
  nubank: "Nubank publishes no API for receiving charges",
  original: "Banco Original publishes no addresses of API Pix",
  safra: "Safra publishes no addresses of API Pix",
  // These banks have an API of their own.
  asaas: "Asaas has an API of its own in place of API Pix",
  bankly: "Bankly has an API of its own in place of API Pix",
  bs2: "BS2 has an API of its own in place of API Pix",
  celcoin: "Celcoin has an API of its own in place of API Pix",
  cora: "Cora has an API of its own in place of API Pix",
  dock: "Dock has an API of its own in place of API Pix",
  iugu: "iugu has an API of its own in place of API Pix",
  mercadopago: "Mercado Pago has an API of its own in place of API Pix",
  openpix: "OpenPix (Woovi) has an API of its own in place of API Pix",
  picpay: "PicPay has an API of its own in place of API Pix",
  stone: "Stone has an API of its own in place of API Pix",
  woovi: "Woovi (OpenPix) has an API of its own in place of API Pix",
}

/** Former and other names of banks, in lower-case letters and digits. */
export const renamedBanks = { bb: "bancoDoBrasil", efipay: "efi", gerencianet: "efi", pagseguro: "pagbank" } as const

const findOwn = <A>(of: Readonly<Record<string, A>>, name: string): A | undefined =>
  Object.hasOwn(of, name) ? of[name] : undefined

/** Gives different spellings of a name the same form. */
const simplifyName = (name: string): string =>
  name
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")

const properNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.keys(pspProfiles).map((name) => [simplifyName(name), name])),
  ...renamedBanks,
}

/** A string says why there is no profile. */
export const findProfile = (name: string): KnownProfile | string => {
  const found = findOwn<KnownProfile>(pspProfiles, name)
  if (found !== undefined) return found
  const plain = simplifyName(name)
  const proper = findOwn(properNames, plain)
  if (proper !== undefined) return `psp must name the bank as "${proper}"`
  const others = `psp can be ${Object.keys(pspProfiles).join(", ")}; describe any other bank by a profile of your own`
  const why = findOwn(unsupportedBanks, plain)
  return why === undefined
    ? `psp names an unknown bank: ${others}`
    : `there is no profile of the bank that psp names, because ${why}: ${others}`
}
