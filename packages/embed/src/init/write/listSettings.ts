import type { Choices } from "../choices.ts"
import type { Place } from "../lookAt.ts"
import type { Setting } from "../Part.ts"
import { bankPart } from "./bankPart.ts"
import { storePart } from "./storePart.ts"

/** Where the routes are, below the address of the app. */
export const routesPath = ({ framework }: Choices): string => `${framework === "next" ? "/api" : ""}/payments`

const listRouteSettings = (choices: Choices, { kind }: Place): ReadonlyArray<Setting> => {
  const { framework, bank } = choices
  if (framework === "none") return []
  const port: Setting = { name: "PORT", comment: "Where the server listens", value: "3000" }
  return [
    ...(kind === "new" && framework !== "next" ? [port] : []),
    {
      name: "PUBLIC_URL",
      comment: `Where payers, and the bank, reach the routes: https://shop.example${routesPath(choices)}`,
      ...(bank === "sandbox" ? { value: `http://localhost:3000${routesPath(choices)}` } : { isRequired: true }),
    },
    {
      name: "PIX_TOKEN_SECRET",
      comment: "Signs the links of payers' pages: openssl rand -hex 32",
      ...(bank !== "sandbox" && { isRequired: true }),
    },
  ]
}

/** All that is read from the environment. */
export const listSettings = (choices: Choices, place: Place): ReadonlyArray<Setting> =>
  [listRouteSettings(choices, place), storePart(choices).settings, bankPart(choices).settings].flatMap(
    (settings) => settings ?? [],
  )
