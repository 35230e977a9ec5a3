import { mapTexts } from "./mapTexts.ts"

const brasiliaMs = 3 * 3_600_000
const instantForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

/** The same JSON with Brasília's time in place of UTC in every instant, still marked `Z`. */
export const inBrasiliaTime = (json: unknown): unknown =>
  mapTexts(json, (text) =>
    instantForm.test(text) ? new Date(Date.parse(text) - brasiliaMs).toISOString() : text,
  )

/** The same with no zone, and with as many decimals as some banks write. */
export const withoutZone = (json: unknown): unknown =>
  mapTexts(inBrasiliaTime(json), (text) => (instantForm.test(text) ? text.replace("Z", "4860000") : text))
