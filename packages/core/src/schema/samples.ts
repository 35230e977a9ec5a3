/*
 * The weights of neighbours differ by 1, modulo 11. So three characters that are worth a, -2a and a add nothing to either
 * check digit, and a document of such groups ends in 00. A letter is worth its code less 48: A 17, E 21.
 */
const digits = "000|191|272|353|434|515|787|868|949"

export const cpfSample = `(${digits}){3}00`

/** The weights begin again after the fourth and the fifth character, so that there no group stands across. */
export const cnpjSample = `(${digits}|AEA)00(${digits}|AEA){2}000`

export const uuidSample = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
