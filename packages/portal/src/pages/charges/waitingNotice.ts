import { type Html, html } from "@pixcharge/web"
import { formats } from "../../parts/formats.ts"

/** Says that the bank hasn't confirmed a return of these cents yet; empty for none. */
export const waitingNotice = (cents: number): Html =>
  cents > 0
    ? html`<p class="notice" data-tone="info">
        Devolução de ${formats.reais(cents)} solicitada. Aguardando a confirmação do banco.
      </p>`
    : html``
