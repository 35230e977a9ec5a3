/** Keeps the console's pages up to date. Without a script, they need a reload. */

/** The delays of the two updates after news. The second shows the record of a delivery, which is written after its answer. */
const renewAfterMs = [120, 1_000]

const copy = async (button: HTMLButtonElement): Promise<void> => {
  const source = document.getElementById(button.dataset["copy"] ?? "")
  if (source === null) return
  const text = source instanceof HTMLTextAreaElement ? source.value : (source.textContent ?? "")
  try {
    await navigator.clipboard.writeText(text)
    button.textContent = "Copied"
  } catch {
    // Without a clipboard, selects the text.
    getSelection()?.selectAllChildren(source)
    if (source instanceof HTMLTextAreaElement) source.select()
    button.textContent = "Selected: copy it by the keyboard"
  }
}

const isInUse = (part: Element): boolean => {
  const { activeElement } = document
  return activeElement instanceof HTMLInputElement && part.contains(activeElement)
}

/** Replaces the changed parts. Skips a part if one of its fields has the focus. */
const renewParts = (fresh: Document): void => {
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = fresh.getElementById(part.id)
    if (next === null || next.innerHTML === part.innerHTML || isInUse(part)) continue
    const focusedId = part.contains(document.activeElement) ? document.activeElement?.id : undefined
    const open = new Set([...part.querySelectorAll("details[open] > summary")].map(({ textContent }) => textContent))
    part.replaceChildren(...next.childNodes)
    for (const summary of part.querySelectorAll("summary")) {
      if (open.has(summary.textContent)) summary.parentElement?.setAttribute("open", "")
    }
    if (focusedId) document.getElementById(focusedId)?.focus()
  }
}

const renew = async (): Promise<void> => {
  const address = new URL(location.href)
  address.searchParams.delete("notice")
  const answer = await fetch(address)
  if (answer.ok) renewParts(new DOMParser().parseFromString(await answer.text(), "text/html"))
}

const listen = (line: HTMLElement): void => {
  let timers: ReadonlyArray<number> = []
  const renewSoon = (): void => {
    for (const timer of timers) clearTimeout(timer)
    timers = renewAfterMs.map((ms) => window.setTimeout(() => void renew().catch(() => undefined), ms))
  }
  const feed = new EventSource(line.dataset["feed"] ?? "")
  feed.addEventListener("open", () => {
    line.dataset["state"] = "open"
    line.textContent ||= "Live"
    // Updates the page, because it missed the news before its stream opened.
    renewSoon()
  })
  feed.addEventListener("error", () => {
    line.dataset["state"] = "lost"
  })
  feed.addEventListener("news", ({ data }) => {
    line.textContent = String(data)
    renewSoon()
  })
  addEventListener("pagehide", () => feed.close())
}

for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
  button.hidden = false
  button.addEventListener("click", () => void copy(button))
}

document.addEventListener("submit", ({ target, submitter }) => {
  const form = target as HTMLFormElement
  const text = form.dataset["busy"]
  if (text === undefined || !(submitter instanceof HTMLButtonElement)) return
  // Waits, because the browser doesn't send a disabled button with the form.
  setTimeout(() => {
    submitter.disabled = true
    const line = document.getElementById("live")
    if (line !== null && text !== "") line.textContent = text
  })
})

addEventListener("pageshow", () => {
  for (const button of document.querySelectorAll<HTMLButtonElement>("form[data-busy] button")) button.disabled = false
})

const line = document.getElementById("live")
if (line !== null) listen(line)

export {}
