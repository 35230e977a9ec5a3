import { createHash } from "node:crypto"
import { type StateFacts, stateFacts } from "./StateBody.ts"
import type { Snapshot } from "../snapshot/Snapshot.ts"

export interface AnyState {
  readonly snapshot: { readonly isFinal: boolean; readonly changesAt?: number }
  /** Equal facts have equal ids in every process. A page that shows this id is up to date. */
  readonly id: string
  /** The snapshot on the wire. */
  readonly facts: object
}

export interface State extends AnyState {
  readonly snapshot: Snapshot
  readonly facts: StateFacts
}

export const hashShown = (shown: object): string =>
  createHash("sha256").update(JSON.stringify(shown)).digest("base64url").slice(0, 16)

export const makeState = (snapshot: Snapshot): State => {
  const facts = stateFacts(snapshot)
  return { snapshot, id: hashShown(facts), facts }
}

/** `now` is in epoch milliseconds. */
export const stateBody = <S extends AnyState>(
  { id, facts }: S,
  now: number,
): { id: string; agora: number } & S["facts"] => ({
  id,
  agora: now,
  ...facts,
})
