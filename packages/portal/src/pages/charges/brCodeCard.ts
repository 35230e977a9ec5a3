import { type Html, html } from "@pixcharge/web"
import { chargeTexts } from "./chargeTexts.ts"

/** The code that a banking app pays, with a button that copies it. Without script it can be selected. */
export const brCodeCard = (brCode: string): Html =>
  html`<section class="card stack" aria-labelledby="code-heading">
    <h2 id="code-heading">${chargeTexts.brCode}</h2>
    <p class="code portal-code" id="br-code" tabindex="0">${brCode}</p>
    <div class="row">
      <button
        class="button"
        type="button"
        hidden
        data-copy="br-code"
        data-status="br-code-status"
        data-done="${chargeTexts.copied}"
        data-failed="${chargeTexts.notCopied}"
      >
        ${chargeTexts.copy}
      </button>
      <span role="status" id="br-code-status"></span>
    </div>
  </section>`
