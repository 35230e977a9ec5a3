import type { Diagnosable, DiagnosisOrder, Finding } from "@pixcharge/core"
import { addDays, brasiliaDate, brasiliaHour } from "@pixcharge/core/calendar"
import { CausedError, isOfOurs } from "@pixcharge/core/internal"
import { tokenOptionsFlaw } from "@pixcharge/http"
import * as Redacted from "effect/Redacted"
import type { PixOptions } from "./options.ts"

/**
 * pixcharge could not start; the message says why in one sentence, `cause` holds the rest.
 *
 * @remedy Correct what the message names: an option, the database, a connection to the bank.
 * @repeat Yes, for what was out of reach; an option must be corrected first.
 */
export class BootFailure extends CausedError("BootFailure")<{
  readonly message: string
  readonly cause?: unknown
}> {}

/** A word without the password of a URL, which may be written with unencoded slashes, and be no right URL. */
const hideCredentials = (word: string): string => {
  const begin = word.indexOf("//")
  const end = word.lastIndexOf("@")
  return begin >= 0 && begin < end ? `${word.slice(0, begin)}//***${word.slice(end)}` : word
}

/** What really happened, under the layers that passed it on: the innermost message. */
const findInnermostMessage = (error: unknown): string => {
  if (Redacted.isRedacted(error)) return findInnermostMessage(Redacted.value(error))
  if (!(error instanceof Error)) return String(error)
  if (error.cause !== undefined && !isOfOurs(error)) return findInnermostMessage(error.cause)
  return error.message === "" ? error.name : error.message
}

/** A `BootFailure` for this reason. */
export const bootFailure = (reason: string, cause?: unknown): BootFailure =>
  new BootFailure({
    message: `pixcharge could not start: ${reason.replaceAll(/\S+/g, hideCredentials)}`,
    ...(cause !== undefined && { cause }),
  })

/** Any error of the start, as one clear sentence. */
export const bootFailureFrom = (error: unknown): BootFailure =>
  error instanceof BootFailure ? error : bootFailure(findInnermostMessage(error), error)

/** After the attempts of the night, once charges of cycles are made, and after the attempts of the evening. */
const hours = [8, 9, 21] as const
const afterMs = 600_000

/**
 * The moments between two at which a host that is up sees what became of debits, and charges cycles: 08:10, 09:10 and 21:10 of each
 * day in Brasília. Epoch milliseconds.
 */
export const stopsOnTheWay = (from: number, until: number): ReadonlyArray<number> => {
  const stops: Array<number> = []
  for (let day = brasiliaDate(from); day <= brasiliaDate(until); day = addDays(day, 1)) {
    stops.push(...hours.map((hour) => brasiliaHour(day, hour) + afterMs).filter((at) => at > from && at < until))
  }
  return stops
}

const checkSecrets = ({ tokens }: PixOptions): Finding => {
  if (tokens === undefined) {
    return { check: "secrets", status: "ok", message: "there are none of tokens: no integrator can authenticate" }
  }
  const flaw = tokenOptionsFlaw(tokens)
  return flaw === undefined
    ? { check: "secrets", status: "ok", message: "those of tokens are long enough" }
    : { check: "secrets", status: "failed", message: flaw }
}

const ask = async (
  part: string,
  adapter: Diagnosable | undefined,
  order: DiagnosisOrder,
): Promise<ReadonlyArray<Finding>> => {
  try {
    return (await adapter?.diagnose?.(order)) ?? []
  } catch {
    return [{ check: part, status: "failed", message: "it could not be looked at: see what its adapter needs" }]
  }
}

/** What the options' secrets and adapters say of themselves; boots nothing. */
export const diagnoseOptions = async (options: PixOptions, order: DiagnosisOrder): Promise<ReadonlyArray<Finding>> => {
  const parts = ["store", "directory", "processor", "callbacks"] as const
  const found = await Promise.all(parts.map((part) => ask(part, options[part], order)))
  return [checkSecrets(options), ...found.flat()]
}
