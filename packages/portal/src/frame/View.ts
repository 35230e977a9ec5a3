import type { Administration, Pix } from "@pixcharge/embed"
import type { Html, PageRequest } from "@pixcharge/web"
import type { PortalCompany, Right } from "./Access.ts"
import type { SectionId } from "./sections.ts"

/** An admitted request about one company. */
export interface View<Path extends string = string> extends PageRequest<Path> {
  readonly pix: Pix
  /** Makes changes in this person's name. */
  readonly as: Administration
  readonly who: string
  /** The CNPJ of the page's company, a granted one. */
  readonly company: string
  readonly companyName: string
  /** All granted companies. */
  readonly companies: ReadonlyArray<PortalCompany>
  readonly section: SectionId | undefined
  readonly may: (right: Right) => boolean
  /** Epoch milliseconds of the instance's clock. */
  readonly now: number
  /** The address of a page below the company: of `/cobrancas`, or of its start without a path. */
  readonly link: (path?: string) => string
  /** Writes a text into an address so that only its sender can read it there, for twelve hours. */
  readonly seal: (text: string) => Promise<string>
  /** Reads what `seal` wrote for this person and company; undefined for anything else. */
  readonly unseal: (token: string) => Promise<string | undefined>
  /** The hidden field of a form that only reads. */
  readonly token: () => Html
  /** The hidden fields of an action's form. By default each form has a new key, a UUID. */
  readonly formFields: (key?: string) => Html
}

/** An admitted request of an action. */
export interface ActionView<Path extends string = string> extends View<Path> {
  /** The UUID of the form: the same for its repeats, in every process. */
  readonly actionKey: string
}
