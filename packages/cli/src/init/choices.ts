import { closestName } from "@pixcharge/core/internal"

/** What a bank wants of a connection in production, beside the client's id and its certificate. */
interface BankDemands {
  readonly credentials: ReadonlyArray<"baseUrl" | "clientSecret" | "applicationKey">
  /** What only some contracts need. */
  readonly hint?: string
}

/** The banks that `apiPix` knows by name. */
const banks = {
  standard: {
    credentials: ["baseUrl", "clientSecret"],
  },
  bancoDoBrasil: { credentials: ["clientSecret", "applicationKey"] },
  banrisul: { credentials: ["clientSecret"] },
  bradesco: { credentials: ["clientSecret"] },
  c6: { credentials: ["clientSecret"] },
  cielo: { credentials: ["clientSecret"] },
  efi: {
    credentials: ["clientSecret"],
    hint: "skipWebhookMtls: true, where your proxy asks callers for no certificate.",
  },
  inter: {
    credentials: ["clientSecret"],
    hint: "account: its number, where the application has more than one account.",
  },
  itau: {
    credentials: ["clientSecret"],
    hint: "applicationKey: the key of the application, where it isn't the client's id.",
  },
  itauRegulatorio: {
    credentials: ["clientSecret"],
    hint: "applicationKey: the key of the application, where it isn't the client's id.",
  },
  pagbank: { credentials: ["clientSecret"] },
  santander: { credentials: ["clientSecret"] },
  sicoob: { credentials: [] },
  sicredi: { credentials: ["clientSecret"] },
} as const satisfies Record<string, BankDemands>

/** A bank that has a profile. */
export type BankName = keyof typeof banks

/** What a bank wants. */
export const findDemands = (bank: BankName): BankDemands => banks[bank]

/** What a project is made for. */
export interface Choices {
  readonly framework: "express" | "fastify" | "hono" | "nest" | "next" | "none"
  /** Who moves the money; `"sandbox"` moves none. */
  readonly bank: "sandbox" | BankName
  readonly store: "embedded" | "postgres" | "memory"
}

/** What is asked, and the option that answers it. */
export type Question = keyof Choices

type Answers = { readonly [Name in Question]: ReadonlyArray<Choices[Name]> }

/** Each question's answers, in the order in which they are shown. */
export const answers: Answers = {
  framework: ["express", "fastify", "hono", "nest", "next", "none"],
  bank: ["sandbox", ...(Object.keys(banks) as ReadonlyArray<BankName>)],
  store: ["embedded", "postgres", "memory"],
}

/** The answer that is meant, in any case. Throws what is wrong with it. */
export const readAnswer = <Name extends Question>(question: Name, written: string): Choices[Name] => {
  const known: ReadonlyArray<Choices[Name]> = answers[question]
  const meant = known.find((answer) => answer.toLowerCase() === written.trim().toLowerCase())
  if (meant !== undefined) return meant
  const closest = closestName(written, known)
  const guess = closest === undefined ? "" : ` (did you mean ${closest}?)`
  throw new Error(`there is no ${question} "${written}"${guess}: --${question} takes ${known.join(", ")}`)
}

/** The choices that a command line makes. Throws what is wrong with one. */
export const readChoices = (written: { readonly [Name in Question]?: string | undefined }): Partial<Choices> => {
  const { framework, bank, store } = written
  return {
    ...(framework !== undefined && { framework: readAnswer("framework", framework) }),
    ...(bank !== undefined && { bank: readAnswer("bank", bank) }),
    ...(store !== undefined && { store: readAnswer("store", store) }),
  }
}
