import * as Predicate from "effect/Predicate"

/** An object's fields, with those of the envelope that some banks put an answer in. */
export const readFields = (json: unknown): Readonly<Record<string, unknown>> => {
  if (!Predicate.isObject(json)) return {}
  const fields: Readonly<Record<string, unknown>> = { ...json }
  return { ...fields, ...(Predicate.isObject(fields["data"]) && fields["data"]) }
}

/** The body of an immediate charge that lives for ten minutes. */
export const walkedBody = (pixKey: string, reais: string) => ({
  calendario: { expiracao: 600 },
  valor: { original: reais },
  chave: pixKey,
})

/** When a charge was made, as the bank writes it. */
export const readCreation = (charge: Readonly<Record<string, unknown>>): unknown =>
  readFields(charge["calendario"])["criacao"]
