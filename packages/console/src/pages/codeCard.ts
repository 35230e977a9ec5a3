import { type Html, html, qrSvg, raw } from "@pixcharge/web"

/** A code to read or to copy. */
export const codeCard = (title: string, brCode: string): Html =>
  html`<section class="card code-card" aria-labelledby="code-title">
    <h2 id="code-title">${title}</h2>
    <figure class="qr" lang="pt-BR">${raw(qrSvg(brCode))}</figure>
    <textarea class="code payload" id="payload" aria-label="Payload" rows="5" readonly>${brCode}</textarea>
    <button type="button" class="button button-small" data-copy="payload" hidden>Copy the payload</button>
  </section>`
