import { browserFormats } from "../src/element/browserFormats.ts"
import { openLiveView } from "../src/element/openLiveView.ts"

// The hosted page: what the server has written becomes live. Its addresses stand in its markup.
const root = document.querySelector<HTMLElement>("[data-checkout]")
if (root !== null) {
  const { checkout = "" } = root.dataset
  const links = { qr: `${checkout}/qr.svg`, renew: `${checkout}/novo`, receipt: `${checkout}/comprovante` }
  for (const hidden of root.querySelectorAll("[data-copy]")) hidden.removeAttribute("hidden")
  openLiveView(root, `${checkout}/estado`, { formats: browserFormats, links, heading: 1, isLive: true }, (state) => {
    const title = root.querySelector("h1")?.textContent
    document.title = `${title} · ${state.payee.name}`
  })
}

const print = document.querySelector<HTMLElement>("[data-print]")
print?.removeAttribute("hidden")
print?.addEventListener("click", () => window.print())
