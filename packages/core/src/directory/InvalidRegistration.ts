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

export type Parsed<A> = Result.Result<A, InvalidRegistration>

export const refuse = (cnpj: string, field: string, problem: string) =>
  Result.fail(new InvalidRegistration({ cnpj, field, problem }))
