import { copyText } from "./copyText.ts"
import { texts } from "../view/texts.ts"

/** Shows a button, and calls a function at each click. */
const start = (name: string, click: () => void): void => {
  const button = document.querySelector<HTMLElement>(name)
  button?.removeAttribute("hidden")
  button?.addEventListener("click", click)
}

/** A browser without a clipboard copies what is selected in a field. */
const copyLink = async (link: string): Promise<void> => {
  const said = document.querySelector<HTMLElement>("[data-link-said]")
  const field = document.createElement("textarea")
  field.value = link
  said?.before(field)
  const isCopied = await copyText(field)
  field.remove()
  if (said === null) return
  said.textContent = isCopied ? texts.linkCopied : texts.linkNotCopied
  said.dataset["copied"] = String(isCopied)
}

/** Makes the buttons work that share, copy and print the page. */
export const startPageTools = (): void => {
  const url = location.origin + location.pathname
  start("[data-copy-link]", () => void copyLink(url))
  start("[data-print]", () => window.print())
  // Who closes the list of apps rejects it.
  if ("share" in navigator)
    start("[data-share]", () => void navigator.share({ title: document.title, url }).catch(() => undefined))
}
