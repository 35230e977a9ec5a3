import type { Cnpj } from "../../party/Cnpj.ts"
import { afterAnswer, afterSilence, fullPace, mayBegin, type Pace } from "./Pace.ts"

/** Companies whose pace is remembered; beyond, the one that was heard of least recently starts anew. */
const mostRemembered = 10_000

/** Which checks may be begun: `mostAtOnce` in all, and each company's as its processor bears. */
export const makePaces = (mostAtOnce: number) => {
  /** Of companies that are not at full pace. */
  const paces = new Map<Cnpj, Pace>()
  const underWay = new Map<Cnpj, number>()
  let total = 0

  const slowed = (): number => {
    let count = 0
    for (const [issuer, checks] of underWay) if (paces.has(issuer)) count += checks
    return count
  }

  const remember = (issuer: Cnpj, pace: Pace): void => {
    paces.delete(issuer)
    if (pace.restMs === 0 && pace.atOnce >= mostAtOnce) return
    paces.set(issuer, pace)
    for (const [oldest] of paces) {
      if (paces.size <= mostRemembered) break
      paces.delete(oldest)
    }
  }

  return {
    underWay: (): number => total,
    /** Counts one more check of the company as under way, if it may be begun. */
    begin: (issuer: Cnpj, now: number): boolean => {
      const own = underWay.get(issuer) ?? 0
      const pace = paces.get(issuer)
      // Processors that hang, however many, leave the others half of the room.
      if (pace !== undefined && !(mayBegin(pace, own, now) && slowed() < mostAtOnce / 2)) return false
      underWay.set(issuer, own + 1)
      total += 1
      return true
    },
    end: (issuer: Cnpj): void => {
      const left = (underWay.get(issuer) ?? 0) - 1
      if (left > 0) underWay.set(issuer, left)
      else underWay.delete(issuer)
      total -= 1
    },
    answered: (issuer: Cnpj, now: number): void => {
      const pace = paces.get(issuer)
      if (pace !== undefined) remember(issuer, afterAnswer(pace, now))
    },
    silent: (issuer: Cnpj, now: number, askedMs?: number): void =>
      remember(issuer, afterSilence(paces.get(issuer) ?? fullPace(mostAtOnce), now, askedMs)),
    /** Until when nothing of the company is begun; 0 when it doesn't rest. */
    restsUntil: (issuer: Cnpj): number => paces.get(issuer)?.restsUntil ?? 0,
    remembered: (): number => paces.size,
  }
}
