import { checkoutParts } from "../view/checkoutParts.ts"
import { type CheckoutState, stateAt } from "../view/CheckoutState.ts"
import { changeText, readTerms, type SeenTerms, seenTerms } from "../view/seenTerms.ts"
import { clockText, texts, warningText } from "../view/texts.ts"
import type { CheckoutParts, PartName, ViewContext, ViewFormats } from "../view/ViewParts.ts"
import { goneParts } from "../view/checkoutFrame.ts"
import { readState } from "../wire/StateBody.ts"
import { handleClicks } from "./buttons.ts"
import { focusTitle, holdsFocus, setMarkup } from "./viewRoot.ts"
import { ServerClock } from "./ServerClock.ts"
import { watchState } from "./watchState.ts"

const names: ReadonlyArray<PartName> = ["head", "status", "clock", "warning", "main", "details"]

/** `say` changes these parts between writes, so `write` compares them with the document. */
const isTicking = (name: PartName): boolean => name === "clock" || name === "warning"

const makeWriter = (root: ParentNode & Node) => {
  const written = new Map<PartName, string>()
  const frame = root.querySelector<HTMLElement>("[data-status]")
  const part = (name: string) => root.querySelector(`[data-part="${name}"]`)

  /** Skips an unchanged part to keep its focus and selection. Returns whether the part has lost the focus. */
  const write = (name: PartName, text: string): boolean => {
    const element = part(name)
    if (element === null || text === (isTicking(name) ? element.innerHTML : written.get(name))) return false
    const hadFocus = element.matches(":focus-within")
    written.set(name, text)
    setMarkup(element, text)
    return hadFocus
  }

  return {
    /** The terms that the server's markup shows. */
    terms: readTerms(frame?.dataset["terms"]),
    /** Keeps the server's markup if it already shows this state. */
    keep: ({ id, status }: CheckoutState, parts: CheckoutParts): void => {
      if (written.size > 0 || frame?.dataset["id"] !== id || frame.dataset["status"] !== status) return
      for (const name of names) written.set(name, parts[name].text)
    },
    writeAll: (parts: CheckoutParts, status: string): void => {
      const before = frame?.dataset["status"]
      const movesFocus = before !== status && before !== "loading" && holdsFocus(root)
      const losses = names.filter((name) => write(name, parts[name].text))
      if (frame !== null) frame.dataset["status"] = status
      if (movesFocus || losses.length > 0) focusTitle(root)
    },
    /** Skips an unchanged text, because screen readers read out each change. */
    say: (name: string, text: string, within = ""): void => {
      const element = within === "" ? part(name) : part(name)?.querySelector(within)
      if (element && element.textContent !== text) element.textContent = text
    },
  }
}

/** Keeps the text of a change until the next change or until the charge can't be paid. */
const makeSayChange = (
  say: (name: string, text: string) => void,
  written: SeenTerms | undefined,
  formats: ViewFormats,
) => {
  let seen = written
  return (state: CheckoutState): void => {
    const fresh = seenTerms(state)
    if (fresh === undefined) return say("change", "")
    const text = seen === undefined ? "" : changeText(seen, fresh, formats)
    if (text !== "") say("change", text)
    seen = fresh
  }
}

/**
 * Keeps the view up to date until the returned function is called. `onState` gets each state, including an expiry that only the
 * clock shows.
 */
export const openLiveView = (
  root: ParentNode & Node,
  url: string,
  context: ViewContext,
  onState: (state: CheckoutState) => void,
): (() => void) => {
  const clock = new ServerClock()
  const { terms, keep, writeAll, say } = makeWriter(root)
  const sayChange = makeSayChange(say, terms, context.formats)
  const ignoreClicks = handleClicks(root)
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopWatching = (): void => undefined

  const show = (known: CheckoutState): void => {
    clearTimeout(timer)
    const now = clock.now()
    const parts = checkoutParts(known, now, context)
    const state = stateAt(known, now)
    keep(state, parts)
    writeAll(parts, state.status)
    sayChange(state)
    onState(state)
    if (state.status === "pending") tickAtNextSecond(state)
  }

  const tickAtNextSecond = (state: CheckoutState): void => {
    timer = setTimeout(() => tick(state), ((state.payableUntil - clock.now()) % 1000) + 1)
  }

  const tick = (state: CheckoutState): void => {
    if (clock.isStale()) return watch()
    const left = state.payableUntil - clock.now()
    if (left < 0) return show(state)
    say("clock", clockText(left), "time")
    say("warning", warningText(left))
    tickAtNextSecond(state)
  }

  const watch = (): void => {
    stopWatching()
    stopWatching = watchState(url, {
      read: (body) => {
        clock.set(body.agora)
        show(readState(body))
      },
      end: () => {
        clearTimeout(timer)
        writeAll(goneParts(context.isEmbedded), "gone")
      },
      reach: (isReached) => say("offline", isReached ? "" : texts.offline),
    })
  }

  watch()
  return () => {
    stopWatching()
    clearTimeout(timer)
    ignoreClicks()
  }
}
