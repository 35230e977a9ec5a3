import { InvalidOption } from "@pixcharge/core"
import type { CompanyInput } from "@pixcharge/core/directory"
import { anObject, aText, checkOptions, hasMethods, required } from "@pixcharge/core/internal"
import type { SandboxPix } from "@pixcharge/embed"
import type { Csrf } from "@pixcharge/web"
import { randomUUID } from "node:crypto"
import type { LiveFeed } from "./LiveFeed.ts"
import type { CallLog } from "../calls/CallLog.ts"
import type { EventReceiver } from "../receiver/EventReceiver.ts"

/** The options of a console. */
export interface ConsoleOptions {
  /** The company's registration. `register` registers the company again. */
  readonly company: CompanyInput
  /** The company's or its reseller's integrator key. The commands on the pages contain it. */
  readonly integratorKey: string
  /** The portal's mount, as a link from the console's root: `portal/`; default: no link. */
  readonly portal?: string
}

/** Checks at run time, because a host can have no types or use a cast. */
export const checkSandbox = (pix: unknown): void => {
  if (hasMethods(pix, "respond", "simulatePayment")) return
  throw new InvalidOption({
    message: 'consoleFor needs a sandbox, made with createPix({ environment: "sandbox", ... }).',
  })
}

export const checkConsoleOptions = (options: unknown): void =>
  checkOptions<ConsoleOptions>("consoleFor", options, {
    company: required({ ...anObject, mustBe: "an object like { cnpj, name, city, pixKey }" }),
    integratorKey: required(aText),
    portal: aText,
  })

export interface Notice {
  readonly tone: "good" | "warn" | "bad" | "info"
  readonly text: string
}

const maxKept = 50

export class Notices {
  readonly #kept = new Map<string, Notice>()

  keep(notice: Notice): string {
    const name = randomUUID()
    this.#kept.set(name, notice)
    const [oldest = ""] = this.#kept.keys()
    if (this.#kept.size > maxKept) this.#kept.delete(oldest)
    return name
  }

  find(name: string | null): Notice | undefined {
    return this.#kept.get(name ?? "")
  }
}

export interface ConsoleContext {
  readonly pix: SandboxPix
  readonly options: ConsoleOptions
  readonly calls: CallLog
  readonly receiver: EventReceiver
  readonly feed: LiveFeed
  readonly notices: Notices
  readonly csrf: Csrf
  /** Has the console's receiver as callback once `register` has run. */
  company: CompanyInput
  /** True while a month of charges is made. */
  isSeeding: boolean
}
