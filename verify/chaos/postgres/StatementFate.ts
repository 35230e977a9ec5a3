import type { Write } from "./statements.ts"

/** Where a process may be killed about a statement that writes. */
export const commitEdges = ["before the request", "after the request", "before the answer", "after the answer"] as const

export type CommitEdge = (typeof commitEdges)[number]

/** What becomes of one statement that writes. */
export interface StatementFate {
  /** The process is killed here. */
  readonly killAt?: CommitEdge
  /** The connection is cut when the request arrives, or when the answer does. */
  readonly cutAt?: "request" | "answer"
  /** Real milliseconds. */
  readonly delayMs: number
  /** The statement waits for this, too. */
  readonly meeting?: Promise<void>
}

/** What the proxy asks of who decides. */
export interface ProxyFates {
  readonly next: (write: Write) => StatementFate
  readonly kill: (edge: CommitEdge, write: Write) => void
}
