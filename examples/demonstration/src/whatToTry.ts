import { demonstrationKey, demonstrationCnpj } from "./company.ts"

export interface Demonstration {
  readonly baseUrl: string
  /** The charge that is open at the start, and the link to its page. */
  readonly chargeId: string
  readonly payerPage: string
}

/** Addresses to visit, and commands that issue, pay, watch and refund a charge when pasted together into bash or zsh. */
export const whatToTry = ({ baseUrl, chargeId, payerPage }: Demonstration): string => {
  const secret = Buffer.from(`${demonstrationCnpj}|${demonstrationKey}`).toString("base64url")
  const body = `{"formaPagamento":{"tpTransacao":11,"idFaturaPag":"'$ID'","modPagamento":18,"valorPagamento":19.90}}`
  return [
    `A payer's page: ${payerPage}`,
    `Pay it here, and the payer's page shows the payment: ${baseUrl}/console/charges/${chargeId}`,
    "",
    `The console, to play payer, bank and clock, and see every call: ${baseUrl}/`,
    `The portal of a company: ${baseUrl}/portal/`,
    "",
    "Or paste this into another terminal:",
    "",
    "echo 'A token for the demonstration company'",
    `TOKEN=$(curl -s ${baseUrl}/api/token/${secret} | sed 's/.*"data":"\\([^"]*\\)".*/\\1/')`,
    "echo 'A charge of R$ 19,90, payable for ten minutes'",
    `ID=$(node -p 'crypto.randomUUID()')`,
    `curl -s ${baseUrl}/api/pix -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '${body}'; echo`,
    "echo 'Not paid yet: 410'",
    `curl -si ${baseUrl}/api/pix/$ID -H "Authorization: Bearer $TOKEN"; echo`,
    "echo 'Play the payer, then look again: 200 with receipts'",
    `curl -s -X POST ${baseUrl}/api/pix/simular-pagamento/$ID -H "Authorization: Bearer $TOKEN"; echo`,
    `curl -s ${baseUrl}/api/pix/$ID -H "Authorization: Bearer $TOKEN"; echo`,
    "echo 'Return the money'",
    `curl -s -X DELETE ${baseUrl}/api/pix/$ID -H "Authorization: Bearer $TOKEN"; echo`,
  ].join("\n")
}
