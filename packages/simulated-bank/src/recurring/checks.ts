import { problem, type BankAnswer } from "../problems.ts"

/** A property, and whether it keeps to the API. */
export type Check = readonly [property: string, isSound: boolean]

/** Refuses a request for the first property that breaks the API's rules. */
export const refuseFlaw = (kind: string, resource: string, checks: ReadonlyArray<Check>): BankAnswer | undefined => {
  const flaw = checks.find(([, isSound]) => !isSound)?.[0]
  return flaw === undefined ? undefined : problem(400, kind, "breaks the schema or its meaning", `${resource}.${flaw}`)
}

export const isText = (value: unknown, maxLength: number): boolean =>
  typeof value === "string" && value.length > 0 && value.length <= maxLength

export const isAbsentOr = (value: unknown, isSound: boolean): boolean => value === undefined || isSound

export const isDay = (value: unknown): value is string =>
  typeof value === "string" &&
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  // A day that the month lacks is parsed as one of the next.
  new Date(value).toISOString().startsWith(value)

/** An amount that is above zero. */
export const isAmount = (value: unknown): boolean =>
  typeof value === "string" && /^\d{1,10}\.\d{2}$/.test(value) && Number(value) > 0

const isCpf = (value: unknown): boolean => typeof value === "string" && /^\d{11}$/.test(value)

const isCnpj = (value: unknown): boolean => typeof value === "string" && /^[0-9A-Z]{14}$/.test(value)

/** Either a CPF or a CNPJ. */
export const hasTaxId = ({ cpf, cnpj }: Readonly<Record<string, unknown>>): boolean =>
  cpf === undefined ? isCnpj(cnpj) : cnpj === undefined && isCpf(cpf)
