import type { Exchange } from "@pixcharge/core"
import { type KeyRing, keyRingFlaw } from "@pixcharge/core/directory"
import { aNumber, hasMethods, oneOf, optionFlaw, type OptionRule, type OptionRules } from "@pixcharge/core/internal"

export interface TokenOptions {
  /** The secrets that sign tokens. Each token names its key in its header (`kid`). */
  readonly keys: KeyRing
  /** A token of one environment is invalid in the other. */
  readonly environment: "sandbox" | "production"
  /** 5 minutes to 72 hours; default: 48 hours (decision 4). */
  readonly lifetimeMs?: number
  /**
   * `address` returns the caller's address: failed token requests from one address are counted together (decision 44); `false`
   * if the host has its own limits. Default: the address that the binding knows. Behind a proxy this is the proxy's address,
   * unless the framework trusts the proxy.
   */
  readonly limits?: false | { readonly address: (exchange: Exchange) => string | undefined }
  /** `false` closes `GET /api/token/{segredoBase64}`, whose path holds a secret; `POST /api/token` stays (decision 45). */
  readonly path?: false
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const minLifetimeMs = 5 * minuteMs

export const defaultLifetimeMs = 48 * hourMs
export const maxLifetimeMs = 72 * hourMs

/** Accepts any value, because `keyRingFlaw` checks the keys. */
const aKeyRing: OptionRule = { mustBe: "a list of keys, as { kid, secret }", holds: () => true }

const lifetime = aNumber(minLifetimeMs, maxLifetimeMs)

const rules: OptionRules<TokenOptions & { readonly pepper?: never }> = {
  keys: aKeyRing,
  environment: oneOf("sandbox", "production"),
  lifetimeMs: { ...lifetime, mustBe: "a lifetime in milliseconds, of 5 minutes to 72 hours" },
  pepper: {
    mustBe: "left out: it moved to the directory, which checks its own keys, as postgresDirectory({ db, pepper })",
    holds: () => false,
  },
  limits: {
    mustBe: "false, or an object with the function address",
    holds: (value) => value === false || hasMethods(value, "address"),
  },
  path: { mustBe: "false, or left out", holds: (value) => value === false },
}

/** A sentence; undefined for sound options. */
export const tokenOptionsFlaw = (options: Omit<TokenOptions, "environment">): string | undefined => {
  const flaw = optionFlaw<TokenOptions & { readonly pepper?: never }>(options, rules)
  return (flaw && `tokens: ${flaw}`) ?? keyRingFlaw("tokens.keys", options.keys)
}
