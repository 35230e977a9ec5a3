import type { Exchange } from "@pixcharge/core"
import type { Administration, Pix } from "@pixcharge/embed"
import type { Html, Params } from "@pixcharge/web"
import type { PortalCompany, Right } from "./Access.ts"
import type { SectionId } from "./sections.ts"

/** A request that was let in, about one company. */
export interface View<Path extends string = string> {
  readonly pix: Pix
  /** What changes anything, in this person's name. */
  readonly as: Administration
  readonly who: string
  /** The CNPJ of the company that the page is about: one that was granted. */
  readonly company: string
  readonly companyName: string
  /** All that were granted. */
  readonly companies: ReadonlyArray<PortalCompany>
  readonly section: SectionId | undefined
  readonly may: (right: Right) => boolean
  /** Epoch milliseconds of the instance's clock. */
  readonly now: number
  readonly params: Params<Path>
  readonly query: URLSearchParams
  readonly root: string
  readonly exchange: Exchange
  /** The address of a page below the company: of `/cobrancas`, or of its start without a path. */
  readonly link: (path?: string) => string
  /** The hidden field of a form that only reads. */
  readonly token: () => Html
  /** The hidden fields of an action's form. Its key, a UUID, is made anew for each form, so that each is one request. */
  readonly formFields: (key?: string) => Html
}

/** The same for an action. */
export interface ActionView<Path extends string = string> extends View<Path> {
  /** The UUID of the form that was sent: the same for its repeats, and in every process. */
  readonly actionKey: string
}
