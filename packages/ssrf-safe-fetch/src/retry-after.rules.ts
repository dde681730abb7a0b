/** The wait of a Retry-After header (RFC 9110, 10.2.3), in milliseconds from `now`; 0 without one. */
export const retryAfter = (header: string | undefined, now: number): number => {
  if (!header) return 0
  const wait = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isFinite(wait) ? Math.max(0, wait) : 0
}
