import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { bankWays } from "../ways/bankWays.ts"
import { type BankAccount, type BankWays, type PublishedWays, standardWays } from "../wire/BankOptions.ts"
import { type BankName, writeCommands } from "./readArguments.ts"

export const account = {
  cnpj: "12345678000195",
  name: "Minha Loja",
  pixKeys: ["a2c4e6f8-1234-4abc-8def-0123456789ab"],
  clientId: "minha-loja",
  clientSecret: "secret-of-minha-loja",
  applicationKey: "application-key-of-minha-loja",
  accountNumber: "1234567",
} as const satisfies BankAccount

/** A bank's ways in production, without its host names, because this machine is all of its hosts. */
export const findWays = (psp: BankName): Partial<BankWays> => {
  const { hosts: _, ...ways }: Partial<BankWays> = bankWays[psp].production
  return ways
}

/** Banks that refuse a webhook without client certificates, unless the host disables the check. */
const lookForCertificates = new Set<BankName>(["efi"])

/** The `apiPix` options of a host, which name certificates and keys by the paths of their files. */
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

export type BankConnection = ReturnType<typeof describeConnection>

/** The package that the host imports. */
const adapter = "@pixcharge/processor-api-pix"

const files = new Set(["cert", "key", "ca"])

const writeField = ([name, value]: readonly [string, unknown]): string => {
  const text = JSON.stringify(value)
  return `      ${name}: ${files.has(name) ? `readFileSync(${text})` : text},`
}

/** The host's module that connects it to the bank. */
const writeModule = (connection: BankConnection): string => `import { readFileSync } from "node:fs"
import { apiPix } from ${JSON.stringify(adapter)}

export const bank = apiPix({
  companies: {
    "${account.cnpj}": {
${Object.entries(connection).map(writeField).join("\n")}
    },
  },
  noticeSecrets: ["${randomBytes(32).toString("hex")}"],
})`

export const writeInstructions = (connection: BankConnection, folder: string, controlUrl: string): string => {
  const { psp, baseUrl, clientId } = connection
  return `The simulated bank "${psp}" listens at ${baseUrl}. It accepts only its client's certificate, and moves no money.
Certificates and keys are in ${folder}

The company and its account, and the settings of the first real payment:

CNPJ=${account.cnpj}
PIX_KEY=${account.pixKeys[0]}
PSP_URL=${baseUrl}
PSP_CLIENT_ID=${clientId}
PSP_CLIENT_SECRET=${account.clientSecret}

A module of your host that connects apiPix, as it stands:

${writeModule(connection)}

For recurrences (Pix Automático), where the bank has them, add to its connection:

      receivingAccount: { branch: "0001", number: ${JSON.stringify(account.accountNumber)}, kind: "checking" },

Once your host has registered its webhook and issued a charge:

${writeCommands(controlUrl)}

Ctrl+C ends the bank.`
}
