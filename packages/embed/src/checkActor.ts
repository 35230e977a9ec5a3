import { InvalidOption } from "@pixcharge/core"
import { isLegible } from "@pixcharge/core/internal"

/**
 * Who acts, as text. Throws `InvalidOption` at once for nobody: what is changed in a name would be nobody's; and for marks that
 * make a name look like another one where it is shown.
 */
export const checkActor = (actor: string): string => {
  if (typeof actor === "string" && isLegible(actor)) return actor
  throw new InvalidOption({
    message: "by needs who acts, as a text with a visible character, and without control and direction characters.",
  })
}
