import type { AuditChange } from "@pixcharge/core"

/** What a change's row says for the audit log, if anything is recorded of it. */
export const auditColumns = (audit: AuditChange | undefined, actor: string | undefined) => {
  if (audit === undefined) return {}
  const { kind, ...details } = audit
  return { actor, audit_kind: kind, audit_details: details }
}
