import { checkoutFrame } from "../view/checkoutFrame.ts"
import type { CheckoutParts } from "../view/ViewParts.ts"
import type { CheckoutState } from "../view/CheckoutState.ts"
import { markup } from "../view/markup.ts"
import { texts } from "../view/texts.ts"
import { browserFormats } from "./browserFormats.ts"
import { openLiveView } from "./openLiveView.ts"

/** Where there is no DOM, as on a server that renders the page around it, the class exists and does nothing. */
const Base = (globalThis.HTMLElement ?? Object) as typeof HTMLElement

const nothing = markup``
const loading: CheckoutParts = {
  head: nothing,
  status: markup`${texts.loading}`,
  clock: nothing,
  warning: nothing,
  main: nothing,
  details: nothing,
}

let styles = ""
/** One stylesheet for all elements of a page; browsers before 2023 can't make it, and get an element of each. */
let sheet: CSSStyleSheet | undefined

const addStyles = (root: ShadowRoot): void => {
  if (sheet !== undefined) root.adoptedStyleSheets = [sheet]
  else root.appendChild(document.createElement("style")).textContent = styles
}

/**
 * `<pix-checkout src="...">`: a charge as its payer sees it, kept up to date as long as it is in the document. It tells of
 * `pix-paid` and `pix-expired`, and closes its stream while the document is hidden and after a final state.
 */
export class PixCheckout extends Base {
  static readonly observedAttributes = ["src"]
  #closeView: (() => void) | undefined
  #state: CheckoutState | undefined

  /** The link of the charge, as `pix.checkout.link` answers it. */
  get src(): string {
    return this.getAttribute("src") ?? ""
  }

  set src(link: string) {
    this.setAttribute("src", link)
  }

  /** What is shown, once it is known. */
  get state(): CheckoutState | undefined {
    return this.#state
  }

  connectedCallback(): void {
    this.#open()
  }

  disconnectedCallback(): void {
    this.#close()
  }

  attributeChangedCallback(_name: string, before: string | null, after: string | null): void {
    if (!this.isConnected || before === after) return
    this.#close()
    this.#open()
  }

  #close(): void {
    this.#closeView?.()
    this.#closeView = undefined
    this.#state = undefined
  }

  #open(): void {
    if (this.src === "" || this.#closeView !== undefined) return
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" })
    root.innerHTML = checkoutFrame(loading, undefined).text
    addStyles(root)
    const link = new URL(this.src, document.baseURI).href.replace(/\/$/, "")
    const links = { qr: `${link}/qr.svg`, renew: `${link}/novo`, receipt: `${link}/comprovante` }
    const context = { formats: browserFormats, links, heading: 2, isLive: true } as const
    this.#closeView = openLiveView(root, `${link}/estado`, context, (state) => {
      const isOther = state.status !== this.#state?.status
      this.#state = state
      if (isOther && state.status === "paid") this.#tell("pix-paid", state)
      if (isOther && state.status === "expired") this.#tell("pix-expired", state)
    })
  }

  #tell(name: "pix-paid" | "pix-expired", detail: CheckoutState): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}

/** Makes `<pix-checkout>` known with its stylesheet, once; where there is no DOM, nothing happens. */
export const definePixCheckout = (css: string): void => {
  if (globalThis.customElements === undefined || customElements.get("pix-checkout") !== undefined) return
  styles = css
  if ("adoptedStyleSheets" in document) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
  }
  customElements.define("pix-checkout", PixCheckout)
}
