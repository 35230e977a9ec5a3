import { readFields } from "../walk/Walk.ts"

/** The body of an immediate charge that lives for ten minutes. */
export const walkedBody = (pixKey: string, reais: string) => ({
  calendario: { expiracao: 600 },
  valor: { original: reais },
  chave: pixKey,
})

/** When a charge was made, as the bank writes it. */
export const readCreation = (charge: Readonly<Record<string, unknown>>): unknown =>
  readFields(charge["calendario"])["criacao"]
