const units = [
  [86_400, "dia", "dias", "d"],
  [3_600, "hora", "horas", "h"],
  [60, "minuto", "minutos", "min"],
  [1, "segundo", "segundos", "s"],
] as const

const inUnits = (seconds: number) => {
  const [size, one, several, short] = units.find(([least]) => seconds >= least) ?? units[3]
  return { count: Math.round(seconds / size), one, several, short }
}

/** A duration in its largest unit: `5 minutos`. */
export const longDuration = (seconds: number): string => {
  const { count, one, several } = inUnits(seconds)
  return `${count} ${count === 1 ? one : several}`
}

/** A duration for an axis: `5 min`. */
export const shortDuration = (seconds: number): string => {
  const { count, short } = inUnits(seconds)
  return `${count} ${short}`
}
