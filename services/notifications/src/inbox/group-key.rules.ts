const GROUP_MILLISECONDS = 12 * 3600 * 1000

/**
 * The key of a notification's group, undefined for ungrouped types (beyond-the-spec 1.14): interactions with the same status within the
 * same half day, and follows or sign-ups within it. `at` is in milliseconds since 1970.
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
