import { RecurrenceProcessor } from "@pixcharge/core/recurring"
import type { SandboxProcessor } from "@pixcharge/processor-sandbox"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

type Port = RecurrenceProcessor["Service"]

/** The sandbox's bank, with calls about recurrences that a test replaces. */
export const changeBank = (processor: SandboxProcessor, change: (port: Port) => Port): SandboxProcessor => {
  const layer = Layer.effectContext(
    Effect.map(Layer.build(processor), (context) =>
      Context.add(context, RecurrenceProcessor, change(Context.get(context, RecurrenceProcessor))),
    ),
  )
  return Object.assign(layer, { environment: "sandbox" as const })
}
