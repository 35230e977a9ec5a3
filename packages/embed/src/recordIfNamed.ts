import type { AuditChange } from "@pixcharge/core"
import { ifNamed } from "@pixcharge/core/internal"
import type { Cnpj } from "@pixcharge/core/party"
import * as Effect from "effect/Effect"
import type { Services } from "./services.ts"

/** Records what is recorded only of somebody who is named; to be done before the answer is given. */
export const recordIfNamed = (audit: Services["audit"], company: Cnpj, change: AuditChange) =>
  Effect.flatMap(ifNamed(change), (named) => (named === undefined ? Effect.void : audit.append(company, named)))
