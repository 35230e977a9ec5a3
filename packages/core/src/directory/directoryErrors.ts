import type { Cnpj } from "../party/Cnpj.ts"
import { CausedError, type Outage } from "../runtime/error/CausedError.ts"
import { TaggedError } from "../runtime/error/TaggedError.ts"

/**
 * No registration of a company with this CNPJ.
 *
 * @repeat Yes, once the company is registered.
 */
export class CompanyNotFound extends TaggedError("CompanyNotFound", {
  problem: "The directory has no company with this CNPJ.",
  remedy: "Register the company in the directory, or correct the CNPJ.",
})<{ readonly issuer: Cnpj }> {}

/**
 * No endpoint of the company, or of anybody, has this id.
 *
 * @repeat No.
 */
export class EndpointNotFound extends TaggedError("EndpointNotFound", {
  problem: "No endpoint that this call may reach has this endpointId.",
  remedy:
    "Use an id that the directory has: that of a registered `callback` is `callback-` and the CNPJ of its holder.",
  hidden: ["endpointId"],
})<{ readonly endpointId: string }> {}

/**
 * The registrations could not be read or changed; nothing new is issued meanwhile.
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
