import { InvalidOption } from "@pixcharge/core"
import { hasMethods } from "@pixcharge/core/internal"

/** For hosts without types: throws `InvalidOption` if a binding, named by `caller`, is given anything but a `Responder`. */
export const checkResponder = (caller: string, pix: unknown): void => {
  if (hasMethods(pix, "respond")) return
  const hint = hasMethods(pix, "then") ? ", and was given a promise of it: await it first" : ""
  throw new InvalidOption({
    message: `${caller} needs what createPix returns, or an app such as the portal${hint}.`,
  })
}
