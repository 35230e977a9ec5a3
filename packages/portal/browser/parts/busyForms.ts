/** After this time, the form can be sent again, with the same key. */
const maxBusyMs = 30_000

/** The texts of busy buttons. */
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

/** Whether a form is being sent: its answer is another page. */
export const isSending = (): boolean => document.querySelector("form[aria-busy]") !== null

/** Shows that a form is being sent, until its answer arrives. A download leaves the page unchanged. */
export const showBusyForms = (): void => {
  document.addEventListener("submit", ({ target, submitter }) => {
    const form = target as HTMLFormElement
    if (form.dataset["download"] !== undefined || !(submitter instanceof HTMLButtonElement)) return
    // A button that is disabled now isn't sent with the form.
    setTimeout(() => markBusy(form, submitter))
  })
  // The browser's back button shows the page as it was left.
  addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll<HTMLFormElement>("form[aria-busy]")) release(form)
  })
}
