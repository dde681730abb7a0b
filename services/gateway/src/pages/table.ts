import type { Read } from './read.ts'
import { readAbout } from './read-about.ts'
import { readDirectory } from './read-directory.ts'
import { readExplore } from './read-explore.ts'
import { readPost } from './read-post.ts'
import { readPrivacy } from './read-privacy.ts'
import { readFollowers, readFollowing, readMedia, readProfile, readTagged, readWithReplies } from './read-profile.ts'
import { readTagPosts } from './read-tag.ts'
import { readWelcome } from './read-welcome.ts'

/** A page, as a value: the router and the document are made from it. */
export type PageRoute = {
  /** Paths that lead to it, the one that links have first. */
  readonly paths: readonly string[]
  readonly summary: string
  readonly read: Read
  /** Paths of GET endpoints whose answers it shows: it is open to everyone while they are. */
  readonly shows: readonly string[]
}

const LOOKUP = '/api/v1/accounts/lookup'
const OF_PROFILE = [LOOKUP, '/api/v1/accounts/:id/statuses']

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
  { paths: ['/explore'], summary: 'The latest public posts.', read: readExplore, shows: ['/api/v1/timelines/public'] },
  { paths: ['/directory'], summary: 'People who want to be found.', read: readDirectory, shows: ['/api/v1/directory'] },
  {
    paths: ['/tags/:tag'],
    summary: 'Public posts with a hashtag.',
    read: readTagPosts,
    shows: ['/api/v1/tags/:name', '/api/v1/timelines/tag/:hashtag'],
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
  { paths: ['/@:name/:id', '/users/:name/statuses/:id'], summary: 'A post.', read: readPost, shows: ['/api/v1/statuses/:id'] },
]
