import { vi } from "vitest"

const turns = 30

/** Lets the event loop turn, until all is done that waits neither for time nor for another process; or until `isOver`. */
export const settle = async (isOver = () => false): Promise<void> => {
  for (let turn = 0; turn < turns && !isOver(); turn++) await new Promise((resume) => void setImmediate(resume))
}

/** Moves the stopped clock, a second at a time; what is due is done meanwhile. */
export const pass = async (seconds: number): Promise<void> => {
  for (let left = seconds; left > 0; left--) {
    await vi.advanceTimersByTimeAsync(Math.min(left, 1) * 1_000)
    await settle()
  }
}
