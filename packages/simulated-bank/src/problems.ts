import * as Predicate from "effect/Predicate"

/** The bank's answer: a status and JSON, or only the status. */
export interface BankAnswer {
  readonly status: number
  readonly body?: unknown
  readonly contentType?: string
}

/** A refusal in the form of RFC 7807, with API Pix's type. */
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

/** Whether it is a refusal because of this property. */
export const isRefusalOf = ({ body }: BankAnswer, property: string): boolean =>
  Predicate.hasProperty(body, "violacoes") &&
  (body.violacoes as ReadonlyArray<{ readonly propriedade: string }>).some(({ propriedade }) =>
    propriedade.endsWith(property),
  )
