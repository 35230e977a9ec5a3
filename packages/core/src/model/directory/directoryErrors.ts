import * as Result from "effect/Result"
import { CausedError, type Outage } from "../../runtime/CausedError.ts"
import { hideField, TaggedError } from "../../runtime/error.ts"
import type { Cnpj } from "../party/Cnpj.ts"

interface RegistrationFlaw {
  /** The CNPJ as the host wrote it. */
  readonly cnpj: string
  readonly field: string
  /** Never contains the field's value. */
  readonly problem: string
}

const isCnpjLike = (text: unknown): boolean =>
  typeof text === "string" && /^[0-9A-Z]{12}\d{2}$/.test(text.replaceAll(/[./-]/g, ""))

/**
 * An invalid registration; `field` says which part.
 *
 * @remedy Correct the field that `field` names, as the message says.
 * @repeat No, only with a corrected registration.
 */
export class InvalidRegistration extends TaggedError("InvalidRegistration")<RegistrationFlaw> {
  constructor(fields: RegistrationFlaw) {
    super(fields)
    // If the host swapped two fields, `cnpj` can contain a secret.
    if (!isCnpjLike(fields.cnpj)) hideField(this, "cnpj")
  }
  override get message(): string {
    const { cnpj, field, problem } = this
    return `The registration of ${isCnpjLike(cnpj) ? cnpj : "a company"} can't be used: ${field} ${problem}.`
  }
}

export type Parsed<A> = Result.Result<A, InvalidRegistration>

export const refuse = (cnpj: string, field: string, problem: string) =>
  Result.fail(new InvalidRegistration({ cnpj, field, problem }))

export const parseFlag = (cnpj: string, field: string, given: unknown, otherwise?: boolean): Parsed<boolean> => {
  const flag = given === undefined ? otherwise : given
  return typeof flag === "boolean" ? Result.succeed(flag) : refuse(cnpj, field, "must be true or false")
}

export const orRefuse = <A>(
  parsed: Result.Result<A, unknown>,
  cnpj: string,
  field: string,
  problem: string,
): Parsed<A> => Result.mapError(parsed, () => new InvalidRegistration({ cnpj, field, problem }))

/**
 * The directory has no company with this CNPJ.
 *
 * @repeat Yes, once the company is registered.
 */
export class CompanyNotFound extends TaggedError("CompanyNotFound", {
  problem: "The directory has no company with this CNPJ.",
  remedy: "Register the company in the directory, or correct the CNPJ.",
})<{ readonly issuer: Cnpj }> {}

/**
 * The company, or the whole directory, has no endpoint with this id.
 *
 * @repeat No.
 */
export class EndpointNotFound extends TaggedError("EndpointNotFound", {
  problem: "No endpoint that this call can reach has this endpointId.",
  remedy: "Use an id from the directory. The id of a registered `callback` is `callback-` and the CNPJ of its holder.",
  hidden: ["endpointId"],
})<{ readonly endpointId: string }> {}

/**
 * The directory can't be read or changed. Until it can, no charge is issued.
 *
 * @repeat Yes; with `hostDirectory`, changes never succeed.
 */
export class DirectoryUnavailable extends CausedError("DirectoryUnavailable", {
  problem: ({ operation }: Outage) =>
    operation === "admin" ? "The directory is the host's own." : `The directory could not be used (${operation}).`,
  remedy: ({ operation }) =>
    operation === "admin"
      ? "Change the host's tables, or its list `companies`: `pix.directory` can't."
      : "Make the same call again after some seconds. If it fails again, `cause` says what the directory's source answered.",
}) {}
