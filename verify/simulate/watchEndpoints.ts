import { CallbackEndpoints, type CompanyDirectory } from "@pixcharge/core"
import type { Endpoint } from "@pixcharge/core/directory"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

type Directory = Context.Context<CompanyDirectory | CallbackEndpoints>

/** The directory, which tells of each change of an endpoint's status. */
export const watchEndpoints = (
  directory: Directory,
  onStatus: (id: string, status: Endpoint["status"]) => void,
): Directory => {
  const endpoints = Context.get(directory, CallbackEndpoints)
  const setStatus: (typeof endpoints)["setStatus"] = (id, status) =>
    Effect.tap(endpoints.setStatus(id, status), () => Effect.sync(() => onStatus(id, status)))
  return Context.add(directory, CallbackEndpoints, { ...endpoints, setStatus })
}
