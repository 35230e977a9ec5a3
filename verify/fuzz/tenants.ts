export interface Tenant {
  readonly cnpj: string
  readonly key: string
  readonly company: { readonly name: string; readonly city: string; readonly pixKey: string }
}

const tenant = (cnpj: string, name: string, city: string, pixKey: string): Tenant => ({
  cnpj,
  key: `chave-secreta-${cnpj}`,
  company: { name, city, pixKey },
})

export const tenants: readonly [Tenant, ...ReadonlyArray<Tenant>] = [
  tenant("12345678000195", "Quitanda Jabuticaba", "Recife", "jabuticaba@example.com"),
  tenant("11222333000181", "Oficina Mandacaru", "Natal", "mandacaru@example.com"),
  tenant("12ABC34501DE35", "Livraria Ipuaba", "Belem", "ipuaba@example.com"),
]

export const listWords = ({ cnpj, company: { name, pixKey } }: Tenant): ReadonlyArray<string> => [
  cnpj,
  `${cnpj.slice(0, 2)}.${cnpj.slice(2, 5)}.${cnpj.slice(5, 8)}/${cnpj.slice(8, 12)}-${cnpj.slice(12)}`,
  name,
  name.toUpperCase(),
  pixKey,
]

export const signingSecret = "a signing secret that only the fuzz knows"

export const noticeSecret = "a notice secret that only the fuzz knows"

/** A word in every payer's name. No answer, log, span or metric may contain it. */
export const payerWord = "Zumbilandia"

export const payerDocuments = ["12345678909", "52998224725", "11144477735"] as const

const mask = (cpf: string): string => `${cpf.slice(0, 3)}.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-${cpf.slice(9)}`

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")

const spellings = (secret: string): ReadonlyArray<string> => {
  const base64 = Buffer.from(secret).toString("base64").replaceAll("=", "")
  return [secret, base64, encodeURIComponent(base64), Buffer.from(secret).toString("base64url")]
}

/** The beginning of all issued tokens, which is part of their header. */
const tokenHeader = Buffer.from('{"alg":"HS256"').toString("base64url").slice(0, 18)

const canaries: ReadonlyArray<string> = [
  signingSecret,
  noticeSecret,
  payerWord,
  ...payerDocuments.flatMap((cpf) => [cpf, mask(cpf)]),
  ...tenants.flatMap(({ cnpj, key }) => [...spellings(key), ...spellings(`${cnpj}|${key}`)]),
]

/** Matches secrets, names and tax ids that no log, span, metric, error or answer may contain. */
export const canary = new RegExp(canaries.map(escape).join("|"), "i")

/** Matches what `canary` matches, and any token. Only an answer of the token route may contain a token. */
export const canaryOrToken = new RegExp(`${canary.source}|${tokenHeader}[\\w-]*\\.[\\w-]+\\.[\\w-]+`, "i")
