import { isStorableMoment } from "@pixcharge/core"
import { bootFailure } from "./BootFailure.ts"
import type { PixOptions } from "./options.ts"

/** For hosts without types: an option left out, or an environment misspelt, must not become another behaviour. */
export function checkOptions(options: unknown): asserts options is PixOptions {
  const given = Object(options) as Readonly<Record<string, unknown>>
  for (const name of ["store", "directory", "processor", "callbacks", "tokens"]) {
    if (given[name] === undefined) throw bootFailure(`the option "${name}" is missing`)
  }
  if (given["environment"] !== "sandbox" && given["environment"] !== "production") {
    throw bootFailure('the environment must be "sandbox" or "production"')
  }
  const { standsAt } = given
  if (standsAt !== undefined && !(Number.isInteger(standsAt) && isStorableMoment(Number(standsAt)))) {
    throw bootFailure('the option "standsAt" must be a moment in whole epoch milliseconds')
  }
}
