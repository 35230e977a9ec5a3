import { frameType, twoTexts } from "./frames.ts"

/** A statement that writes, as the proxy sees it. */
export interface Write {
  /** What it writes into, such as `INSERT charges`. */
  readonly name: string
  /** It looks for work, over and over; mostly there is none. */
  readonly isClaim: boolean
}

const writing = /\b(INSERT INTO|UPDATE|DELETE FROM) \S+\.(\w+)/g

/** What a statement's text writes; undefined if nothing. */
export const writeIn = (text: string): Write | undefined => {
  const targets = [...text.matchAll(writing)].map(([, verb = "", table = ""]) => `${verb.split(" ")[0]} ${table}`)
  if (targets.length === 0) return undefined
  const isClaim = text.includes("SKIP LOCKED") || text.includes("WITH RECURSIVE") || /SET lease_until/.test(text)
  return { name: [...new Set(targets)].join(", "), isClaim }
}

/** What the statements of one connection are, by what was sent over it. */
export class ConnectionStatements {
  readonly #texts = new Map<string, string>()

  /** What a request writes; undefined if nothing. */
  write(frames: ReadonlyArray<Buffer>): Write | undefined {
    let text: string | undefined
    for (const frame of frames) {
      const type = frameType(frame)
      if (type === "P") {
        const [name, statement] = twoTexts(frame)
        this.#texts.set(name, statement)
      }
      if (type === "B") text = this.#texts.get(twoTexts(frame)[1])
    }
    return text === undefined ? undefined : writeIn(text)
  }
}
