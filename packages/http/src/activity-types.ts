/** Whether a media type is one of ActivityPub's (W3C ActivityPub, 3.2). Wildcards in Accept do not count as asking for them. */
const isActivityType = (essence: string): boolean => essence === 'application/activity+json' || essence === 'application/ld+json'

const isHtmlType = (essence: string): boolean => essence === 'text/html' || essence === 'application/xhtml+xml'

/** The media type that activities are sent as. */
export const ACTIVITY_JSON = 'application/activity+json; charset=utf-8'

const MAX_LENGTH = 2000

/** The highest weight that an Accept header gives to media types of a kind, from 0 to 1 (RFC 9110, 12.5.1). */
const weightOf = (accept: string, isOfKind: (essence: string) => boolean): number => {
  let most = 0
  for (const range of accept.slice(0, MAX_LENGTH).split(',')) {
    const [essence = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
    if (!isOfKind(essence)) continue
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    most = Math.max(most, weight === undefined ? 1 : Number(weight.slice(2)) || 0)
  }
  return most
}

/** Whether a client prefers activity JSON to a page. */
export const wantsActivity = (accept: string | undefined): boolean => {
  const weight = weightOf(accept ?? '', isActivityType)
  return weight > 0 && weight >= weightOf(accept ?? '', isHtmlType)
}

/** Whether a client prefers a page. */
export const wantsPage = (accept: string | undefined): boolean => weightOf(accept ?? '', isHtmlType) > 0 && !wantsActivity(accept)
