/** beyond-the-spec 3.4: the paths of an account or a status, as pages and as ActivityPub ids. */
const PATH = /^\/(?:@(\w{1,30})(?:\/(\d{1,19}))?|users\/(\w{1,30})(?:\/statuses\/(\d{1,19}))?)\/?$/

/** The account or status that a URL of this server names; undefined for any other URL. */
export const localAddress = (typed: string, baseUrl: string): { username: string; id: string | undefined } | undefined => {
  const url = URL.parse(typed)
  const match = url?.host === new URL(baseUrl).host ? PATH.exec(url.pathname) : null
  if (!match) return undefined
  const [, name, id, actor, statusId] = match
  return { username: name ?? actor ?? '', id: id ?? statusId }
}
