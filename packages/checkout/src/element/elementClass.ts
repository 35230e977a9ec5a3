import { checkoutFrame } from "../view/checkoutFrame.ts"
import type { CheckoutParts } from "../view/CheckoutParts.ts"
import type { CheckoutState } from "../view/CheckoutState.ts"
import { markup } from "../view/markup.ts"
import { texts } from "../view/texts.ts"
import { browserFormats } from "./browserFormats.ts"
import { LiveView } from "./LiveView.ts"

/** Where there is no DOM, as on a server that renders the page around it, the class exists and does nothing. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement

const nothing = markup``
const loading: CheckoutParts = {
  head: nothing,
  status: markup`${texts.loading}`,
  clock: nothing,
  warning: nothing,
  main: nothing,
  details: nothing,
}

/** One for all elements of a page. */
let sheet: CSSStyleSheet | undefined

const sheetOf = (css: string): CSSStyleSheet => {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
  }
  return sheet
}

/** Makes the class of `<pix-checkout>` with its stylesheet. */
export const elementClass = (css: string) =>
  class PixCheckout extends Base {
    static readonly observedAttributes = ["src"]
    #view: LiveView | undefined
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
      this.#view?.close()
      this.#view = undefined
      this.#state = undefined
    }

    #open(): void {
      if (this.src === "" || this.#view !== undefined) return
      const root = this.shadowRoot ?? this.attachShadow({ mode: "open" })
      root.adoptedStyleSheets = [sheetOf(css)]
      root.innerHTML = checkoutFrame(loading, undefined).text
      const link = new URL(this.src, document.baseURI).href.replace(/\/$/, "")
      const links = { qr: `${link}/qr.svg`, renew: `${link}/novo`, receipt: `${link}/comprovante` }
      const context = { formats: browserFormats, links, heading: 2, isLive: true } as const
      this.#view = new LiveView(root, `${link}/estado`, context, (status, state) => {
        this.#state = state
        if (status === "paid") this.#tell("pix-paid", state)
        if (status === "expired") this.#tell("pix-expired", state)
      })
    }

    #tell(name: "pix-paid" | "pix-expired", detail: CheckoutState): void {
      this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
    }
  }

/** Makes `<pix-checkout>` known, once; where there is no DOM, nothing happens. */
export const defineElement = (PixCheckout: ReturnType<typeof elementClass>): void => {
  if (globalThis.customElements?.get("pix-checkout") === undefined) {
    globalThis.customElements?.define("pix-checkout", PixCheckout)
  }
}
