/** Whether a path can be decoded, and holds no NUL: any other names nothing. */
export const isDecodable = (path: string): boolean => {
  try {
    return !decodeURIComponent(path).includes('\0')
  } catch {
    return false
  }
}
