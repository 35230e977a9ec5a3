import * as Schema from "effect/Schema"

/** Body of the 200 of `GET /api/token/{segredoBase64}`: a JWT (decision 3). */
export const TokenBody = Schema.Struct({
  sucesso: Schema.Literal(true),
  data: Schema.String.annotate({ description: "O token, um JWT." }),
}).annotate({ identifier: "Token", description: "O token das outras chamadas." })

export const tokenBody = (jwt: string): typeof TokenBody.Type => ({ sucesso: true, data: jwt })
