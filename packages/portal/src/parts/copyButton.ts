import { type Html, html } from "@pixcharge/web"

/** What a button that copies says: on itself, once it has copied, and if it can't. */
export interface CopyTexts {
  readonly copy: string
  readonly done: string
  readonly failed: string
}

/** A button that copies the text of the element with this id, and says so. Without script it is hidden. */
export const copyButton = (id: string, { copy, done, failed }: CopyTexts, { isPrimary = false } = {}): Html =>
  html`<button
      class="button ${isPrimary && "button-primary"}"
      type="button"
      hidden
      data-copy="${id}"
      data-status="${id}-status"
      data-done="${done}"
      data-failed="${failed}"
    >
      ${copy}
    </button>
    <span role="status" id="${id}-status"></span>`
