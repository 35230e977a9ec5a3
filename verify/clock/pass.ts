import { vi } from "vitest"

const turns = 30

/** Turns the event loop until all work waits for time or other processes, or until `isOver`. */
export const settle = async (isOver = () => false): Promise<void> => {
  for (let turn = 0; turn < turns && !isOver(); turn++) await new Promise((resume) => void setImmediate(resume))
}

/** Moves the stopped clock second by second, and lets due work run after each second. */
export const pass = async (seconds: number): Promise<void> => {
  for (let left = seconds; left > 0; left--) {
    await vi.advanceTimersByTimeAsync(Math.min(left, 1) * 1_000)
    await settle()
  }
}
