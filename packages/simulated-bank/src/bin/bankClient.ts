import { join } from "node:path"
import { bankWays } from "../bankWays.ts"
import { type BankAccount, type BankWays, type PublishedWays, standardWays } from "../BankOptions.ts"
import type { BankName } from "./readArguments.ts"

/** The only account of the bank. */
export const account = {
  cnpj: "12345678000195",
  name: "Minha Loja",
  pixKeys: ["a2c4e6f8-1234-4abc-8def-0123456789ab"],
  clientId: "minha-loja",
  clientSecret: "secret-of-minha-loja",
  applicationKey: "application-key-of-minha-loja",
  accountNumber: "1234567",
} as const satisfies BankAccount

/** A bank's ways in production, without the names of its servers: all of them are this machine. */
export const findWays = (psp: BankName): Partial<BankWays> => {
  const { hosts: _, ...ways }: Partial<BankWays> = bankWays[psp].production
  return ways
}

/** These refuse a webhook that takes calls without a certificate, unless they are told not to look. */
const lookForCertificates = new Set<BankName>(["efi"])

/** What a host gives `apiPix` to reach the bank; certificates and keys by the paths of their files. */
export const describeConnection = (psp: BankName, baseUrl: string, folder: string) => {
  const { hosts }: Partial<BankWays> = (bankWays[psp] satisfies PublishedWays).production
  const { token, tokenPath, wants } = { ...standardWays(), ...findWays(psp) }
  const wanted = new Set([...Object.values(wants.headers), ...Object.values(wants.query)])
  const { clientId, clientSecret, applicationKey, accountNumber } = account
  return {
    psp,
    baseUrl,
    ...(hosts?.api !== hosts?.token && { tokenUrl: `${baseUrl}${tokenPath}` }),
    clientId,
    ...(token.client !== "certificate" && { clientSecret }),
    ...((wanted.has("applicationKey") || wanted.has("keyOrClientId")) && { applicationKey }),
    ...(wanted.has("accountNumber") && { account: accountNumber }),
    ...(lookForCertificates.has(psp) && { skipWebhookMtls: true }),
    cert: join(folder, "client.pem"),
    key: join(folder, "client.key"),
    ca: join(folder, "bank-ca.pem"),
  }
}

/** See `describeConnection`. */
export type BankConnection = ReturnType<typeof describeConnection>
