import { texts } from "../view/texts.ts"

/** Requests a new code at the form's address, and returns the link of its charge. Rejects if there is none. */
const requestLink = async (address: string, signal: AbortSignal): Promise<string> => {
  const answer = await fetch(address, {
    method: "POST",
    headers: { accept: "application/json" },
    credentials: "omit",
    referrerPolicy: "no-referrer",
    signal,
  })
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`)
  const { link } = (await answer.json()) as { readonly link: string }
  return new URL(link, address).href
}

/**
 * Gets a new code where its button stands: sending the form would take the buyer out of the shop. Returns what ends that.
 */
export const handleRenewal = (root: ShadowRoot, onLink: (link: string) => void): (() => void) => {
  const ending = new AbortController()
  const { signal } = ending
  const submitted = (event: Event): void => {
    event.preventDefault()
    const form = event.target as HTMLFormElement
    const button = form.querySelector("button")
    const say = (text: string, isDone: boolean): void => {
      const said = form.querySelector("[data-renewal]")
      if (said !== null) said.textContent = text
      // Stays focusable, unlike a disabled one.
      button?.setAttribute("aria-disabled", String(!isDone))
    }
    if (button?.getAttribute("aria-disabled") === "true") return
    say(texts.renewing, false)
    void requestLink(form.action, signal).then(onLink, () => say(texts.notRenewed, true))
  }
  root.addEventListener("submit", submitted, { signal })
  return () => ending.abort()
}
