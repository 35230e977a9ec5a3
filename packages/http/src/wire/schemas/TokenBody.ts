import * as Schema from "effect/Schema"

/** Body of `POST /api/token` (docs/interface.md, Authentication). Unknown keys are ignored (decision 5). */
export const CredentialsBody = Schema.Struct({
  cnpj: Schema.String.annotate({ description: "CNPJ da empresa que emite, com ou sem pontuação." }),
  chave: Schema.String.annotate({
    description: "Chave de integração da empresa ou da sua revenda.",
    format: "password",
  }),
}).annotate({ identifier: "Credenciais", description: "Com o que uma empresa se identifica." })

/** Body of the 200 response to `GET /api/token/{segredoBase64}`: a JWT (decision 3). */
export const TokenBody = Schema.Struct({
  sucesso: Schema.Literal(true),
  data: Schema.String.annotate({ description: "O token, um JWT." }),
}).annotate({ identifier: "Token", description: "O token das outras chamadas." })
