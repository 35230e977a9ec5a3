import type { ProfileName } from "../pspProfiles.ts"

/**
 * Banks of which no public source says enough for a profile: what is missing, as the end of the sentence "there is no
 * profile of the bank, because ...".
 */
export const unsupportedBanks: Readonly<Record<string, string>> = {}

/** Names that banks had before, or go by elsewhere. */
export const renamedBanks: Readonly<Record<string, ProfileName>> = { gerencianet: "efi" }
