/** Whether a statement failed because its author has meanwhile published a status with a higher id. */
export const isOvertaken = (error: unknown): boolean => {
  const { code, column } = error as { code?: string; column?: string }
  return code === '23502' && column === 'last_status_id'
}
