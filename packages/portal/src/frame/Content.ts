import type { Asset, Html } from "@pixcharge/web"
import type { NoticeId } from "./noticeTexts.ts"
import type { View } from "./View.ts"

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
