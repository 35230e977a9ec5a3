import type { Credential } from "@pixcharge/core/directory"
import * as Redacted from "effect/Redacted"
import { hmac } from "./hmac.ts"

const serialize = ({ holder, key, registration }: Credential): string =>
  JSON.stringify([
    holder,
    key._tag,
    key._tag === "Plain" ? Redacted.value(key.key) : key.hmac,
    ...(registration === undefined ? [] : [registration]),
  ])

/**
 * What the tokens of one signing secret say of the credential that they were made with: a digest of holder, key and
 * registration, from which none can be found out. Another key, another holder's, or one that was registered again, has another
 * mark (decision 4).
 */
export const makeCredentialMark = (signingSecret: string): ((credential: Credential) => string) => {
  const markSecret = hmac(signingSecret, "pixcharge credential mark")
  const marks = new WeakMap<Credential, string>()
  return (credential) => {
    const known = marks.get(credential)
    if (known !== undefined) return known
    const mark = hmac(markSecret, serialize(credential)).toString("base64url")
    marks.set(credential, mark)
    return mark
  }
}
