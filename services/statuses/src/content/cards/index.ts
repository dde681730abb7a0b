export { cardMessage, type ShownCard } from './card.message.ts'
export { type LinkFollower, linkFollower } from './follow-link.ts'
export { linkOf, linkShown } from './link.rules.ts'
