import { digest } from "./digest.ts"

/** The version of a page: the same for the same data. */
export const pageVersion = async (shown: unknown): Promise<string> => (await digest(JSON.stringify(shown))).slice(0, 24)
