import type { ChildProcess } from "node:child_process"

/** Ends a process that leads a group of its own, with all that it has started. */
export const endGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL")
  } catch {
    // All of it has ended.
  }
}
