import { createHash } from "node:crypto"
import { type StateFacts, stateFacts } from "./StateBody.ts"
import type { Snapshot } from "../snapshot/Snapshot.ts"

/** The content of a page, with its id. */
export interface AnyState {
  readonly snapshot: { readonly isFinal: boolean; readonly changesAt?: number }
  /** The id of the facts, equal in every process. A page with this id is up to date. */
  readonly id: string
  /** The snapshot on the wire. */
  readonly facts: object
}

/** A charge's snapshot with its id. */
export interface State extends AnyState {
  readonly snapshot: Snapshot
  readonly facts: StateFacts
}

/** The id of a page's content: its hash. */
export const hashShown = (shown: object): string =>
  createHash("sha256").update(JSON.stringify(shown)).digest("base64url").slice(0, 16)

/** Makes a snapshot's wire form and id. */
export const makeState = (snapshot: Snapshot): State => {
  const facts = stateFacts(snapshot)
  return { snapshot, id: hashShown(facts), facts }
}

/** The body of `/estado` at a moment, in epoch milliseconds. */
export const stateBody = <S extends AnyState>(
  { id, facts }: S,
  now: number,
): { id: string; agora: number } & S["facts"] => ({
  id,
  agora: now,
  ...facts,
})
