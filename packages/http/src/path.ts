/** Whether a path can be decoded and contains no NUL; any other path is not found. */
export const isDecodable = (path: string): boolean => {
  try {
    return !decodeURIComponent(path).includes('\0')
  } catch {
    return false
  }
}
