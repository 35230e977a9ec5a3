import { encodeEvent } from "@pixcharge/web"
import { type State, stateBody } from "../state/State.ts"

/** What a page is told of a state, as it is sent. */
export const stateEvent = (state: State, now: number): Uint8Array =>
  encodeEvent({ event: "estado", id: state.id, data: JSON.stringify(stateBody(state, now)) })
