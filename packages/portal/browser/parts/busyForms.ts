/** After this time, the form can be sent again. It keeps its key. */
const maxBusyMs = 30_000

/** The original texts of busy buttons. */
const texts = new WeakMap<HTMLButtonElement, string>()

const release = (form: HTMLFormElement): void => {
  form.removeAttribute("aria-busy")
  for (const button of form.querySelectorAll("button")) {
    const text = texts.get(button)
    if (text === undefined) continue
    button.disabled = false
    button.textContent = text
  }
}

const markBusy = (form: HTMLFormElement, button: HTMLButtonElement): void => {
  texts.set(button, button.textContent)
  button.disabled = true
  button.textContent = document.getElementById("main")?.dataset["busy"] ?? ""
  form.setAttribute("aria-busy", "true")
  setTimeout(() => release(form), maxBusyMs)
}

/** Whether a form is being sent. Its answer will replace the page. */
export const isSending = (): boolean => document.querySelector("form[aria-busy]") !== null

/** Shows that a form is being sent, until its answer replaces the page. Skips forms that download a file. */
export const showBusyForms = (): void => {
  document.addEventListener("submit", ({ target, submitter }) => {
    const form = target as HTMLFormElement
    if (form.dataset["download"] !== undefined || !(submitter instanceof HTMLButtonElement)) return
    // Waits, because the browser doesn't send a disabled button with the form.
    setTimeout(() => markBusy(form, submitter))
  })
  // After the back button, the browser can show the page with its busy form.
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll<HTMLFormElement>("form[aria-busy]")) release(form)
  })
}
