import type { ClientOptions } from "./ClientOptions.ts"

/** Whether `fetch` takes it with a path added, and shows no password of it in its errors. */
const isAddress = (baseUrl: unknown): boolean => {
  if (typeof baseUrl !== "string" || /[?#]/.test(baseUrl)) return false
  try {
    const { protocol, username, password } = new URL(baseUrl, globalThis.location?.href)
    return /^https?:$/.test(protocol) && username + password === ""
  } catch {
    return false
  }
}

const isNumber = (value: unknown, low: number, high: number): boolean =>
  value === undefined || (typeof value === "number" && value >= low && value <= high)

/** A longer timer fires at once. */
const maxTimerMs = 2 ** 31 - 1

const names = ["baseUrl", "cnpj", "key", "token", "fetch", "timeoutMs", "retries"]

/** What is wrong first, in words that don't repeat a value. */
const findFlaw = (options: Partial<ClientOptions>): string | undefined => {
  const { baseUrl, token, cnpj, key, fetch, timeoutMs, retries } = options
  const unknown = Object.keys(options).find((name) => !names.includes(name))
  if (unknown !== undefined) return `there is no option "${unknown}": the options are ${names.join(", ")}`
  if (!isAddress(baseUrl)) {
    return '"baseUrl" must be the address at which the service is mounted: http or https, without password and query'
  }
  if (typeof token !== "function" && (typeof cnpj !== "string" || typeof key !== "string")) {
    return 'give "cnpj" and "key", or "token", a function that resolves with a token'
  }
  if (fetch !== undefined && typeof fetch !== "function") return '"fetch" must be a function'
  if (!isNumber(timeoutMs, 1, maxTimerMs)) return `"timeoutMs" must be a number from 1 to ${maxTimerMs}`
  return isNumber(retries, 0, Infinity) ? undefined : '"retries" must be a number from 0'
}

/** For callers without types: throws a `TypeError` for options that can't be used. */
export const checkOptions = (options: ClientOptions): void => {
  const flaw = findFlaw(options ?? {})
  if (flaw !== undefined) throw new TypeError(`createClient: ${flaw}`)
}
