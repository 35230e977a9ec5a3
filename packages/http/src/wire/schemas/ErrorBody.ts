import * as Schema from "effect/Schema"

/** The body of every failure (docs/interface.md, Failures): exactly these two keys. */
export const ErrorBody = Schema.Struct({
  sucesso: Schema.Literal(false),
  errors: Schema.String.annotate({ description: "Uma frase para pessoas; pode mudar." }),
}).annotate({ identifier: "Erro", description: "Uma falha; a causa está no cabeçalho Pix-Erro." })
