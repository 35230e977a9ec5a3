import { banks, type BankName } from "./banks.ts"

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
