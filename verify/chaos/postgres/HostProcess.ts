import type { ChildProcess } from "node:child_process"
import { EventOperations, PaymentExceptions, PixCharges } from "@pixcharge/core"
import {
  type Actor,
  type BankClient,
  type HostServices,
  type Serving,
  type StoreCall,
} from "@pixcharge/testkit/simulation"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type { FromHost, HostPort, HostSetting, Outcome, ToHost } from "./messages.ts"

/** What a host calls: the bank or the receivers. */
export type Asked = (method: string, args: ReadonlyArray<unknown>) => Effect.Effect<unknown>

interface HostOptions {
  readonly actor: Actor
  readonly child: ChildProcess
  readonly setting: HostSetting
  readonly bank: BankClient
  readonly asks: Readonly<Record<"bank" | "receivers", Asked>>
  /** With what every fiber runs. */
  readonly context: Context.Context<never>
  /** It has written to the store, and knows it. */
  readonly onWrite: (call: StoreCall) => void
  /** It is gone, by whatever cause. */
  readonly onEnd: (host: HostProcess) => void
}

const ended = (outcome: Outcome): Effect.Effect<unknown, unknown> => {
  if (outcome._tag === "Answer") return Effect.succeed(outcome.value)
  return outcome._tag === "Failure" ? Effect.fail(outcome.error) : Effect.die(outcome.what)
}

/** A process that runs the whole engine, as the simulation sees it. */
export class HostProcess implements Serving {
  readonly actor: Actor
  readonly bank: BankClient
  isServing = false
  /** It does not serve yet. */
  isStarting = true
  readonly #child: ChildProcess
  readonly #options: HostOptions
  readonly #services: Context.Context<HostServices>
  readonly #calls = new Map<number, (outcome: Outcome) => void>()
  readonly #pings: Array<() => void> = []
  #called = 0

  constructor(options: HostOptions) {
    const { actor, child, bank, setting, onEnd } = options
    this.actor = actor
    this.bank = bank
    this.#child = child
    this.#options = options
    const services = Context.make(PixCharges, this.#port("charges")).pipe(
      Context.add(PaymentExceptions, this.#port("exceptions")),
      Context.add(EventOperations, this.#port("events")),
    )
    // Nobody calls a host's reconciler from outside.
    this.#services = services as Context.Context<HostServices>
    child.on("message", (message: FromHost) => this.#told(message))
    child.once("exit", () => {
      onEnd(this)
      while (this.#pings.length > 0) this.#pings.shift()?.()
    })
    this.#tell({ tells: "start", setting })
  }

  readonly serve = <A, E>(call: Effect.Effect<A, E, HostServices>, done: (exit: Exit.Exit<A, E>) => void): boolean => {
    if (!this.actor.isAlive || !this.isServing) return false
    Effect.runForkWith(Context.merge(this.#options.context, this.#services))(call).addObserver((exit) => {
      if (this.actor.isAlive) done(exit)
    })
    return true
  }

  /** Comes back once it has begun all that it can begin now, or is gone. */
  ping(): Promise<void> {
    return new Promise((resume) => {
      this.#pings.push(resume)
      this.#tell({ tells: "ping" })
    })
  }

  /** Time has leapt. */
  leapt(): void {
    this.#tell({ tells: "leapt" })
  }

  /** Ends in order: what is under way is ended, and the leases are released. */
  stop(): void {
    this.isServing = false
    this.#tell({ tells: "stop" })
  }

  /** Stops where it is, and knows nothing of it. */
  suspend(): void {
    this.actor.isSuspended = true
    this.#child.kill("SIGSTOP")
  }

  resume(): void {
    this.actor.isSuspended = false
    this.#child.kill("SIGCONT")
  }

  /** Ends here and now, in the midst of whatever it was doing. */
  kill(): void {
    this.isServing = false
    this.#calls.clear()
    this.#child.kill("SIGKILL")
  }

  #tell(message: ToHost): void {
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }

  #port<S extends object>(port: HostPort): S {
    const member =
      (method: string) =>
      (...args: ReadonlyArray<unknown>) =>
        Effect.callback<unknown, unknown>((resume) => {
          const id = ++this.#called
          this.#calls.set(id, (outcome) => resume(ended(outcome)))
          this.#tell({ tells: "call", id, port, method, args })
          return Effect.sync(() => void this.#calls.delete(id))
        })
    return new Proxy({} as S, { get: (_, method) => member(String(method)) })
  }

  #told(message: FromHost): void {
    switch (message.tells) {
      case "serves":
        this.isServing = this.actor.isAlive
        this.isStarting = false
        return
      case "pong":
        return this.#pings.shift()?.()
      case "ended": {
        const answer = this.#calls.get(message.id)
        this.#calls.delete(message.id)
        return answer?.(message.outcome)
      }
      case "wrote":
        return this.#options.onWrite(message.call)
      case "asks": {
        // What arrives is carried out, whatever becomes of who has asked.
        const { id, of, method, args } = message
        const asked = this.#options.asks[of](method, args)
        Effect.runForkWith(this.#options.context)(asked).addObserver((exit) => {
          if (exit._tag === "Success") this.#tell({ tells: "answer", id, value: exit.value })
        })
      }
    }
  }
}
