import type { Charge } from "@pixcharge/core/charges"
import { createHash } from "node:crypto"

/** A charge that has expired, and the id of the charge that its payer gets instead. */
export interface ExpiredCharge {
  /** The CNPJ of the company that issued it. */
  readonly issuer: string
  readonly id: string
  /** A UUID that follows from `id`: the same each time, in every process. */
  readonly newId: string
  readonly amountCents: number
  /** `YYYY-MM-DD`; absent for an immediate charge. */
  readonly dueDate?: string
}

/**
 * A function of the host that issues a charge under `newId`, for what the expired one was for.
 *
 * The bank is asked first whether the expired charge was paid. It is not called once the new charge exists. If it rejects, or issues no charge within 15 s, the payer gets no new code for now
 * and may try again.
 */
export type Renew = (expired: ExpiredCharge) => unknown

/** A UUID of version 8 (RFC 9562) that follows from the charge's. */
const renewedId = (issuer: string, id: string): string =>
  createHash("sha256")
    .update(`pixcharge renewal|${issuer}|${id}`)
    .digest("hex")
    .replace(/(.{8})(.{4}).(.{3}).(.{3})(.{12}).*/, "$1-$2-8$3-8$4-$5")

/** What the host learns of an expired charge. */
export const expiredCharge = ({ issuer, id, amountCents, dueDate }: Charge): ExpiredCharge => ({
  issuer,
  id,
  newId: renewedId(issuer, id),
  amountCents,
  ...(dueDate !== undefined && { dueDate }),
})
