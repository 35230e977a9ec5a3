import { browserFormats } from "../src/element/browserFormats.ts"
import { openLiveView } from "../src/element/openLiveView.ts"
import { linksBelow } from "../src/view/ViewParts.ts"
import { pageTitle } from "../src/view/texts.ts"
import { startPageTools } from "../src/element/buttons.ts"

// Keeps the hosted page up to date. The server's markup names the addresses.
const root = document.querySelector<HTMLElement>("[data-checkout]")
if (root !== null) {
  const { checkout = "" } = root.dataset
  for (const hidden of root.querySelectorAll("[data-copy]")) hidden.removeAttribute("hidden")
  openLiveView(
    root,
    `${checkout}/estado`,
    { formats: browserFormats, links: linksBelow(checkout), isEmbedded: false, isLive: true },
    (state) => void (document.title = pageTitle(state, root.dataset["shop"] ?? "")),
  )
}

startPageTools()
