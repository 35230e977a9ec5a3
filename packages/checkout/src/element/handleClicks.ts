import { texts } from "../view/texts.ts"
import { copyText } from "./copyText.ts"

/** Copies the code at a click on the button, and selects it at a click into its field. Returns what ends that. */
export const handleClicks = (root: ParentNode & Node): (() => void) => {
  const clicked = ({ target }: Event): void => {
    const field = root.querySelector("textarea")
    if (field === null || !(target instanceof Element)) return
    if (target === field) return field.select()
    if (target.closest("[data-copy]") === null) return
    const said = root.querySelector("[data-copied]")
    void copyText(field).then((isCopied) => {
      if (said === null) return
      said.textContent = isCopied ? texts.copied : texts.notCopied
      said.setAttribute("data-copied", String(isCopied))
    })
  }
  root.addEventListener("click", clicked)
  return () => root.removeEventListener("click", clicked)
}
