/** Copies the text of the element that `data-copy` names, and says whether it was copied. */
const copy = async (button: HTMLButtonElement): Promise<void> => {
  const source = document.getElementById(button.dataset["copy"] ?? "")
  const status = document.getElementById(button.dataset["status"] ?? "")
  if (source === null || status === null) return
  try {
    await navigator.clipboard.writeText(source.textContent.trim())
    status.textContent = button.dataset["done"] ?? ""
  } catch {
    getSelection()?.selectAllChildren(source)
    status.textContent = button.dataset["failed"] ?? ""
  }
}

/** Shows the copy buttons, which are hidden without a script. Call it again after an update of the page. */
export const showCopyButtons = (): void => {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) button.hidden = false
}

export const offerCopies = (): void => {
  showCopyButtons()
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLButtonElement>("button[data-copy]") : null
    if (button !== null) void copy(button)
  })
}
