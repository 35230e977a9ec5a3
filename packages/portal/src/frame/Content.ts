import type { Asset, Html } from "@pixcharge/web"
import type { NoticeId } from "./noticeTexts.ts"
import type { View } from "./View.ts"

/** A page between the pages above it and its own heading. */
export interface Crumb {
  readonly title: string
  /** Below the company: `/cobrancas`. */
  readonly path: string
}

/** What a page is made of; the frame draws the rest. */
export interface Content {
  /** Of the document, and its heading. */
  readonly title: string
  readonly body: Html
  /** 200, if none is given. */
  readonly status?: number
  /** The pages above this one, the section's start included. */
  readonly crumbs?: ReadonlyArray<Crumb>
  readonly styles?: ReadonlyArray<Asset>
  readonly scripts?: ReadonlyArray<Asset>
}

/**
 * What an action came to. It is kept under the action's key: the same form sent again goes the same way, and what was done is
 * not done again.
 */
export type Outcome =
  | {
      /** The page to go to, below the company. */
      readonly to: string
      readonly notice?: NoticeId
    }
  /** A page that is the answer itself, drawn anew for each repeat: what must not stand in a URL, or a form to correct. */
  | { readonly page: (view: View) => Content | Promise<Content> }
