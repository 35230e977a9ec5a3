import { texts } from "../view/texts.ts"
import { handleClicks } from "./handleClicks.ts"
import { focusTitle, holdsFocus } from "./holdsFocus.ts"
import { setMarkup } from "./setMarkup.ts"
import { watchState } from "./watchState.ts"

const retryMs = 3_000

/** Shows the buttons of the page that need a script. */
const showButtons = (root: ParentNode): void => {
  for (const hidden of root.querySelectorAll("[data-copy]")) hidden.removeAttribute("hidden")
}

/** Takes over the parts of a newly loaded page that differ: an equal one keeps its focus and selection. */
const takeOver = (root: HTMLElement, text: string): void => {
  const page = document.createElement("template")
  setMarkup(page, text)
  const [shown, fresh] = [root, page.content].map((place) => place.querySelector<HTMLElement>("[data-status]"))
  if (!shown || !fresh) return
  const movesFocus = shown.dataset["status"] !== fresh.dataset["status"] && holdsFocus(root)
  showButtons(fresh)
  for (const part of fresh.querySelectorAll<HTMLElement>("[data-part]")) {
    const known = shown.querySelector(`[data-part="${part.dataset["part"]}"]`)
    if (known !== null && known.innerHTML !== part.innerHTML) known.replaceChildren(...part.childNodes)
  }
  Object.assign(shown.dataset, fresh.dataset)
  document.title = page.content.querySelector("title")?.textContent ?? document.title
  if (movesFocus) focusTitle(root)
}

/** Keeps a page up to date by loading it again whenever the server says that it shows something else. */
export const openFreshView = (root: HTMLElement, link: string): void => {
  const shownId = () => root.querySelector<HTMLElement>("[data-id]")?.dataset["id"]

  const load = async (id: string): Promise<void> => {
    if (shownId() === id) return
    try {
      const page = await fetch(link, { cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" })
      if (page.ok) return takeOver(root, await page.text())
    } catch {
      // Without a connection it is tried again.
    }
    setTimeout(() => void load(id), retryMs)
  }

  showButtons(root)
  handleClicks(root)
  watchState(`${link}/estado`, {
    read: ({ id }) => void load(id),
    // The server's page says why.
    end: () => location.reload(),
    reach: (isReached) => {
      const offline = root.querySelector('[data-part="offline"]')
      if (offline !== null) offline.textContent = isReached ? "" : texts.offline
    },
  })
}
