import { browserFormats } from "../src/element/browserFormats.ts"
import { openLiveView } from "../src/element/openLiveView.ts"
import { linksBelow } from "../src/view/linksBelow.ts"

// Makes the hosted page live. Its addresses stand in the markup that the server has written.
const root = document.querySelector<HTMLElement>("[data-checkout]")
if (root !== null) {
  const { checkout = "" } = root.dataset
  for (const hidden of root.querySelectorAll("[data-copy]")) hidden.removeAttribute("hidden")
  openLiveView(
    root,
    `${checkout}/estado`,
    { formats: browserFormats, links: linksBelow(checkout), heading: 1, isLive: true },
    (state) => {
      const title = root.querySelector("h1")?.textContent
      document.title = `${title} · ${state.payee.name}`
    },
  )
}

const print = document.querySelector<HTMLElement>("[data-print]")
print?.removeAttribute("hidden")
print?.addEventListener("click", () => window.print())
