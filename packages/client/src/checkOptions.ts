import type { ClientOptions } from "./ClientOptions.ts"
import type { ChargeRequest } from "./PixClient.ts"

/** `fetch` must accept the address with a path added, and errors about it must show no password. */
const isAddress = (baseUrl: unknown): boolean => {
  if (typeof baseUrl !== "string" || /[?#]|\/api\/*$/.test(baseUrl)) return false
  try {
    const { protocol, username, password } = new URL(baseUrl, globalThis.location?.href)
    return /^https?:$/.test(protocol) && username + password === ""
  } catch {
    return false
  }
}

const isNumber = (value: unknown, low: number, high: number): boolean =>
  value === undefined || (typeof value === "number" && value >= low && value <= high)

/** Longer timers fire immediately. */
const maxTimerMs = 2 ** 31 - 1

const names = ["baseUrl", "cnpj", "key", "token", "fetch", "timeoutMs", "retries"]

const findUnknown = (given: object, known: ReadonlyArray<string>): string | undefined => {
  const unknown = Object.entries(given).find(([name, value]) => value !== undefined && !known.includes(name))
  return unknown && `there is no "${unknown[0]}": give ${known.join(", ")}`
}

const refuse = (call: string, flaw: string | undefined): void => {
  if (flaw !== undefined) throw new TypeError(`${call}: ${flaw}`)
}

const findFlaw = (options: Partial<ClientOptions>): string | undefined => {
  const { baseUrl, token, cnpj, key, fetch, timeoutMs, retries } = options
  const unknown = findUnknown(options, names)
  if (unknown !== undefined) return unknown
  if (!isAddress(baseUrl)) {
    return '"baseUrl" must be the address of the service: http or https, without /api, password and query'
  }
  if (typeof token !== "function" && (typeof cnpj !== "string" || typeof key !== "string")) {
    return 'give "cnpj" and "key", or a function "token"'
  }
  if (fetch !== undefined && typeof fetch !== "function") return '"fetch" must be a function'
  if (!isNumber(timeoutMs, 1, maxTimerMs)) return `"timeoutMs" must be a number from 1 to ${maxTimerMs}`
  return isNumber(retries, 0, Infinity) ? undefined : '"retries" must be a number from 0'
}

/** For untyped callers: throws a `TypeError` for an unknown field, which would otherwise be ignored. */
export const checkRequest = (request: ChargeRequest): void =>
  refuse(
    "issue",
    findUnknown(request, ["id", "amountCents", "dueDate", "payer"]) ??
      findUnknown(request.payer ?? {}, ["name", "taxId"]),
  )

/** For untyped callers: throws a `TypeError` for invalid options. */
export const checkOptions = (options: ClientOptions): void => refuse("createClient", findFlaw(options ?? {}))
