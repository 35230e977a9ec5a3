/**
 * Banks of which no public source says enough for a profile: what is missing, as the end of the sentence "there is no
 * profile of the bank, because ...".
 */
export const unsupportedBanks: Readonly<Record<string, string>> = {}

/** Names that banks had before, or go by elsewhere, and those of their profiles. */
export const renamedBanks = { gerencianet: "efi" } as const
