/** What the bank answers: a status and JSON, or nothing but the status. */
export interface BankAnswer {
  readonly status: number
  readonly body?: unknown
  readonly contentType?: string
}

/** A refusal in the form of RFC 7807, with the type that API Pix gives it. */
export const problem = (status: number, kind: string, detail: string, property?: string): BankAnswer => ({
  status,
  contentType: "application/problem+json",
  body: {
    type: `https://pix.bcb.gov.br/api/v2/error/${kind}`,
    title: kind,
    status,
    detail,
    ...(property !== undefined && { violacoes: [{ razao: detail, propriedade: property }] }),
  },
})
