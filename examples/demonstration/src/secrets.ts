import { randomBytes } from "node:crypto"

// Public, unlike a production host's secrets, which stay out of its code and its database.

/** Digests the integrator keys in a database, and is needed to check them. */
export const pepper = [{ kid: "1", secret: "the pepper of the demonstration, 32 bytes or more" }] as const
/** Seals the secrets of callbacks in a database. */
export const sealingKey = [{ kid: "1", secret: "the sealing key of the demonstration, 32 bytes or more" }] as const
/** Signs tokens, until the process ends. */
export const tokenSecret = randomBytes(32).toString("hex")
