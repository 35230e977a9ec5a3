const longestWaitRealMs = 25

/** Has writes of two processes meet: one that arrives first waits a moment for another, and both go on together. */
export class Meetings {
  /** How many came about. */
  count = 0
  readonly #waiting = new Map<string, { readonly who: string; readonly meet: () => void }>()
  #areOver = false

  /** From now on nobody waits. */
  end(): void {
    this.#areOver = true
  }

  /** Meets who waits at this place; if nobody does, perhaps waits for somebody, for a moment at most. */
  arrive(place: string, who: string, waits: boolean): Promise<void> {
    if (this.#areOver) return Promise.resolve()
    const other = this.#waiting.get(place)
    if (other !== undefined && other.who !== who) {
      this.count += 1
      other.meet()
      return Promise.resolve()
    }
    if (!waits) return Promise.resolve()
    return new Promise((resume) => {
      const meet = () => {
        clearTimeout(timer)
        if (this.#waiting.get(place)?.meet === meet) this.#waiting.delete(place)
        resume()
      }
      const timer = setTimeout(meet, longestWaitRealMs)
      this.#waiting.set(place, { who, meet })
    })
  }
}
