import { type Html, html } from "@pixcharge/web"
import { liveTexts } from "./liveTexts.ts"
import { pageVersion } from "./pageVersion.ts"

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
