export {
  isDiscoverable,
  isNotSilencedUnless,
  isNotSuspended,
  isReachable,
  isRecommendable,
  isThere,
  isUnrestricted,
  isUnrestrictedAccount,
} from './account.predicates.ts'
export { addressRecipients } from './address-recipient.ts'
export {
  accountsAmongBlockedBy,
  accountsAmongBlocking,
  accountsAmongKeptFrom,
  accountsHiddenFrom,
  accountsMutingThread,
  blocks,
  blocksDomainOf,
  contextColumns,
  follows,
  followsSince,
  hasBlockBetween,
  isActiveMute,
  isHiddenByViewer,
  isInAudienceOf,
  isKeptFrom,
  isKeptFromInbox,
  isKeptFromReader,
  isLocalAccount,
  isMentioned,
  isNotDirectStatus,
  isOpenStatus,
  isPublicStatus,
  isSentTo,
  isVisibleTo,
  mayAnswer,
  mayNotify,
  mutes,
  mutesNotifications,
  mutesThread,
  readersKeptApart,
  threadsMutedBy,
  tieColumns,
  viewersKeptFrom,
} from './audience.predicates.ts'
export {
  isBystander,
  isInAudience,
  isShown,
  isSilencedFor,
  type JudgedStatus,
  type Judgement,
  type ViewerBlocks,
  type ViewerTies,
} from './audience.rules.ts'
export { interactors } from './interactor.predicates.ts'
export { allowedQuotePolicy, isQuotedShown, quoteApproval, quoteState, type StoredQuote } from './quote.rules.ts'
export { notificationWithdrawn, recipientAddressed, subjectAddressed } from './recipient.events.ts'
export { hasBlocked } from './relation.store.ts'
export { isDirect, isOpen, isPrivate, isPublic, isStated } from './visibility.rules.ts'
