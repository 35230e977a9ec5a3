/** How long ago or ahead something is, in Portuguese. */
export const relativeTexts = {
  now: "agora",
  past: "há",
  future: "em",
  units: { day: "dia", hour: "hora", minute: "minuto" },
} as const
