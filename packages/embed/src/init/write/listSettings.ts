import type { Choices } from "../choices.ts"
import type { Setting } from "../Part.ts"
import { bankPart } from "./bankPart.ts"
import { storePart } from "./storePart.ts"

const listRouteSettings = ({ framework }: Choices): ReadonlyArray<Setting> => {
  if (framework === "none") return []
  const port: Setting = { name: "PORT", comment: "Where the server listens", value: "3000" }
  return [
    ...(framework === "next" ? [] : [port]),
    { name: "INTEGRATOR_KEY", comment: "What integrators get a token with: openssl rand -hex 32" },
    { name: "PIX_TOKEN_SECRET", comment: "Signs the tokens: openssl rand -hex 32" },
  ]
}

/** All that is read from the environment. */
export const listSettings = (choices: Choices): ReadonlyArray<Setting> =>
  [listRouteSettings(choices), storePart(choices).settings, bankPart(choices).settings].flatMap((part) => part ?? [])
