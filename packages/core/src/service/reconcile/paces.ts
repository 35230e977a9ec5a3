import type { Cnpj } from "../../party/Cnpj.ts"
import { afterAnswer, afterSilence, firstPace, mayBegin, type Pace, withoutFalseRest } from "./Pace.ts"

/** Companies whose pace is remembered; beyond, the one that was heard of least recently is like new. */
const mostRemembered = 10_000

/** Which checks may be begun: `mostAtOnce` in all, and each company's as its processor bears. */
export const makePaces = (mostAtOnce: number) => {
  const paces = new Map<Cnpj, Pace>()
  const underWay = new Map<Cnpj, number>()
  let total = 0

  const paceOf = (issuer: Cnpj): Pace => paces.get(issuer) ?? firstPace(mostAtOnce)

  const isSlow = ({ answers, atOnce }: Pace): boolean => !answers || atOnce < mostAtOnce

  const slowUnderWay = (): number => {
    let count = 0
    for (const [issuer, checks] of underWay) if (isSlow(paceOf(issuer))) count += checks
    return count
  }

  const remember = (issuer: Cnpj, pace: Pace): void => {
    paces.delete(issuer)
    paces.set(issuer, pace)
    for (const [oldest] of paces) {
      if (paces.size <= mostRemembered) break
      paces.delete(oldest)
    }
  }

  /** The pace as of now. */
  const currentPace = (issuer: Cnpj, now: number): Pace => {
    const pace = paceOf(issuer)
    const current = withoutFalseRest(pace, now)
    if (current !== pace) remember(issuer, current)
    return current
  }

  return {
    underWay: (): number => total,
    /** Counts one more check of the company as under way, if it may be begun. */
    begin: (issuer: Cnpj, now: number): boolean => {
      const own = underWay.get(issuer) ?? 0
      const pace = currentPace(issuer, now)
      if (!mayBegin(pace, own, now)) return false
      // Processors that hang, however many, leave half of the room to those that answer.
      if (isSlow(pace) && slowUnderWay() >= mostAtOnce / 2) return false
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
    answered: (issuer: Cnpj, now: number): void =>
      remember(issuer, afterAnswer(currentPace(issuer, now), now, mostAtOnce)),
    silent: (issuer: Cnpj, now: number, askedMs?: number): void =>
      remember(issuer, afterSilence(currentPace(issuer, now), now, askedMs)),
    /** Whether the last that was heard of the company's processor is a silence. */
    isSilent: (issuer: Cnpj): boolean => paces.get(issuer)?.answers === false,
    /** Until when nothing of the company is begun; 0 when it doesn't rest. */
    restsUntil: (issuer: Cnpj): number => paceOf(issuer).restsUntil,
    remembered: (): number => paces.size,
  }
}
