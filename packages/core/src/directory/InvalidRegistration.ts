import * as Result from "effect/Result"
import { hideField } from "../runtime/error/hideField.ts"
import { TaggedError } from "../runtime/error/TaggedError.ts"

interface RegistrationFlaw {
  /** The CNPJ as it was written. */
  readonly cnpj: string
  readonly field: string
  /** What is wrong with the field, without its value. */
  readonly problem: string
}

const isCnpjLike = (text: unknown): boolean =>
  typeof text === "string" && /^[0-9A-Z]{12}\d{2}$/.test(text.replaceAll(/[./-]/g, ""))

/**
 * An invalid registration; `field` says which part of it, and the message is for its author.
 *
 * @remedy Correct the field that `field` names, as the message says.
 * @repeat No: with a corrected registration.
 */
export class InvalidRegistration extends TaggedError("InvalidRegistration")<RegistrationFlaw> {
  constructor(fields: RegistrationFlaw) {
    super(fields)
    // Two fields may have been swapped, so that this one holds a secret.
    if (!isCnpjLike(fields.cnpj)) hideField(this, "cnpj")
  }
  override get message(): string {
    const { cnpj, field, problem } = this
    return `The registration of ${isCnpjLike(cnpj) ? cnpj : "a company"} can't be used: ${field} ${problem}.`
  }
}

/** What a registration's text was parsed to, or why it can't be used. */
export type Parsed<A> = Result.Result<A, InvalidRegistration>

/** Refuses a registration for a problem of one field. */
export const refuse = (cnpj: string, field: string, problem: string) =>
  Result.fail(new InvalidRegistration({ cnpj, field, problem }))

/** A fact that is true or false; one that may be left out is this default then. */
export const parseFlag = (cnpj: string, field: string, given: unknown, otherwise?: boolean): Parsed<boolean> => {
  const flag = given === undefined ? otherwise : given
  return typeof flag === "boolean" ? Result.succeed(flag) : refuse(cnpj, field, "must be true or false")
}

/** What was parsed, or else the registration is refused for this problem of the field. */
export const orRefuse = <A>(
  parsed: Result.Result<A, unknown>,
  cnpj: string,
  field: string,
  problem: string,
): Parsed<A> => Result.mapError(parsed, () => new InvalidRegistration({ cnpj, field, problem }))
