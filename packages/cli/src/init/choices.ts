import { closestName } from "@pixcharge/core/internal"

/** The settings that a production connection requires besides the client's id and its certificate. */
interface BankDemands {
  readonly credentials: ReadonlyArray<"baseUrl" | "clientSecret" | "applicationKey">
  readonly hint?: string
}

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
    hint: "skipWebhookMtls: true, if your proxy asks callers for no certificate.",
  },
  inter: {
    credentials: ["clientSecret"],
    hint: "account: its number, if the application has several accounts.",
  },
  itau: {
    credentials: ["clientSecret"],
    hint: "applicationKey: the key of the application, if it isn't the client's id.",
  },
  itauRegulatorio: {
    credentials: ["clientSecret"],
    hint: "applicationKey: the key of the application, if it isn't the client's id.",
  },
  pagbank: { credentials: ["clientSecret"] },
  santander: { credentials: ["clientSecret"] },
  sicoob: { credentials: [] },
  sicredi: { credentials: ["clientSecret"] },
} as const satisfies Record<string, BankDemands>

export type BankName = keyof typeof banks

export const findDemands = (bank: BankName): BankDemands => banks[bank]

export interface Choices {
  readonly framework: "express" | "fastify" | "hono" | "nest" | "next" | "none"
  /** `"sandbox"` moves no money. */
  readonly bank: "sandbox" | BankName
  readonly store: "embedded" | "postgres" | "memory"
}

export type Question = keyof Choices

type Answers = { readonly [Name in Question]: ReadonlyArray<Choices[Name]> }

export const answers: Answers = {
  framework: ["express", "fastify", "hono", "nest", "next", "none"],
  bank: ["sandbox", ...(Object.keys(banks) as ReadonlyArray<BankName>)],
  store: ["embedded", "postgres", "memory"],
}

/** Ignores case. Throws for an unknown answer. */
export const readAnswer = <Name extends Question>(question: Name, written: string): Choices[Name] => {
  const knownAnswers: ReadonlyArray<Choices[Name]> = answers[question]
  const match = knownAnswers.find((answer) => answer.toLowerCase() === written.trim().toLowerCase())
  if (match !== undefined) return match
  const closest = closestName(written, knownAnswers)
  const guess = closest === undefined ? "" : ` (did you mean ${closest}?)`
  throw new Error(`there is no ${question} "${written}"${guess}: --${question} takes ${knownAnswers.join(", ")}`)
}

export const readChoices = (written: { readonly [Name in Question]?: string | undefined }): Partial<Choices> => {
  const { framework, bank, store } = written
  return {
    ...(framework !== undefined && { framework: readAnswer("framework", framework) }),
    ...(bank !== undefined && { bank: readAnswer("bank", bank) }),
    ...(store !== undefined && { store: readAnswer("store", store) }),
  }
}
