import { randomBytes } from "node:crypto"
import { account, type BankConnection } from "./bankClient.ts"
import { writeCommands } from "./writeHelp.ts"

/** What the host imports, and the bank does not. */
const adapter = "@pixcharge/processor-api-pix"

const files = new Set(["cert", "key", "ca"])

const writeField = ([name, value]: readonly [string, unknown]): string => {
  const text = JSON.stringify(value)
  return `      ${name}: ${files.has(name) ? `readFileSync(${text})` : text},`
}

/** The module of a host's that connects it to the bank. */
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

/** What is printed at the start: what the host is given, and how the bank is told to pay. */
export const writeInstructions = (connection: BankConnection, folder: string, controlUrl: string): string => {
  const { psp, baseUrl, clientId } = connection
  return `The simulated bank "${psp}" listens at ${baseUrl}. It lets in who shows its client certificate, and moves no money.
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
