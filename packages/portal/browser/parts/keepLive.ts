import { isSending } from "./busyForms.ts"
import { showCopyButtons } from "./copies.ts"
import { morph } from "./morph.ts"

/** How long a page without a stream waits before it reads itself again. */
const retryMs = 10_000

/** The page's address without what is said once after an action. */
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
  // What had the focus is gone: the next key begins at the content, and not at the top of the page.
  if (focused !== null && !focused.isConnected) main.focus({ preventScroll: true })
}

/** Renews the page while somebody looks at it. */
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

  /** Listens for news of the version that is shown. */
  listen(): void {
    const address = readAddress()
    address.searchParams.set("versao", this.#line.dataset["version"] ?? "")
    const feed = new EventSource(address)
    this.#feed = feed
    feed.addEventListener("open", () => this.#say(this.#text))
    feed.addEventListener("news", () => void this.renew())
    feed.addEventListener("error", () => {
      // The server refuses the stream. The page itself says whether it can still be seen.
      const isRefused = feed.readyState === EventSource.CLOSED
      this.#say((isRefused ? this.#line.dataset["polled"] : this.#line.dataset["lost"]) ?? "")
      if (isRefused) this.#renewLater()
    })
  }

  /** Ends what `listen` began. */
  leave(): void {
    clearTimeout(this.#timer)
    this.#feed?.close()
    this.#feed = undefined
  }

  /** Reads the page, and shows what has changed. */
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

/** Keeps a page up to date that has a line for it; nothing is asked while nobody sees it. */
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
