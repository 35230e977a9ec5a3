/** The words of moments in Portuguese: between day and time, and how long ago or ahead something is. */
export const relativeTexts = {
  at: "às",
  now: "agora",
  past: "há",
  future: "em",
  units: { day: "dia", hour: "hora", minute: "minuto" },
} as const
