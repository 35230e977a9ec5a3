import { encodeEvent } from "@pixcharge/web"
import { type AnyState, stateBody } from "../state/State.ts"

/** The event that brings a state to a page. */
export const stateEvent = (state: AnyState, now: number): Uint8Array =>
  encodeEvent({ event: "estado", id: state.id, data: JSON.stringify(stateBody(state, now)) })
