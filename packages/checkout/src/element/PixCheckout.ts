import { checkoutFrame } from "../view/checkoutFrame.ts"
import type { CheckoutParts } from "../view/ViewParts.ts"
import type { CheckoutState } from "../view/CheckoutState.ts"
import { linksBelow } from "../view/linksBelow.ts"
import { markup } from "../view/markup.ts"
import { texts } from "../view/texts.ts"
import { browserFormats } from "./browserFormats.ts"
import { openLiveView } from "./openLiveView.ts"

/** On a server that renders the page around the element there is no DOM: the class exists there and does nothing. */
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
/** One stylesheet for all elements of a page. Browsers before 2023 can't make one: there each element has its own. */
let sheet: CSSStyleSheet | undefined

const addStyles = (root: ShadowRoot): void => {
  if (sheet !== undefined) root.adoptedStyleSheets = [sheet]
  else root.appendChild(document.createElement("style")).textContent = styles
}

/**
 * `<pix-checkout src="...">`: a charge as its payer sees it, kept up to date while it is in the document.
 *
 * It dispatches `pix-paid` and `pix-expired`, and closes its stream while the document is hidden and after a final state.
 */
export class PixCheckout extends Base {
  #closeView: (() => void) | undefined
  #state: CheckoutState | undefined

  static get observedAttributes(): ReadonlyArray<string> {
    return ["src"]
  }

  /** The link of the charge, as `pix.checkout.link` returns it. */
  get src(): string {
    return this.getAttribute("src") ?? ""
  }

  set src(link: string) {
    this.setAttribute("src", link)
  }

  /** What the element shows; undefined until the server has answered. */
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
    const context = { formats: browserFormats, links: linksBelow(link), heading: 2, isLive: true } as const
    this.#closeView = openLiveView(root, `${link}/estado`, context, (state) => {
      const hasChanged = state.status !== this.#state?.status
      this.#state = state
      if (hasChanged && state.status === "paid") this.#dispatch("pix-paid", state)
      if (hasChanged && state.status === "expired") this.#dispatch("pix-expired", state)
    })
  }

  #dispatch(name: "pix-paid" | "pix-expired", detail: CheckoutState): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}

/** Defines `<pix-checkout>` with its stylesheet, once. Does nothing without a DOM. */
export const definePixCheckout = (css: string): void => {
  if (globalThis.customElements === undefined || customElements.get("pix-checkout") !== undefined) return
  styles = css
  if ("adoptedStyleSheets" in document) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
  }
  customElements.define("pix-checkout", PixCheckout)
}
