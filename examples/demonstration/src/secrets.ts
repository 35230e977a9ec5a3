import { randomBytes } from "node:crypto"

// These secrets are public. A production host keeps its secrets out of its code and its database.

/** Digests the integrator keys in a database, and is needed to check them. */
export const pepper = [{ kid: "1", secret: "the pepper of the demonstration, 32 bytes or more" }] as const
/** Seals the secrets of callbacks in a database. */
export const sealingKey = [{ kid: "1", secret: "the sealing key of the demonstration, 32 bytes or more" }] as const
/** Signs tokens. Each process makes a new secret. */
export const tokenSecret = randomBytes(32).toString("hex")
