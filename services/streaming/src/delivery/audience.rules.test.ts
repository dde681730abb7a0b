import { expect, test } from 'vitest'
import { EVERYONE_KEY, hashtagKey, listKey, personalKey } from '../channels/names.ts'
import { type LiveEvent, sharedKeysOf, streamKeysOf } from './audience.rules.ts'

const STATUS = { isListed: true, isLocal: true, hasMedia: false, tags: [] as string[] }

test.each([
  ['listed here', STATUS, ['public', 'public:local']],
  ['listed elsewhere', { ...STATUS, isLocal: false }, ['public', 'public:remote']],
  ['with a file', { ...STATUS, hasMedia: true }, ['public', 'public:local', 'public:media', 'public:local:media']],
  ['that is not listed', { ...STATUS, isListed: false, hasMedia: true }, []],
  ['with a tag', { ...STATUS, tags: ['tea'] }, ['public', 'public:local', 'hashtag/tea', 'hashtag:local/tea']],
  ['with a tag, a reply to another', { ...STATUS, isListed: false, tags: ['tea'] }, ['hashtag/tea', 'hashtag:local/tea']],
  ['with a tag from elsewhere', { ...STATUS, isListed: false, isLocal: false, tags: ['tea'] }, ['hashtag/tea']],
])('a status %s goes to %3$j', (_what, status, keys) => expect(sharedKeysOf(status)).toEqual(keys))

const ANN = '1'
const carried = { ...STATUS, recipientIds: [ANN], listIds: ['5'], tags: ['tea'] }
const ofStatus = [
  personalKey('user', ANN),
  listKey('5'),
  'public',
  'public:local',
  hashtagKey('hashtag', 'tea'),
  hashtagKey('hashtag:local', 'tea'),
]
const ofNotification = [personalKey('user', ANN), personalKey('user:notification', ANN)]

test.each<[LiveEvent['$case'], object, string[]]>([
  ['status', carried, ofStatus],
  ['deletion', carried, ofStatus],
  ['notification', { recipientId: ANN }, ofNotification],
  ['notificationsMerged', { accountId: ANN }, ofNotification],
  ['conversation', { recipientId: ANN }, [personalKey('direct', ANN)]],
  ['markers', { recipientId: ANN }, [personalKey('user:markers', ANN)]],
  ['filtersChanged', { accountId: ANN }, [personalKey('user', ANN)]],
  ['announcement', {}, [EVERYONE_KEY]],
  ['announcementReaction', {}, [EVERYONE_KEY]],
  ['announcementDeletion', {}, [EVERYONE_KEY]],
  ['tokenRevoked', {}, []],
  ['loginClosed', {}, []],
])('the event %s goes to %2$j', ($case, value, keys) => expect(streamKeysOf({ $case, value } as LiveEvent)).toEqual(keys))
