import { changeText, readTerms } from "../view/seenTerms.ts"
import { texts } from "../view/texts.ts"
import { browserFormats } from "./browserFormats.ts"
import { handleClicks } from "./buttons.ts"
import { focusTitle, holdsFocus, setMarkup } from "./viewRoot.ts"
import { watchState } from "./watchState.ts"

const retryMs = 3_000

const showButtons = (root: ParentNode): void => {
  for (const hidden of root.querySelectorAll("[data-copy]")) hidden.removeAttribute("hidden")
}

const listParts = (page: ParentNode) =>
  Array.from(page.querySelectorAll<HTMLElement>("[data-part]"), (part) => [part.dataset["part"] ?? "", part] as const)

const readParts = (page: ParentNode) => new Map(listParts(page).map(([name, part]) => [name, part.innerHTML]))

/** Keeps the text until the next change or until the payment can't be made. */
const sayChange = (shown: HTMLElement, fresh: HTMLElement): void => {
  const [seen, terms] = [shown, fresh].map(({ dataset }) => readTerms(dataset["terms"]))
  const text = seen && terms && changeText(seen, terms, browserFormats)
  const place = shown.querySelector('[data-part="change"]')
  if (place !== null && text !== "") place.textContent = text ?? ""
}

const takeOver = (root: HTMLElement, text: string, written: Map<string, string>): void => {
  const page = document.createElement("template")
  setMarkup(page, text)
  const [shown, fresh] = [root, page.content].map((place) => place.querySelector<HTMLElement>("[data-status]"))
  if (!shown || !fresh) return
  sayChange(shown, fresh)
  const movesFocus = shown.dataset["status"] !== fresh.dataset["status"] && holdsFocus(root)
  for (const [name, part] of listParts(fresh)) {
    if (written.get(name) === part.innerHTML) continue
    written.set(name, part.innerHTML)
    showButtons(part)
    shown.querySelector(`[data-part="${name}"]`)?.replaceChildren(...part.childNodes)
  }
  Object.assign(shown.dataset, fresh.dataset)
  document.title = page.content.querySelector("title")?.textContent ?? document.title
  if (movesFocus) focusTitle(root)
}

/** Reloads a page's parts when the server reports another state. */
export const openFreshView = (root: HTMLElement, link: string): void => {
  const written = readParts(root)
  const shownId = () => root.querySelector<HTMLElement>("[data-id]")?.dataset["id"]

  const load = async (id: string): Promise<void> => {
    if (shownId() === id) return
    try {
      const page = await fetch(link, { cache: "no-store", credentials: "omit", referrerPolicy: "no-referrer" })
      if (page.ok) return takeOver(root, await page.text(), written)
    } catch {
      // Retry below.
    }
    setTimeout(() => void load(id), retryMs)
  }

  showButtons(root)
  handleClicks(root)
  watchState(`${link}/estado`, {
    read: ({ id }) => void load(id),
    end: () => location.reload(),
    reach: (isReached) => {
      const offline = root.querySelector('[data-part="offline"]')
      if (offline !== null) offline.textContent = isReached ? "" : texts.offline
    },
  })
}
