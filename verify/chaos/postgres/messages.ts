import { type BankClient, type StoreCall } from "@pixcharge/testkit/simulation"
import type { TimeSetting } from "./BusinessTime.ts"
import type { SqlFault } from "./SqlFault.ts"

/** What a host is called by. */
export type HostPort = "charges" | "exceptions" | "events"

/** What a host is given to begin. */
export interface HostSetting {
  /** Its way to the database. */
  readonly database: string
  readonly time: TimeSetting
  /** The file that says by how much time has leapt. */
  readonly leapsFile: string
  /** How far its clock is ahead. Milliseconds. */
  readonly skewMs: number
  readonly ways: BankClient["ways"]
  readonly fault?: SqlFault
}

/** How a call of a host ended. */
export type Outcome =
  | { readonly _tag: "Answer"; readonly value: unknown }
  | { readonly _tag: "Failure"; readonly error: { readonly _tag: string } }
  | { readonly _tag: "Defect"; readonly what: string }

/** What the simulation tells a host. */
export type ToHost =
  | { readonly tells: "start"; readonly setting: HostSetting }
  | { readonly tells: "leapt" }
  | { readonly tells: "answer"; readonly id: number; readonly value: unknown }
  | {
      readonly tells: "call"
      readonly id: number
      readonly port: HostPort
      readonly method: string
      readonly args: ReadonlyArray<unknown>
    }
  | { readonly tells: "stop" }
  /** Asks for an echo once all is begun that can be begun now. */
  | { readonly tells: "ping" }

/** What a host tells the simulation. */
export type FromHost =
  | { readonly tells: "pong" }
  /** It serves calls. */
  | { readonly tells: "serves" }
  | { readonly tells: "ended"; readonly id: number; readonly outcome: Outcome }
  /** It has written to the store. */
  | { readonly tells: "wrote"; readonly call: StoreCall }
  /** It calls the bank, or sends an event. */
  | {
      readonly tells: "asks"
      readonly id: number
      readonly of: "bank" | "receivers"
      readonly method: string
      readonly args: ReadonlyArray<unknown>
    }
