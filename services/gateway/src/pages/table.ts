import type { Read } from './read.ts'
import { readAbout } from './read-about.ts'
import { readDirectory } from './read-directory.ts'
import { readExplore } from './read-explore.ts'
import { type ReadFeed, readProfileFeed, readTagFeed } from './read-feed.ts'
import { readInteraction } from './read-interaction.ts'
import { readPost } from './read-post.ts'
import { readPrivacy } from './read-privacy.ts'
import { readFollowers, readFollowing, readMedia, readProfile, readTagged, readWithReplies } from './read-profile.ts'
import { readShare } from './read-share.ts'
import { readTagPosts } from './read-tag.ts'
import { readTerms } from './read-terms.ts'
import { readWelcome } from './read-welcome.ts'

/** A page, as a value: the router and the document are derived from it. */
export type PageRoute = {
  /** Its paths, the canonical one first. */
  readonly paths: readonly string[]
  readonly summary: string
  readonly read: Read
  /** The paths of GET endpoints whose answers it shows: it is public if they are. */
  readonly shows: readonly string[]
}

const LOOKUP = '/api/v1/accounts/lookup'
const OF_PROFILE = [LOOKUP, '/api/v1/accounts/:id/statuses']

const OF_TAG = ['/api/v1/tags/:name', '/api/v1/timelines/tag/:hashtag']

const OF_POST = ['/api/v1/statuses/:id', '/api/v1/statuses/:id/context']

export const PAGES: readonly PageRoute[] = [
  { paths: ['/'], summary: 'What this server is.', read: readWelcome, shows: ['/api/v2/instance'] },
  {
    paths: ['/about'],
    summary: 'The server: description, rules, contact, and the domains it limits where everyone may see them.',
    read: readAbout,
    shows: ['/api/v2/instance', '/api/v1/instance/extended_description'],
  },
  {
    paths: ['/privacy-policy'],
    summary: 'The privacy policy.',
    read: readPrivacy,
    shows: ['/api/v1/instance/privacy_policy'],
  },
  {
    paths: ['/terms-of-service', '/terms-of-service/:date'],
    summary: 'The terms of service, where there are any.',
    read: readTerms,
    shows: ['/api/v1/instance/terms_of_service', '/api/v1/instance/terms_of_service/:date'],
  },
  {
    paths: ['/explore'],
    summary: 'What trends, and the latest public posts.',
    read: readExplore,
    shows: ['/api/v1/timelines/public', '/api/v1/trends/tags', '/api/v1/trends/links', '/api/v1/trends/statuses'],
  },
  { paths: ['/directory'], summary: 'People who want to be found.', read: readDirectory, shows: ['/api/v1/directory'] },
  { paths: ['/share'], summary: 'A text to post, from a share button: `text`, `url`, `title`.', read: readShare, shows: [] },
  {
    paths: ['/authorize_interaction'],
    summary: 'Where buttons on other servers lead: to the record that `uri` names, or to how an app finds it.',
    read: readInteraction,
    shows: [],
  },
  {
    paths: ['/tags/:tag'],
    summary: 'Public posts with a hashtag.',
    read: readTagPosts,
    shows: OF_TAG,
  },
  { paths: ['/@:name', '/users/:name'], summary: 'A profile with its latest posts.', read: readProfile, shows: OF_PROFILE },
  { paths: ['/@:name/with_replies'], summary: 'The same with replies.', read: readWithReplies, shows: OF_PROFILE },
  { paths: ['/@:name/media'], summary: 'The same of posts with files.', read: readMedia, shows: OF_PROFILE },
  { paths: ['/@:name/tagged/:tag'], summary: 'Posts of a profile with a hashtag.', read: readTagged, shows: OF_PROFILE },
  {
    paths: ['/@:name/followers'],
    summary: 'Who follows an account.',
    read: readFollowers,
    shows: [LOOKUP, '/api/v1/accounts/:id/followers'],
  },
  {
    paths: ['/@:name/following'],
    summary: 'Whom an account follows.',
    read: readFollowing,
    shows: [LOOKUP, '/api/v1/accounts/:id/following'],
  },
  { paths: ['/@:name/:id', '/users/:name/statuses/:id'], summary: 'A post with its thread.', read: readPost, shows: OF_POST },
]

/** A feed, as a value: served whatever the request accepts. */
export type FeedRoute = Omit<PageRoute, 'read'> & { readonly read: ReadFeed }

export const FEEDS: readonly FeedRoute[] = [
  {
    paths: ['/@:name.rss'],
    summary: 'RSS of a profile: its latest posts without replies and boosts.',
    read: readProfileFeed,
    shows: OF_PROFILE,
  },
  { paths: ['/tags/:tag.rss'], summary: 'RSS of the public posts with a hashtag.', read: readTagFeed, shows: OF_TAG },
]
