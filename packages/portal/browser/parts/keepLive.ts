import { isSending } from "./busyForms.ts"
import { showCopyButtons } from "./copies.ts"
import { morph } from "./morph.ts"

/** The delay between reads of a page without a stream. */
const retryMs = 10_000

/** The page's address without the notice of an action. */
const readAddress = (): URL => {
  const address = new URL(location.href)
  address.searchParams.delete("aviso")
  return address
}

const show = (fresh: Document): void => {
  const [main, next] = [document.getElementById("main"), fresh.getElementById("main")]
  if (main === null || next === null) return
  const focused = document.activeElement
  morph(main, next)
  showCopyButtons()
  document.title = fresh.title
  // If the focused element is gone, the next Tab key continues in the content instead of at the top of the page.
  if (focused !== null && !focused.isConnected) main.focus({ preventScroll: true })
}

/** Updates the page while it is visible. */
class LivePage {
  readonly #line: HTMLElement
  readonly #text: string
  #feed: EventSource | undefined
  #timer: number | undefined

  constructor(line: HTMLElement) {
    this.#line = line
    this.#text = line.textContent
    line.hidden = false
  }

  /** Opens a stream that reports versions newer than the shown version. */
  listen(): void {
    const address = readAddress()
    address.searchParams.set("versao", this.#line.dataset["version"] ?? "")
    const feed = new EventSource(address)
    this.#feed = feed
    feed.addEventListener("open", () => this.#say(this.#text))
    feed.addEventListener("news", () => void this.renew())
    feed.addEventListener("error", () => {
      // If the server refuses the stream, a read of the page shows whether the operator can still see it.
      const isRefused = feed.readyState === EventSource.CLOSED
      this.#say((isRefused ? this.#line.dataset["polled"] : this.#line.dataset["lost"]) ?? "")
      if (isRefused) this.#renewLater()
    })
  }

  leave(): void {
    clearTimeout(this.#timer)
    this.#feed?.close()
    this.#feed = undefined
  }

  /** Reads the page, and shows changes. */
  async renew(): Promise<void> {
    if (isSending()) return
    const answer = await fetch(readAddress(), { redirect: "manual" }).catch(() => undefined)
    if (answer === undefined || answer.status >= 429) {
      this.#say(this.#line.dataset["lost"] ?? "")
      return this.#renewLater()
    }
    if (!answer.ok) {
      this.leave()
      return this.#say(this.#line.dataset["ended"] ?? "")
    }
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html")
    if (isSending()) return
    this.#line.dataset["version"] = fresh.getElementById("live")?.dataset["version"] ?? ""
    show(fresh)
    if (this.#feed?.readyState === EventSource.CLOSED) this.listen()
    else if (this.#feed?.readyState === EventSource.OPEN) this.#say(this.#text)
  }

  #renewLater(): void {
    clearTimeout(this.#timer)
    this.#timer = window.setTimeout(() => void this.renew(), retryMs)
  }

  #say(text: string): void {
    if (this.#line.textContent !== text) this.#line.textContent = text
  }
}

/** Updates a page with the element `live` while the page is visible. */
export const keepLive = (): void => {
  const line = document.getElementById("live")
  if (line === null) return
  const page = new LivePage(line)
  const lookAgain = (): void => {
    page.leave()
    if (document.visibilityState === "hidden") return
    page.listen()
    void page.renew()
  }
  document.addEventListener("visibilitychange", lookAgain)
  addEventListener("pagehide", () => page.leave())
  addEventListener("pageshow", ({ persisted }) => persisted && lookAgain())
  if (document.visibilityState === "visible") page.listen()
}
