import { CallbackEndpoints } from "@pixcharge/core"
import type { Endpoint } from "@pixcharge/core/directory"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Shared } from "./Simulation.ts"

export const watchEndpoints = (
  directory: Shared["directory"],
  onStatus: (id: string, status: Endpoint["status"]) => void,
): Shared["directory"] => {
  const endpoints = Context.get(directory, CallbackEndpoints)
  const setStatus: (typeof endpoints)["setStatus"] = (id, status) =>
    Effect.tap(endpoints.setStatus(id, status), () => Effect.sync(() => onStatus(id, status)))
  return Context.add(directory, CallbackEndpoints, { ...endpoints, setStatus })
}
