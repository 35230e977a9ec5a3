import { type AuditChange, type Cnpj, ifNamed } from "@pixcharge/core"
import * as Effect from "effect/Effect"
import type { Services } from "./services.ts"

/** Records what is recorded only of somebody who is named; to be done before the answer is given. */
export const recordIfNamed = (audit: Services["audit"], company: Cnpj, change: AuditChange) =>
  Effect.flatMap(ifNamed(change), (named) => (named === undefined ? Effect.void : audit.append(company, named)))
