import { type AuditChange, InvalidOption } from "@pixcharge/core"
import { ifNamed, isLegible } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Services } from "../services.ts"

/**
 * The actor's name. Throws `InvalidOption` at once for an empty one, because nobody could be held to the change, and for
 * characters that make a name look like another one on a page.
 */
export const checkActor = (actor: string): string => {
  if (typeof actor === "string" && isLegible(actor)) return actor
  throw new InvalidOption({
    message: "by needs who acts, as a text with a visible character, and without control and direction characters.",
  })
}

/** Records what is recorded only of somebody who is named; to be done before the answer is given. */
export const recordIfNamed = (audit: Services["audit"], company: Cnpj, change: AuditChange) =>
  Effect.flatMap(ifNamed(change), (named) => (named === undefined ? Effect.void : audit.append(company, named)))
