import { normaliseTag } from './hashtags.ts'
import { tokenize } from './tokens.ts'

/** The mentions of a text, each once, in order; username and domain in lower case. */
export const mentionsIn = (text: string): { username: string; domain?: string }[] => {
  const found = new Map<string, { username: string; domain?: string }>()
  for (const token of tokenize(text)) {
    if (token.kind !== 'mention') continue
    const username = token.username.toLowerCase()
    const domain = token.domain?.toLowerCase()
    const key = `${username}@${domain ?? ''}`
    if (!found.has(key)) found.set(key, domain === undefined ? { username } : { username, domain })
  }
  return [...found.values()]
}

/** The hashtags of a text, each once by its normalised name, with its first spelling, in order. */
export const hashtagsIn = (text: string): { name: string; display: string }[] => {
  const found = new Map<string, { name: string; display: string }>()
  for (const token of tokenize(text)) {
    const name = token.kind === 'hashtag' ? normaliseTag(token.name) : undefined
    if (token.kind === 'hashtag' && name !== undefined && !found.has(name)) found.set(name, { name, display: token.name })
  }
  return [...found.values()]
}
