import { createHash } from "node:crypto"
import { type StateBody, type StateFacts, stateFacts } from "../wire/StateBody.ts"
import type { Snapshot } from "./Snapshot.ts"

/** A snapshot, and what tells it from any other. */
export interface State {
  readonly snapshot: Snapshot
  /** The same for the same facts, in every process: a page that has them needs to be told nothing. */
  readonly id: string
  readonly facts: StateFacts
}

export const makeState = (snapshot: Snapshot): State => {
  const facts = stateFacts(snapshot)
  const id = createHash("sha256").update(JSON.stringify(facts)).digest("base64url").slice(0, 16)
  return { snapshot, id, facts }
}

/** What a page is told of a state at a moment, in epoch milliseconds. */
export const stateBody = ({ id, facts }: State, now: number): StateBody => ({ id, agora: now, ...facts })
