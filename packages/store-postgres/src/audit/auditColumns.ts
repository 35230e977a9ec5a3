import type { AuditChange } from "@pixcharge/core"
import type { Author } from "./Author.ts"

/** What a record keeps beside its kind: the facts of the change, and its moment where a clock was provided (`Author`). */
export const recordDetails = ({ kind: _, ...details }: AuditChange, { at }: Author) =>
  at === undefined ? details : { ...details, at }

/** What a change's row says for the audit log, if anything is recorded of it. */
export const auditColumns = (audit: AuditChange | undefined, author: Author) =>
  audit === undefined
    ? {}
    : { actor: author.actor, audit_kind: audit.kind, audit_details: recordDetails(audit, author) }
