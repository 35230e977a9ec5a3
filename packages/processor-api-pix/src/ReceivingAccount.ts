import type { OptionRule } from "@pixcharge/core/internal"
import * as Predicate from "effect/Predicate"

/** The company's account at its bank into which the debits of Pix Automático are paid: they go to no key. */
export interface ReceivingAccount {
  /** Up to four digits, without a check digit. */
  readonly branch?: string
  /** Up to 20 letters and digits, with the check digit and without a hyphen. */
  readonly number: string
  readonly kind: "checking" | "savings" | "payment"
}

const fields = new Set(["branch", "number", "kind"])

const matches = (form: RegExp, value: unknown): boolean => typeof value === "string" && form.test(value)

/** An account as the bank can find it. */
export const aReceivingAccount: OptionRule = {
  mustBe:
    '{ branch, number, kind }: one to four digits or left out, 1 to 20 letters and digits, "checking", "savings" or "payment"',
  holds: (value) =>
    Predicate.isObject(value) &&
    Object.keys(value).every((name) => fields.has(name)) &&
    (value["branch"] === undefined || matches(/^\d{1,4}$/, value["branch"])) &&
    matches(/^[0-9A-Za-z]{1,20}$/, value["number"]) &&
    matches(/^(?:checking|savings|payment)$/, value["kind"]),
}
