import type { PlainCharge } from "@pixcharge/embed"

export interface Caller {
  /** The address of the mount, with its prefix: `http://127.0.0.1:3000`. */
  readonly baseUrl: string
  readonly cnpj: string
  readonly integratorKey: string
}

export interface Command {
  readonly says: string
  readonly line: string
}

const reais = (cents: number): number => cents / 100

const chargeBody = ({ id, amountCents, dueDate, payer }: PlainCharge): object => ({
  formaPagamento: {
    tpTransacao: 11,
    idFaturaPag: id,
    modPagamento: 18,
    valorPagamento: reais(amountCents),
    ...(dueDate !== undefined && { dataVencimento: dueDate }),
  },
  ...(payer !== undefined && { cliente: { xNome: payer.name, documento: payer.taxId } }),
})

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const json = "-H 'Content-Type: application/json'"
const bearer = '-H "Authorization: Bearer $TOKEN"'

export const curlCommands = (
  { baseUrl, cnpj, integratorKey }: Caller,
  charge: PlainCharge,
): Readonly<Record<"token" | "issue" | "status" | "pay" | "refund", Command>> => {
  const pix = `${baseUrl}/api/pix`
  const credentials = JSON.stringify({ cnpj, chave: integratorKey })
  return {
    token: {
      says: "A token of the company",
      line: `TOKEN=$(curl -s ${baseUrl}/api/token ${json} -d ${quote(credentials)} | sed 's/.*"data":"\\([^"]*\\)".*/\\1/')`,
    },
    issue: {
      says: "Issue this charge; if it exists, find it",
      line: `curl -s ${pix} ${bearer} ${json} -d ${quote(JSON.stringify(chargeBody(charge)))}; echo`,
    },
    status: { says: "Get its status", line: `curl -si ${pix}/${charge.id} ${bearer}; echo` },
    pay: { says: "Play its payer", line: `curl -s -X POST ${pix}/simular-pagamento/${charge.id} ${bearer}; echo` },
    refund: { says: "Return the money", line: `curl -s -X DELETE ${pix}/${charge.id} ${bearer}; echo` },
  }
}
