import type { CredentialsBody, TokenBody } from "./schemas/TokenBody.ts"

export const isCredentialsBody = (body: unknown): body is typeof CredentialsBody.Type => {
  const { cnpj, chave } = Object(body) as Readonly<Record<string, unknown>>
  return typeof cnpj === "string" && typeof chave === "string"
}

export const tokenBody = (jwt: string): typeof TokenBody.Type => ({ sucesso: true, data: jwt })
