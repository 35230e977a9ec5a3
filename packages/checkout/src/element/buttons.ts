import { texts } from "../view/texts.ts"

const copySelected = (field: HTMLTextAreaElement): boolean => {
  field.focus()
  field.select()
  try {
    return document.execCommand("copy")
  } catch {
    return false
  }
}

/**
 * Copies a field's text, and returns whether it was copied. If it wasn't, the text stays selected.
 *
 * Call it in a click handler before any `await`, because browsers require a user gesture.
 */
export const copyText = (field: HTMLTextAreaElement): Promise<boolean> => {
  const { clipboard } = navigator
  // `clipboard` is undefined outside a secure context.
  if ((clipboard as Clipboard | undefined) === undefined) return Promise.resolve(copySelected(field))
  return clipboard.writeText(field.value).then(
    () => true,
    () => copySelected(field),
  )
}

/** A click on the button copies the code; a click on the field selects it. Returns a function that removes the handler. */
export const handleClicks = (root: ParentNode & Node): (() => void) => {
  const clicked = ({ target }: Event): void => {
    const field = root.querySelector("textarea")
    if (field === null || !(target instanceof Element)) return
    if (target === field) return field.select()
    if (target.closest("[data-copy]") === null) return
    const message = root.querySelector("[data-copied]")
    void copyText(field).then((isCopied) => {
      if (message === null) return
      message.textContent = isCopied ? texts.copied : texts.notCopied
      message.setAttribute("data-copied", String(isCopied))
    })
  }
  root.addEventListener("click", clicked)
  return () => root.removeEventListener("click", clicked)
}

const showButton = (selector: string, click: () => void): void => {
  const button = document.querySelector<HTMLElement>(selector)
  button?.removeAttribute("hidden")
  button?.addEventListener("click", click)
}

const copyLink = async (link: string): Promise<void> => {
  const message = document.querySelector<HTMLElement>("[data-link-said]")
  const field = document.createElement("textarea")
  field.value = link
  message?.before(field)
  const isCopied = await copyText(field)
  field.remove()
  if (message === null) return
  message.textContent = isCopied ? texts.linkCopied : texts.linkNotCopied
  message.dataset["copied"] = String(isCopied)
}

export const startPageTools = (): void => {
  const url = location.origin + location.pathname
  showButton("[data-copy-link]", () => void copyLink(url))
  showButton("[data-print]", () => window.print())
  // `share` rejects when the user closes the share sheet.
  if ("share" in navigator)
    showButton("[data-share]", () => void navigator.share({ title: document.title, url }).catch(() => undefined))
}
