import { InvalidOption } from "@pixcharge/core"
import { isLegible } from "@pixcharge/core/internal"

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
