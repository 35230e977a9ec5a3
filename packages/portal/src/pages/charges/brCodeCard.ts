import { type Html, html, qrSvg, raw } from "@pixcharge/web"
import { copyButton } from "../../parts/copyButton.ts"
import { chargeTexts } from "./chargeTexts.ts"

/**
 * The code that a banking app pays, to be read or copied, and the link to the payer's page if there is one. Without script it
 * can be selected.
 */
export const brCodeCard = (
  brCode: string,
  payerPage: string | undefined,
  pageText: string = chargeTexts.payerPage,
): Html =>
  html`<section class="card stack" aria-labelledby="code-heading">
    <h2 id="code-heading">${chargeTexts.brCode}</h2>
    <details>
      <summary>${chargeTexts.qrCode}</summary>
      <div class="portal-qr">${raw(qrSvg(brCode))}</div>
    </details>
    <p class="code portal-code" id="br-code" tabindex="0">${brCode}</p>
    <div class="row">
      ${
        payerPage !== undefined &&
        html`<a class="button button-primary" href="${payerPage}" rel="noreferrer">${pageText}</a>`
      }
      ${copyButton(
        "br-code",
        { copy: chargeTexts.copy, done: chargeTexts.copied, failed: chargeTexts.notCopied },
        { isPrimary: payerPage === undefined },
      )}
    </div>
  </section>`
