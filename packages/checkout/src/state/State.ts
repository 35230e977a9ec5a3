import { createHash } from "node:crypto"
import { type StateBody, type StateFacts, stateFacts } from "../wire/StateBody.ts"
import type { Snapshot } from "./Snapshot.ts"

/** A snapshot with its id. */
export interface State {
  readonly snapshot: Snapshot
  /** The same for the same facts, in every process: a page that shows this id is up to date. */
  readonly id: string
  readonly facts: StateFacts
}

/** Makes a snapshot's wire form and id. */
export const makeState = (snapshot: Snapshot): State => {
  const facts = stateFacts(snapshot)
  const id = createHash("sha256").update(JSON.stringify(facts)).digest("base64url").slice(0, 16)
  return { snapshot, id, facts }
}

/** The body of `/estado` at a moment, in epoch milliseconds. */
export const stateBody = ({ id, facts }: State, now: number): StateBody => ({ id, agora: now, ...facts })
