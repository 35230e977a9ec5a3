import type { Administration, Pix } from "@pixcharge/embed"
import type { Asset, Html, PageRequest } from "@pixcharge/web"
import type { PortalCompany, Right } from "./Access.ts"
import type { NoticeId } from "./makeNotices.ts"
import type { SectionId } from "./sections.ts"

/** An admitted request for one company. */
export interface View<Path extends string = string> extends PageRequest<Path> {
  readonly pix: Pix
  /** Makes changes in this person's name. */
  readonly as: Administration
  readonly who: string
  /** The CNPJ of the page's company, one of the granted ones. */
  readonly company: string
  readonly companyName: string
  readonly companies: ReadonlyArray<PortalCompany>
  readonly section: SectionId | undefined
  readonly may: (right: Right) => boolean
  /** Epoch milliseconds of the instance's clock. */
  readonly now: number
  /** The address of a page below the company, like `/cobrancas`; without a path, of the company's start. */
  readonly link: (path?: string) => string
  /** Encrypts a text for an address. Only its sender can read it there, for twelve hours. */
  readonly seal: (text: string) => Promise<string>
  /** Decrypts a text that `seal` wrote for this person and company; undefined for any other. */
  readonly unseal: (token: string) => Promise<string | undefined>
  /** The hidden field of a form that only reads. */
  readonly token: () => Html
  /** The hidden fields of an action's form. By default each form has a new key, a UUID. */
  readonly formFields: (key?: string) => Html
}

export interface ActionView<Path extends string = string> extends View<Path> {
  /** The form's UUID, the same for its repeats in every process. */
  readonly actionKey: string
}

/** A page above the shown one. */
export interface Crumb {
  readonly title: string
  /** The path below the company: `/cobrancas`. */
  readonly path: string
}

/** The parts of a page. The frame draws the rest. */
export interface Content {
  /** The title of the document and its heading. */
  readonly title: string
  /** Beside the heading: a status or actions. */
  readonly badge?: Html
  readonly body: Html
  /** Default: 200. */
  readonly status?: number
  /** The pages above this one, from the section's start. */
  readonly crumbs?: ReadonlyArray<Crumb>
  readonly styles?: ReadonlyArray<Asset>
  /** The data of a live page. The page is out of date once its route looks up other data. */
  readonly shown?: unknown
}

/**
 * The outcome of an action.
 *
 * It is kept under the action's key, unless the form needs a correction. Another submission of the form gets this outcome, and
 * the action doesn't run again.
 */
export type Outcome =
  | {
      /** The next page's path below the company. */
      readonly to: string
      readonly notice?: NoticeId
    }
  /** A page as the answer, drawn again for each repeat: for data that must stay out of URLs. */
  | { readonly page: (view: View) => Content | Promise<Content> }
  /** The form again, for a correction. No change was made, so this isn't kept: the corrected form can have the same key. */
  | { readonly correct: (view: View) => Content | Promise<Content> }
