import * as Schema from "effect/Schema"

/** Body of `POST /api/token` (docs/interface.md, Authentication). Unknown keys are ignored (decision 5). */
export const CredentialsBody = Schema.Struct({ cnpj: Schema.String, chave: Schema.String })

/** Whether a JSON value names both. */
export const isCredentialsBody = Schema.is(CredentialsBody)
