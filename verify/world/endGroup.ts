import type { ChildProcess } from "node:child_process"

/** Ends a process that leads its own group, with all its children. */
export const endGroup = ({ pid }: ChildProcess): void => {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL")
  } catch {
    // All processes of the group have ended.
  }
}
