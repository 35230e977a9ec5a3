import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { EventKind } from "../charge/PixEvent.ts"
import { parseCallbackSecret } from "../party/CallbackSecret.ts"
import { InvalidRegistration } from "../party/Registration.ts"
import type { Endpoint } from "../ports/CallbackEndpoints.ts"

/** Where events go, as a host writes it down. */
export interface CallbackInput {
  readonly url: string
  /** `whsec_` and 24 to 64 bytes in Base64 each; the first signs, the others too while receivers change over. */
  readonly secrets: ReadonlyArray<string>
  /** `["paid"]` unless told (decision 23). */
  readonly kinds?: ReadonlyArray<EventKind>
}

/** An endpoint of a host's own tables. */
export interface RegisteredEndpoint extends CallbackInput {
  /** Never changes, and names no other endpoint. Not `host`: that names a host's own function that takes events. */
  readonly id: string
  /** `enabled` unless told. */
  readonly status?: Endpoint["status"]
}

const kinds: ReadonlyArray<unknown> = ["paid", "refunded", "test"] satisfies ReadonlyArray<EventKind>
const urlForm = /^https?:\/\/[^\s/]\S*$/

const flawOf = (input: CallbackInput): readonly [string, string] | undefined => {
  if (!urlForm.test(input.url)) return ["callback.url", "is no http or https address"]
  if (!input.secrets.length) return ["callback.secrets", "has none: events are signed"]
  if (!input.secrets.every((secret) => parseCallbackSecret(secret) !== undefined)) {
    return ["callback.secrets", "has one that is not whsec_ and 24 to 64 bytes in Base64"]
  }
  return input.kinds === undefined || input.kinds.every((kind) => kinds.includes(kind))
    ? undefined
    : ["callback.kinds", `has one that is not of ${kinds.join(", ")}`]
}

/** An endpoint is sound with an http(s) address, secrets in the form of Standard Webhooks and known kinds. */
export const parseRegisteredEndpoint = (
  input: RegisteredEndpoint,
  /** Whose it is, for the error. */
  cnpj: string,
): Result.Result<Endpoint, InvalidRegistration> => {
  const flaw = flawOf(input)
  if (flaw !== undefined) return Result.fail(new InvalidRegistration({ cnpj, field: flaw[0], problem: flaw[1] }))
  const secrets = input.secrets.map((secret) => Redacted.make(secret, { label: "callback secret" }))
  return Result.succeed({
    id: input.id,
    target: { _tag: "Http", url: input.url, secrets },
    kinds: input.kinds ?? ["paid"],
    status: input.status ?? "enabled",
  })
}
