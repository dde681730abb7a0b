const GROUP_MILLISECONDS = 12 * 3600 * 1000

/**
 * The key of the group that a notification belongs to, undefined for types that stand alone (beyond-the-spec 1.14): what is done to the same
 * status in the same half of a day, and who follows or signs up in it. `at` is in milliseconds since 1970.
 */
export const groupKeyOf = ({
  type,
  statusId,
  at,
}: {
  type: string
  statusId: string | null | undefined
  at: number
}): string | undefined => {
  const half = Math.floor(at / GROUP_MILLISECONDS)
  if (type === 'favourite' || type === 'reblog') return `${type}-${statusId}-${half}`
  return type === 'follow' || type === 'admin.sign_up' ? `${type}-${half}` : undefined
}
