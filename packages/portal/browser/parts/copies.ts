/** Copies the text of the element in `data-copy`, and then confirms it. */
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

/** Also shows those of an updated page. */
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
