import type { OptionRule } from "@pixcharge/core/internal"

/** A charge or a recurrence whose page leads back to the shop. */
export interface ReturningCharge {
  /** The CNPJ of its company. */
  readonly issuer: string
  readonly id: string
}

/** An address of the shop, or a function of the host that finds it for a charge; undefined for a page that leads nowhere. */
export type ReturnUrl = string | ((charge: ReturningCharge) => string | undefined | Promise<string | undefined>)

/** An address that a page may lead to: no script, and no password in it. */
export const isWebAddress = (value: unknown): boolean => {
  if (typeof value !== "string" || !URL.canParse(value)) return false
  const { protocol, username, password } = new URL(value)
  return ["http:", "https:"].includes(protocol) && username + password === ""
}

/** The rule of the option `returnUrl`. */
export const aReturnUrl: OptionRule = {
  mustBe: "an address of your shop, like https://shop.example/orders, or a function that returns one for a charge",
  holds: (value) => typeof value === "function" || isWebAddress(value),
}
