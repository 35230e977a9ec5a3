import { type BrCodeViolation, violation } from "./InvalidBrCode.ts"
import type { PixTemplate, UnrelatedField } from "./PixTemplate.ts"
import { checksumId, writeTwoDigits } from "./Tlv.ts"

/** What the fields of a code say, each by itself; `undefined` for a field that did not occur. */
export class CodeFields {
  /** The id of the first field and of the last. */
  firstId: number | undefined
  lastId: number | undefined
  hasFormat = false
  hasCurrency = false
  hasCountry = false
  pointOfInitiation: "reusable" | "singleUse" | undefined
  category: string | undefined
  amount: string | undefined
  name: string | undefined
  city: string | undefined
  postalCode: string | undefined
  /** Whether field 62 occurred, and its 05 as it stands, `***` included. */
  hasAdditional = false
  txid: string | undefined
  /** The account (26 to 51) and the recurrence (80 to 99) of the Pix, and the first account of another arrangement. */
  account: PixTemplate | undefined
  recurrence: PixTemplate | undefined
  otherAccountId: number | undefined
  readonly unrelated: Array<UnrelatedField> = []
  /** Rules broken in a way that a lenient reading passes over. */
  readonly forgiven: Array<BrCodeViolation> = []
}

/** Fields of a code that lacks none. */
export interface CompleteFields extends CodeFields {
  category: string
  name: string
  city: string
  txid: string
  account: PixTemplate
}

/** How 62.05 says that there is no txid. */
export const noTxid = "***"

/** 00 comes first, 63 last; 52, 53, 58, 59, 60, 62.05 and an account of the Pix are in every code (Manual §2.5, §2.6). */
export const missingFieldViolation = (fields: CodeFields): BrCodeViolation | undefined => {
  if (!fields.hasFormat) return violation("00", "missing", "is missing: a BR Code starts with 000201")
  if (fields.firstId !== 0) return violation("00", "first", "must be the first field")
  if (fields.lastId !== checksumId) return violation("63", "missing", "is missing: a BR Code ends in its checksum")
  if (fields.account === undefined) return noAccount(fields)
  if (fields.category === undefined) return missing("52")
  if (!fields.hasCurrency) return missing("53")
  if (!fields.hasCountry) return missing("58")
  if (fields.name === undefined) return missing("59")
  if (fields.city === undefined) return missing("60")
  if (!fields.hasAdditional) return violation("62", "missing", "is missing: it holds at least 0503***")
  return fields.txid === undefined ? violation("62.05", "missing", "is missing: it must be *** for no txid") : undefined
}

/** Whether `broken` is that 62 is left out, which is forgiven: no txid is all that it could say, where all else is there. */
export const forgiveLeftOut = (fields: CodeFields, broken: BrCodeViolation): boolean => {
  if (broken.field !== "62" || broken.rule !== "missing") return false
  fields.forgiven.push(broken)
  fields.txid = noTxid
  return true
}

const missing = (field: string): BrCodeViolation => violation(field, "missing", "is missing")

const noAccount = ({ otherAccountId }: CodeFields): BrCodeViolation =>
  otherAccountId === undefined
    ? violation("26", "missing", "is missing: no account from 26 to 51 says where to pay")
    : violation(writeTwoDigits(otherAccountId), "notPix", "is not of br.gov.bcb.pix, nor is any account from 26 to 51")
