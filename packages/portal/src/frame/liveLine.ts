import { type Html, html } from "@pixcharge/web"

const liveTexts = {
  open: "Esta página é atualizada automaticamente.",
  polled: "Esta página é atualizada a cada 10 segundos.",
  lost: "Sem conexão com o servidor: esta página pode estar desatualizada.",
  ended: "Esta página não está mais sendo atualizada. Recarregue-a para ver a situação atual.",
}

export const busyText = "Enviando…"

/** Shown by the script: without a script, a page isn't updated. */
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

export const pageVersion = async (shown: unknown): Promise<string> => (await digest(JSON.stringify(shown))).slice(0, 24)

/** The SHA-256 of a text, in hexadecimal digits. */
export const digest = async (text: string): Promise<string> =>
  Array.from(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("")
