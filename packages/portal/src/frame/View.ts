import type { Administration, Pix } from "@pixcharge/embed"
import type { Asset, Html, PageRequest } from "@pixcharge/web"
import type { PortalCompany, Right } from "./Access.ts"
import type { NoticeId } from "./makeNotices.ts"
import type { SectionId } from "./sections.ts"

export interface View<Path extends string = string> extends PageRequest<Path> {
  readonly pix: Pix
  /** Makes changes in the operator's name. */
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
  /** The address of a page of the company by its path, like `/cobrancas`; default: the company's start. */
  readonly link: (path?: string) => string
  /** For an address: only the operator can read it, and only for twelve hours. */
  readonly seal: (text: string) => Promise<string>
  /** Undefined unless `seal` encrypted it for the same operator and company. */
  readonly unseal: (token: string) => Promise<string | undefined>
  /** The hidden field of a form that only reads. */
  readonly token: () => Html
  /** The hidden fields of a form. `key` is a UUID; default: a new one. */
  readonly formFields: (key?: string) => Html
}

export interface ActionView<Path extends string = string> extends View<Path> {
  /** The form's UUID, the same if the form is sent again. */
  readonly actionKey: string
}

export interface Crumb {
  readonly title: string
  /** A path relative to the company's path, like `/cobrancas`. */
  readonly path: string
}

export interface Content {
  readonly title: string
  /** A status or actions beside the heading. */
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

/** A form sent again gets the same outcome without another run, except for a correction. */
export type Outcome =
  | {
      /** A path relative to the company's path. */
      readonly to: string
      readonly notice?: NoticeId
    }
  /** Keeps data out of URLs. Rendered again if the form is sent again. */
  | { readonly page: (view: View) => Content | Promise<Content> }
  /** The form with its problems. Isn't kept, so the corrected form can use the same key. */
  | { readonly correct: (view: View) => Content | Promise<Content> }
