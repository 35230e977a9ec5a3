import { type Html, html } from "@pixcharge/web"

/** Whether a page is up to date. */
const liveTexts = {
  open: "Esta página é atualizada automaticamente.",
  polled: "Esta página é atualizada a cada 10 segundos.",
  lost: "Sem conexão com o servidor: esta página pode estar desatualizada.",
  ended: "Esta página não está mais sendo atualizada. Recarregue-a para ver a situação atual.",
}

/** What a button says while its form is on its way. */
export const busyText = "Enviando…"

/** The line below a live page that says whether it is up to date. The script shows it: without, a page stays as it is. */
export const liveLine = async (shown: unknown): Promise<Awaited<Html>> =>
  html`<p
    class="muted"
    id="live"
    hidden
    data-version="${await pageVersion(shown)}"
    data-polled="${liveTexts.polled}"
    data-lost="${liveTexts.lost}"
    data-ended="${liveTexts.ended}"
  >
    ${liveTexts.open}
  </p>`

/** The version of a page: the same for the same data. */
export const pageVersion = async (shown: unknown): Promise<string> => (await digest(JSON.stringify(shown))).slice(0, 24)

/** A text's SHA-256 in hexadecimal digits: it is short for long texts, and says nothing of them. */
export const digest = async (text: string): Promise<string> =>
  Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("")
