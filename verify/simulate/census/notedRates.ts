export const notedRates: Readonly<Record<string, number>> = {}
