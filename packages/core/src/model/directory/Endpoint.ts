import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Base64 from "effect/encoding/Base64"
import { type EventKind, eventKinds, usualKinds } from "../charge/PixEvent.ts"
import { type Parsed, refuse } from "./directoryErrors.ts"

const form = /^whsec_([A-Za-z0-9+/_-]+)(={0,2})$/

/** The minimum of Standard Webhooks. */
const minBytes = 24
const maxBytes = 64

/**
 * Decodes a callback secret to its signing key: `whsec_` and 24 to 64 bytes in Base64 of either alphabet, padded or not
 * (Standard Webhooks). Undefined for any other text.
 */
export const parseCallbackSecret = (text: unknown): Uint8Array | undefined => {
  const [, digits = "", padding = ""] = (typeof text === "string" && form.exec(text)) || []
  const standard = digits.replaceAll("-", "+").replaceAll("_", "/")
  const padded = standard.padEnd(Math.ceil(digits.length / 4) * 4, "=")
  if (padding !== "" && standard + padding !== padded) return undefined
  const key = Result.getOrUndefined(Base64.decode(padded))
  return key !== undefined && key.length >= minBytes && key.length <= maxBytes ? key : undefined
}

export type EndpointTarget =
  | {
      readonly _tag: "Http"
      readonly url: string
      /** At least one, as `parseCallbackSecret` reads them. The first is the current secret. All sign. */
      readonly secrets: ReadonlyArray<Redacted.Redacted<string>>
    }
  | { readonly _tag: "Host" }

export interface Endpoint {
  readonly id: string
  readonly target: EndpointTarget
  readonly kinds: ReadonlyArray<EventKind>
  /** `paused` by a person, `disabled` by the receiver's 410. Events wait in both states. */
  readonly status: "enabled" | "paused" | "disabled"
}

/** The endpoint of a company or reseller, as a host writes it. */
export interface CallbackInput {
  /** http or https. */
  readonly url: string
  /**
   * `whsec_` and 24 to 64 bytes in Base64 each. All sign. The first is the current secret; the others are for receivers
   * that still have another secret.
   */
  readonly secrets: ReadonlyArray<string>
  /** The kinds of events that the endpoint gets, by default `["paid"]` (decision 23). */
  readonly kinds?: ReadonlyArray<EventKind>
}

export interface HostEndpoint extends CallbackInput {
  /** Unique and constant. Not `host`, the id of the host's own event function. */
  readonly id: string
  /** By default `enabled`. */
  readonly status?: Endpoint["status"]
}

const kinds: ReadonlyArray<unknown> = eventKinds
const urlForm = /^https?:\/\/[^\s/]\S*$/

const callbackFlaw = (input: CallbackInput): readonly [string, string] | undefined => {
  const { url, secrets, kinds: wanted } = input as { readonly [Name in keyof CallbackInput]?: unknown }
  if (typeof url !== "string" || !urlForm.test(url)) return ["callback.url", "must be an http or https URL"]
  if (!Array.isArray(secrets) || secrets.length === 0) {
    return ["callback.secrets", "must be a list of at least one secret, because events are signed"]
  }
  if (secrets.includes(undefined)) return ["callback.secrets", "lacks a secret: it is undefined"]
  if (!secrets.every((secret) => parseCallbackSecret(secret) !== undefined)) {
    return ["callback.secrets", "must be whsec_ and 24 to 64 bytes in Base64 each"]
  }
  return wanted === undefined || (Array.isArray(wanted) && wanted.every((kind) => kinds.includes(kind)))
    ? undefined
    : ["callback.kinds", `must be a list of ${kinds.join(", ")}`]
}

export const parseEndpoint = (input: HostEndpoint, cnpj: string): Parsed<Endpoint> => {
  const flaw = callbackFlaw(input)
  if (flaw !== undefined) return refuse(cnpj, ...flaw)
  const secrets = input.secrets.map((secret) => Redacted.make(secret, { label: "callback secret" }))
  return Result.succeed({
    id: input.id,
    target: { _tag: "Http", url: input.url, secrets },
    kinds: input.kinds ?? usualKinds,
    status: input.status ?? "enabled",
  })
}

/** The host name of an endpoint's URL, without the path, which can hold a secret. Undefined for a function of the host. */
export const endpointHost = ({ target }: Pick<Endpoint, "target">): string | undefined =>
  target._tag === "Http" ? /^https?:\/\/(?:[^/?#\\]*@)?([^/?#\\]*)/.exec(target.url)?.[1] : undefined

/** `cnpj` is without punctuation. */
export const callbackId = (cnpj: string): string => `callback-${cnpj}`
