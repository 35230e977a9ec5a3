import type { Choices } from "../choices.ts"
import { listEndings, nameOwnImports } from "./servers.ts"
import { writeImports } from "./writeImports.ts"

/** `src/issue.ts`: a charge without a server. */
export const writeIssueScript = (choices: Choices): string => `${writeImports({
  "node:crypto": "{ randomUUID }",
  ...nameOwnImports(choices, "shop"),
})}

const charge = await pix.issue(shop.cnpj, { id: randomUUID(), amountCents: 1990 })
console.log(charge.status)
// The payer's app takes it by copy and paste, or as a QR code.
console.log(charge.brCode)

${listEndings(choices).join("\n")}
`
