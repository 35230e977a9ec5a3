import { InvalidOption } from "@pixcharge/core"
import type { CompanyInput } from "@pixcharge/core/directory"
import { anObject, aText, checkOptions, hasMethods, required } from "@pixcharge/core/internal"

/** The options of a console. */
export interface ConsoleOptions {
  /** The company, as it is registered. `register` and the form's fees register it again. */
  readonly company: CompanyInput
  /** The key with which the company gets tokens, its own or its reseller's. The commands on the pages contain it. */
  readonly integratorKey: string
  /** Where the host has mounted the portal, as a link from the console's root: `portal/`. By default there is no link. */
  readonly portal?: string
}

/** Throws `InvalidOption` for anything but a sandbox: a host without types, or with a cast, learns it here. */
export const checkSandbox = (pix: unknown): void => {
  if (hasMethods(pix, "respond", "simulatePayment")) return
  throw new InvalidOption({
    message: 'consoleFor needs a sandbox: what createPix({ environment: "sandbox", ... }) returns.',
  })
}

/** Throws `InvalidOption` for invalid options. */
export const checkConsoleOptions = (options: unknown): void =>
  checkOptions<ConsoleOptions>("consoleFor", options, {
    company: required({ ...anObject, mustBe: "an object like { cnpj, name, city, pixKey }" }),
    integratorKey: required(aText),
    portal: aText,
  })
