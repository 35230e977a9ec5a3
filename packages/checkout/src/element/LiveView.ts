import { checkoutParts } from "../view/checkoutParts.ts"
import type { CheckoutParts, PartName, ViewContext } from "../view/ViewParts.ts"
import type { CheckoutState } from "../view/CheckoutState.ts"
import { clockText, warningText } from "../view/clockText.ts"
import { stateAt } from "../view/stateAt.ts"
import { texts } from "../view/texts.ts"
import { readState } from "../wire/readState.ts"
import type { StateBody } from "../wire/StateBody.ts"
import { copyText } from "./copyText.ts"
import { ServerClock } from "./ServerClock.ts"
import { watchState } from "./watchState.ts"

const names: ReadonlyArray<PartName> = ["head", "status", "clock", "warning", "main", "details"]

/** Keeps the elements of `checkoutFrame` at what the server says and what its clock shows, until it is closed. */
export class LiveView {
  readonly #root: ParentNode & EventTarget
  readonly #url: string
  readonly #context: ViewContext
  readonly #onState: (state: CheckoutState) => void
  readonly #clock = new ServerClock()
  readonly #shown = new Map<PartName, string>()
  #tick: ReturnType<typeof setTimeout> | undefined
  #end: () => void = () => undefined

  /** `onState` is called with the first state and with each that follows, also with what the clock alone makes of it. */
  constructor(
    root: ParentNode & EventTarget,
    url: string,
    context: ViewContext,
    onState: (state: CheckoutState) => void,
  ) {
    this.#root = root
    this.#url = url
    this.#context = context
    this.#onState = onState
    root.addEventListener("click", this.#clicked)
    this.#watch()
  }

  close(): void {
    this.#end()
    clearTimeout(this.#tick)
    this.#root.removeEventListener("click", this.#clicked)
  }

  #watch(): void {
    this.#end()
    this.#end = watchState(this.#url, {
      read: (body) => this.#read(body),
      end: () => this.#say("status", texts.gone),
      reach: (isReached) => this.#say("offline", isReached ? "" : texts.offline),
    })
  }

  #read(body: StateBody): void {
    this.#clock.set(body.agora)
    this.#show(readState(body))
  }

  #show(known: CheckoutState): void {
    clearTimeout(this.#tick)
    const now = this.#clock.now()
    const parts = checkoutParts(known, now, this.#context)
    const state = stateAt(known, now)
    this.#keepWritten(state, parts)
    for (const name of names) this.#put(name, parts[name].text)
    this.#frame.dataset["status"] = state.status
    this.#onState(state)
    if (state.status === "pending") this.#tickAtNextSecond(state)
  }

  /** What the server has written of the same state stands already. */
  #keepWritten({ id, status }: CheckoutState, parts: CheckoutParts): void {
    const { dataset } = this.#frame
    if (dataset["id"] !== id || dataset["status"] !== status || this.#shown.size > 0) return
    for (const name of names) if (name !== "clock" && name !== "warning") this.#shown.set(name, parts[name].text)
  }

  get #frame(): HTMLElement {
    return this.#root.querySelector<HTMLElement>("[data-status]") ?? document.createElement("div")
  }

  /** What stands there already stays, with its focus and what is selected in it. */
  #put(name: PartName, text: string): void {
    if (this.#shown.get(name) === text) return
    this.#shown.set(name, text)
    const part = this.#root.querySelector(`[data-part="${name}"]`)
    if (part !== null) part.innerHTML = text
  }

  #tickAtNextSecond(state: CheckoutState): void {
    const left = state.payableUntil - this.#clock.now()
    this.#tick = setTimeout(() => this.#ticked(state), (left % 1000) + 1)
  }

  #ticked(state: CheckoutState): void {
    if (this.#clock.isStale()) return this.#watch()
    const left = state.payableUntil - this.#clock.now()
    if (left < 0) return this.#show(state)
    this.#say("clock time", clockText(left))
    this.#say("warning", warningText(left))
    this.#tickAtNextSecond(state)
  }

  /** Changes a text where it is another: screen readers tell of each change. */
  #say(place: string, text: string): void {
    const [part, within] = place.split(" ")
    const element = this.#root.querySelector(`[data-part="${part}"]${within === undefined ? "" : ` ${within}`}`)
    if (element !== null && element.textContent !== text) element.textContent = text
  }

  readonly #clicked = ({ target }: Event): void => {
    const field = this.#root.querySelector("textarea")
    if (field === null || !(target instanceof Element)) return
    if (target === field) return field.select()
    if (target.closest("[data-copy]") === null) return
    const said = this.#root.querySelector("[data-copied]")
    void copyText(field).then((isCopied) => {
      if (said === null) return
      said.textContent = isCopied ? texts.copied : texts.notCopied
      said.setAttribute("data-copied", String(isCopied))
    })
  }
}
