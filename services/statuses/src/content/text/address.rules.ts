/** The account, and the status, that a URL of this server addresses. */
type Addressed = { username: string; statusId?: string }

/** beyond-the-spec 3.4: /@name, /users/name, /@name/1 and /users/name/statuses/1, the last also for a boost. */
const PATH = /^\/(?:@(?<name>\w+)(?:\/(?<status>\d{1,19}))?|users\/(?<actor>\w+)(?:\/statuses\/(?<object>\d{1,19})(?:\/activity)?)?)\/?$/

/** Whether a text is an http or https URL. */
export const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text)

/** The account or status that a URL of this server addresses; undefined for any other URL. */
export const addressedBy = (text: string, baseUrl: string): Addressed | undefined => {
  if (!isAddress(text)) return undefined
  const { host, pathname } = new URL(text)
  const groups = host === new URL(baseUrl).host ? PATH.exec(pathname)?.groups : undefined
  const username = groups?.['name'] ?? groups?.['actor']
  const statusId = groups?.['status'] ?? groups?.['object']
  if (username === undefined) return undefined
  return statusId === undefined ? { username } : { username, statusId }
}
