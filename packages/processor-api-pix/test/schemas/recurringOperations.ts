import type { OperationSchemas } from "./definitions.ts"

const id = "[a-zA-Z0-9]+"
const answer = "Qualquer"

export const recurringOperations: ReadonlyArray<OperationSchemas> = [
  { method: "POST", path: /^\/locrec$/, status: 201, answer },
  { method: "POST", path: /^\/rec$/, request: "RecSolicitada", status: 201, answer },
  { method: "GET", path: /^\/rec$/, status: 200, answer },
  { method: "GET", path: new RegExp(`^/rec/${id}$`), status: 200, answer },
  { method: "PATCH", path: new RegExp(`^/rec/${id}$`), request: "Cancelada", status: 200, answer },
  { method: "POST", path: /^\/solicrec$/, request: "SolicRecSolicitada", status: 201, answer },
  { method: "PUT", path: new RegExp(`^/cobr/${id}$`), request: "CobRSolicitada", status: 201, answer },
  { method: "GET", path: new RegExp(`^/cobr/${id}$`), status: 200, answer },
  { method: "PATCH", path: new RegExp(`^/cobr/${id}$`), request: "Cancelada", status: 200, answer },
  { method: "POST", path: new RegExp(`^/cobr/${id}/retentativa/\\d{4}-\\d{2}-\\d{2}$`), status: 201, answer },
  { method: "PUT", path: /^\/webhook(?:rec|cobr)$/, request: "WebhookSolicitado", status: 200 },
  { method: "GET", path: /^\/webhook(?:rec|cobr)$/, status: 200, answer },
  { method: "DELETE", path: /^\/webhook(?:rec|cobr)$/, status: 204 },
]
