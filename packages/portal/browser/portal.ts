/** Copies the text of the element that a button names in `data-copy`, and says so only once it is copied. */
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

for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-copy]")) {
  button.hidden = false
  button.addEventListener("click", () => void copy(button))
}
