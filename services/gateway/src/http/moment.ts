/** ISO 8601 as clients write it: a date, or date and time with optional seconds, fraction and zone; UTC by default. */
const PATTERN = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::?(\d{2})(\.\d+)?)? ?(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i

const zoneOf = (zone: string | undefined): string => {
  if (!zone || /^z$/i.test(zone)) return 'Z'
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0')
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`
}

/** Parses a time to milliseconds since 1970 (spec, Wire conventions 5); undefined if it is invalid, such as February 30. */
export const momentOf = (typed: string): number | undefined => {
  const found = PATTERN.exec(typed.trim())
  if (!found) return undefined
  const [, day = '', time = '00:00', seconds = '00', fraction = '', zone] = found
  const midnight = Date.parse(`${day}T00:00:00Z`)
  // Date would read February 30 as March 2.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined
  const at = Date.parse(`${day}T${time}:${seconds}${fraction.slice(0, 4)}${zoneOf(zone)}`)
  return Number.isNaN(at) ? undefined : at
}
