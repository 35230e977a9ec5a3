import * as Data from "effect/Data"
import * as Result from "effect/Result"

/** A registration that can't be; `field` says which part of it, and the message is for whoever wrote it. */
export class InvalidRegistration extends Data.TaggedError("InvalidRegistration")<{
  /** The CNPJ as it was written. */
  readonly cnpj: string
  readonly field: string
  readonly problem: string
}> {
  override get message(): string {
    return `the registration of "${this.cnpj}" can't be used: ${this.field} ${this.problem}`
  }
}

/** What a registration's text was parsed to, or why it can't be used. */
export type Parsed<A> = Result.Result<A, InvalidRegistration>

/** Refuses a registration for a problem of one field. */
export const refuse = (cnpj: string, field: string, problem: string) =>
  Result.fail(new InvalidRegistration({ cnpj, field, problem }))

/** What was parsed, or else the registration is refused for this problem of the field. */
export const orRefuse = <A>(
  parsed: Result.Result<A, unknown>,
  cnpj: string,
  field: string,
  problem: string,
): Parsed<A> => Result.mapError(parsed, () => new InvalidRegistration({ cnpj, field, problem }))
