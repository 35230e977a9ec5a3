import type { CheckoutState } from "../view/CheckoutState.ts"
import { linksBelow } from "../view/ViewParts.ts"
import { checkoutFrame, loadingParts } from "../view/checkoutFrame.ts"
import { texts } from "../view/texts.ts"
import { browserFormats } from "./browserFormats.ts"
import { openLiveView } from "./openLiveView.ts"
import { focusTitle, setMarkup } from "./viewRoot.ts"

/** A server has no `HTMLElement`, but must be able to import this module. */
const Base = (globalThis.HTMLElement ?? Object) as typeof HTMLElement

let styles = ""
/** In browsers before 2023, which can't construct it, each element gets a `<style>`. */
let sheet: CSSStyleSheet | undefined

const addStyles = (root: ShadowRoot): void => {
  if (sheet !== undefined) root.adoptedStyleSheets = [sheet]
  else root.appendChild(document.createElement("style")).textContent = styles
}

const showLinkAlone = (root: ShadowRoot, link: string): void => {
  const sentence = document.createElement("p")
  sentence.textContent = texts.notShown
  const anchor = document.createElement("a")
  Object.assign(anchor, { href: link, target: "_blank", rel: "noopener", textContent: texts.openPage })
  root.replaceChildren(sentence, anchor)
}

const tryToFill = (root: ShadowRoot, link: string): boolean => {
  try {
    setMarkup(root, checkoutFrame(loadingParts(link), undefined).text)
    return true
  } catch {
    showLinkAlone(root, link)
    return false
  }
}

/**
 * `<pix-checkout src="...">` shows a charge to its payer and keeps it up to date.
 *
 * It dispatches `pix-paid`, `pix-expired` and `pix-renewed`. It has no stream while the document is hidden, nor after a final
 * state until the document becomes visible again.
 */
export class PixCheckout extends Base {
  #closeView: (() => void) | undefined
  #state: CheckoutState | undefined
  /** Moves the focus to the new view's title, because the pressed button is gone. */
  #isRenewed = false

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

  /** The shown state; undefined until the server has answered. */
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
    const link = new URL(this.src, document.baseURI).href.replace(/\/$/, "")
    // The element counts as open even if the page refuses the view.
    this.#closeView = () => undefined
    if (!tryToFill(root, link)) return
    addStyles(root)
    const context = { formats: browserFormats, links: linksBelow(link), isEmbedded: true, isLive: true } as const
    const closeLiveView = openLiveView(root, `${link}/estado`, context, (state) => this.#show(state, root))
    const stopRenewal = handleRenewal(root, (renewed) => this.#renew(renewed))
    this.#closeView = () => {
      closeLiveView()
      stopRenewal()
    }
  }

  #show(state: CheckoutState, root: ShadowRoot): void {
    const hasChanged = state.status !== this.#state?.status
    this.#state = state
    if (this.#isRenewed) focusTitle(root)
    this.#isRenewed = false
    if (hasChanged && state.status === "paid") this.#dispatch("pix-paid", state)
    if (hasChanged && state.status === "expired") this.#dispatch("pix-expired", state)
  }

  #renew(link: string): void {
    this.#isRenewed = true
    this.#close()
    this.src = link
    this.#open()
    this.#dispatch("pix-renewed", { link })
  }

  #dispatch(name: "pix-paid" | "pix-expired" | "pix-renewed", detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }))
  }
}

/** Defines `<pix-checkout>` once. Has no effect without a DOM. */
export const definePixCheckout = (css: string): void => {
  if (globalThis.customElements === undefined || customElements.get("pix-checkout") !== undefined) return
  styles = css
  if ("adoptedStyleSheets" in document) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
  }
  customElements.define("pix-checkout", PixCheckout)
}

const requestLink = async (address: string, signal: AbortSignal): Promise<string> => {
  const answer = await fetch(address, {
    method: "POST",
    headers: { accept: "application/json" },
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal,
  })
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
  const { link } = (await answer.json()) as { readonly link: string }
  return new URL(link, address).href
}

const handleRenewal = (root: ShadowRoot, onLink: (link: string) => void): (() => void) => {
  const ending = new AbortController()
  const { signal } = ending
  const onSubmit = (event: Event): void => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const button = form.querySelector("button")
    const say = (text: string, isDone: boolean): void => {
      const message = form.querySelector("[data-renewal]")
      if (message !== null) message.textContent = text
      // A disabled button would lose the focus.
      button?.setAttribute("aria-disabled", String(!isDone))
    }
    if (button?.getAttribute("aria-disabled") === "true") return
    say(texts.renewing, false)
    void requestLink(form.action, signal).then(onLink, () => say(texts.notRenewed, true))
  }
  root.addEventListener("submit", onSubmit, { signal })
  return () => ending.abort()
}
