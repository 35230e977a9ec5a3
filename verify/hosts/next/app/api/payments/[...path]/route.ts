import { pix } from "../../../../lib/pix"

const handle = pix.fetchAt("/api/payments")

export const GET = handle
export const POST = handle
export const PUT = handle
export const DELETE = handle
