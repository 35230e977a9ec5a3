import type { Administration, Pix } from "@pixcharge/embed"
import type { Asset, Html, PageRequest } from "@pixcharge/web"
import type { PortalCompany, Right } from "./Access.ts"
import type { NoticeId } from "./makeNotices.ts"
import type { SectionId } from "./sections.ts"

export interface View<Path extends string = string> extends PageRequest<Path> {
  readonly pix: Pix
  /** Makes changes in this person's name. */
  readonly as: Administration
  readonly who: string
  /** The CNPJ of the page's company. */
  readonly company: string
  readonly companyName: string
  readonly companies: ReadonlyArray<PortalCompany>
  readonly section: SectionId | undefined
  readonly may: (right: Right) => boolean
  /** Epoch milliseconds of the instance's clock. */
  readonly now: number
  /** The address of a page below the company, like `/cobrancas`; by default the company's start. */
  readonly link: (path?: string) => string
  /** Encrypts a text for an address. Only this person can read it, and only for twelve hours. */
  readonly seal: (text: string) => Promise<string>
  /** Decrypts a text that `seal` encrypted for this person and company; undefined for any other. */
  readonly unseal: (token: string) => Promise<string | undefined>
  /** The hidden field of a form that only reads. */
  readonly token: () => Html
  /** The hidden fields of an action's form; by default with a new key, a UUID. */
  readonly formFields: (key?: string) => Html
}

export interface ActionView<Path extends string = string> extends View<Path> {
  /** The form's UUID, the same for repeats in every process. */
  readonly actionKey: string
}

export interface Crumb {
  readonly title: string
  /** A path below the company's, such as `/cobrancas`. */
  readonly path: string
}

export interface Content {
  readonly title: string
  /** Beside the heading: a status or actions. */
  readonly badge?: Html
  readonly body: Html
  /** Default: 200. */
  readonly status?: number
  /** The pages above this one, from the section's start. */
  readonly crumbs?: ReadonlyArray<Crumb>
  readonly styles?: ReadonlyArray<Asset>
  /** The data of a live page. When a look-up returns other data, the page is out of date. */
  readonly shown?: unknown
}

/**
 * The outcome of an action.
 *
 * Repeats of the form get it without running the action again, unless the form needs a correction.
 */
export type Outcome =
  | {
      /** A path below the company's. */
      readonly to: string
      readonly notice?: NoticeId
    }
  /** A page, drawn again for each repeat; keeps data out of URLs. */
  | { readonly page: (view: View) => Content | Promise<Content> }
  /** The form for a correction. It isn't kept, so the corrected form can use the same key. */
  | { readonly correct: (view: View) => Content | Promise<Content> }
