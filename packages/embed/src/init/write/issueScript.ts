import type { Choices } from "../choices.ts"
import { joinImports } from "./joinImports.ts"
import { listEndings, listOwnImports } from "./servers.ts"

/** `src/issue.ts`: a charge without a server. */
export const writeIssueScript = (choices: Choices): string => `${joinImports([
  'import { randomUUID } from "node:crypto"',
  ...listOwnImports(choices, "shop"),
])}

const charge = await pix.issue(shop.cnpj, { id: randomUUID(), amountCents: 1990 })
console.log(charge.status)
// The payer's app takes it by copy and paste, or as a QR code.
console.log(charge.brCode)

${listEndings(choices).join("\n")}
`
