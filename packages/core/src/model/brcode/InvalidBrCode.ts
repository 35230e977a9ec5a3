import { TaggedError } from "../../runtime/error.ts"

/** A stable code of the broken rule. `docs/br-code.md` explains each. */
export type BrCodeRule =
  | "amount"
  | "blanks"
  | "budget"
  | "bytes"
  | "case"
  | "characters"
  | "checkDigits"
  | "control"
  | "crc"
  | "duplicate"
  | "facilitator"
  | "facilitatorInComposite"
  | "first"
  | "hexadecimal"
  | "host"
  | "id"
  | "key"
  | "keyAndUrl"
  | "kind"
  | "last"
  | "length"
  | "missing"
  | "notPix"
  | "overrun"
  | "sameHost"
  | "size"
  | "text"
  | "twoAccounts"
  | "txid"
  | "unexpected"
  | "urlPath"
  | "urlPort"
  | "urlQuery"
  | "urlScheme"
  | "urlUser"
  | "value"
  | "zero"

/**
 * A broken rule: the field (`"54"`, `"26.01"`, or `"code"` for the whole code), the rule, and an English sentence. It never
 * contains a key, a name or a txid.
 */
export interface BrCodeViolation {
  readonly field: string
  readonly rule: BrCodeRule
  readonly message: string
}

/**
 * A text or a value that is no Pix BR Code; `field` and `rule` say where and why.
 *
 * @remedy Correct the field, or scan the code again; [BR Code](br-code.md) explains each rule.
 * @repeat No, only with another code.
 */
export class InvalidBrCode extends TaggedError("InvalidBrCode")<BrCodeViolation> {}

export const violation = (field: string, rule: BrCodeRule, sentence: string): BrCodeViolation => ({
  field,
  rule,
  message: `${field} ${sentence}`,
})
