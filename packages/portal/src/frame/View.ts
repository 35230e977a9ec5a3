import type { Administration, Pix } from "@pixcharge/embed"
import type { Asset, Html, PageRequest } from "@pixcharge/web"
import type { PortalCompany, Right } from "./Access.ts"
import type { NoticeId } from "./makeNotices.ts"
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

/** A page above the one that is shown. */
export interface Crumb {
  readonly title: string
  /** Below the company: `/cobrancas`. */
  readonly path: string
}

/** The parts of a page. The frame draws the rest. */
export interface Content {
  /** The title of the document, and the heading. */
  readonly title: string
  /** Beside the heading: how it stands, or what can be done. */
  readonly badge?: Html
  readonly body: Html
  /** Default: 200. */
  readonly status?: number
  /** The pages above this one, from the section's start on. */
  readonly crumbs?: ReadonlyArray<Crumb>
  readonly styles?: ReadonlyArray<Asset>
  /** The data that a live page shows: it is out of date as soon as its route looks up something else. */
  readonly shown?: unknown
}

/**
 * The outcome of an action.
 *
 * It is kept under the action's key, unless a form is to be corrected. If the same form is sent again, it gets this outcome, and
 * the action isn't run again.
 */
export type Outcome =
  | {
      /** The page to go to, below the company. */
      readonly to: string
      readonly notice?: NoticeId
    }
  /** A page as the answer itself, drawn again for each repeat: for what must not stand in a URL. */
  | { readonly page: (view: View) => Content | Promise<Content> }
  /** The form again, to be corrected. Nothing was done, so this isn't kept: the corrected form may have the same key. */
  | { readonly correct: (view: View) => Content | Promise<Content> }
