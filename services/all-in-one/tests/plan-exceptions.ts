import type { Allowed } from '@rookery/test-stores/plans'

/** Tables and groups that plans may read without a limit: the product keeps them small. */
export const ALLOWED: Allowed = {
  tables: new Set([
    'announcement',
    // An announcement has reactions with eight emojis at most.
    'announcement_reaction_count',
    'custom_emoji',
    'instance_picture',
    'instance_text',
    // Emptied every ten minutes.
    'kept_bytes_change',
    'peer',
    'provider_key',
    // Authors with more followers than the setting.
    'pulled_author',
    // Twenty at most.
    'relay',
    'removed_rule',
    'rule',
    'server_key',
    'staff_pick',
    'terms_of_service',
    // One row.
    'unreferenced_search',
  ]),
  groups: new Set([
    // Limited per person.
    'announcement_reaction.account_id',
    'featured_tag.account_id',
    'filter.account_id',
    'filter_keyword.filter_id',
    'filter_status.filter_id',
    'list.account_id',
    'list_member.list_id',
    'pin.account_id',
    'push_subscription.account_id',
    'scheduled_status.account_id',
    'sign_up_attempt.lower(email)',
    // Few per status.
    'idempotency_key.status_id',
    'mention.status_id',
    'pin.status_id',
    'poll_vote.status_id',
    'status_revision.status_id',
    'status_tag.status_id',
    // At most a hundred per report.
    'reported_status.report_id',
    // Few per file.
    'attachment.original_key',
    'attachment.preview_key',
    'attachment.source_key',
    'remote_file.original_key',
    'remote_file.still_key',
    // A subject is a status, a card or a profile.
    'attachment.subject_id',
  ]),
}

/** Statements with permitted exceptions, by reason; each by its service and its name or the beginning of its text. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  'A job of the night, of the hour or of an operator, for which no one waits': [
    'federation actors.prune',
    'federation deliveries.backlog',
    'federation hosts.count-failing',
    // A deleted account is announced to every known server.
    'federation inboxes.known',
    // For metrics of the backlog.
    'federation received.unworked',
    'federation threads.prune',
    'federation upkeep.',
    'media kept-bytes.sum',
    'media remote-hosts.resting',
    'media select "key" from "discarded_file"',
    // The files of a domain that staff decided on.
    'media select distinct domain from',
    'statuses remote-accounts.losses',
    'statuses remote-accounts.of-domain',
    'statuses suggestions.most-followed',
    'statuses trends.count-',
    'statuses timelines.owners',
    'statuses timelines.take-to-compare',
  ],
  'What of the work of a service waits, for staff: an outbox empties itself, and dead letters are few': [
    'auth',
    'statuses',
    'media',
    'notifications',
    'federation',
  ].flatMap((service) => [`${service} select count(*) as events`, `${service} select "consumer", count(*)`]),
  'Statistics of the instance, counted once a minute where there is much to count': [
    'auth select count(*) filter',
    'auth with entry as',
    'statuses figures.',
  ],
  'What follows a post, an edit or a deletion, for all whom it concerns: in the background, by chunks of readers': [
    'federation deliveries.end-blocked',
    'federation deliveries.end-inbox',
    'federation deliveries.end-waiting',
    'statuses delete from feed where ctid',
    'statuses select id from status where in_reply_to_id',
    'statuses select id from status_head where reblog_of_id',
    'statuses timelines.edit-boosters',
    'statuses timelines.edit-holders',
    'statuses timelines.edit-lists',
    'statuses timelines.edit-quoters',
    'statuses timelines.every-follower',
    'statuses timelines.place-boosts',
    'statuses timelines.place-posts',
    'statuses timelines.recheck',
    'statuses timelines.subscribers',
    'statuses timelines.trim',
  ],
  'What a person accepted at once, in the background': ['notifications update notification_permission'],
  'A home is built from all whom its reader follows, and rewritten whole': [
    'statuses select "status_id", "reblog_of_id" from "feed"',
    'statuses timelines.belonging',
  ],
  'Removes or changes all that belongs to one thing: a conversation, an inbox, the list entries of a pair, a status with its boosts': [
    'notifications delete from "notification" where "recipient_id"',
    'notifications select id from notification_request where recipient_id = $1 order by actor_id',
    'notifications with withdrawn as',
    'statuses conversations.hide',
    'statuses delete from conversation c using unnest',
    'statuses delete from list_member where account_id',
    'statuses select h.id, h.author_id, h.visibility, h.thread_id, h.reblog_of_id, h.is_listed',
  ],
  'What a reader blocks and mutes, and who blocks them, is kept by version once it was read': ['statuses views.contexts'],
  'What a person follows, or who follows them, is looked through': [
    'statuses domain-blocks.count',
    'statuses search.accounts',
    'statuses suggestions.near',
    'statuses suggestions.read',
    'statuses timelines.older',
  ],
  'Uses of a tag by one author are counted': ['statuses featured-tags.list'],
  'Stops once a page is full, and leaves out few of what it reads in the order of an index': ['statuses directory.'],
  'Stops once a page is full, for staff, of invitations: those that are over are deleted after a month': ['auth invites.good-'],
  'Words by indexes that have no order: of what someone wrote, up to 20,000 statuses; beyond that, and of what everyone may find, where the newest did not fill a page, for two seconds at most':
    ['statuses search.statuses-'],
  'Staff find people by how a name or an address begins, in what an index without that order finds': [
    'auth with login as materialized',
    'statuses with account as materialized',
  ],
  'Notifications of one person by another': [
    'notifications select "actor_id", "status_id", "report_id"',
    'notifications select "page".*',
    'notifications with page as materialized (select * from ( (select id,',
  ],
  'Networks that contain an address: at most one for each length of a prefix': ['auth ip-blocks.find'],
  'Sign-ups that a blocked provider refused in seven days, for staff': ['auth email-domain-blocks.uses'],
  'Sees whether there is a row': [
    'notifications policy.merged',
    'statuses select digest, url, round from preview_card p where digest = $1',
  ],
  'Who may manage the server; the command’s own app; blocked servers: few': [
    'auth select "id", coalesce(number, 0)::float8 as "number", "client_id", "secret_digest", "name", "website", "redirect_uris", "scopes" from "app" where "is_operators"',
    'federation domain-blocks.all',
    'federation domain-blocks.visible',
    'statuses select id from account where role',
  ],
}

/** Sent at times that no test determines. */
const SOMETIMES = /^[a-z]+ delete from (processed_event|dead_letter) /

const used = new Set<string>()

/** The reason of a statement's exception; undefined if there is none. */
export const exceptionOf = (statement: string): string | undefined => {
  if (SOMETIMES.test(statement)) return 'Forgotten now and then, by a relay'
  for (const [reason, statements] of Object.entries(EXCEPTIONS)) {
    const known = statements.find((each) => statement.startsWith(each))
    if (!known) continue
    used.add(known)
    return reason
  }
  return undefined
}

/** Statements whose estimate may grow with their tables, by reason. */
const GROWING: Readonly<Record<string, readonly string[]>> = {
  'Counts what happened on the days that staff ask for, up to a limit that the planner does not know': [
    'auth measures.',
    'statuses measures.',
  ],
  'Leaves out people by their handle in lower case: an expression, of which these statistics say nothing': ['statuses search.statuses-'],
  'Finds sign-ups by their address in lower case: an expression, of which these statistics say nothing': [
    'auth select * from (select "account_id", "username", "email", "password_hash", "role"',
  ],
  'Few have the roles that are asked for': [
    'auth select account_id from login where account_id < $1 and account_id > $2 and role = any($3::text[])',
  ],
  'Staff look for an app by a part of its name: all that have its letters are found before a thousand of them are taken': [
    'auth apps.find-',
  ],
  'Of a million statuses fewer are thought to have files and be of one origin than a page may hold; of more it stops at that limit': [
    'statuses timelines.public-local-media',
    'statuses timelines.public-remote-media',
  ],
  'A job that takes a part of what there is at a time': ['statuses findable.missed', 'statuses trends.write-progress'],
}

/** Found by an expression too, with or without one more table that the planner may read first. */
const GROWING_SOMETIMES = /^statuses search\.handles/

/** Why the estimate of a statement may grow with its tables; undefined without a reason. */
export const growthExceptionOf = (statement: string): string | undefined => {
  if (GROWING_SOMETIMES.test(statement)) return 'Finds people by their handle in lower case'
  for (const [reason, statements] of Object.entries(GROWING)) {
    const known = statements.find((each) => statement.startsWith(each))
    if (!known) continue
    used.add(known)
    return reason
  }
  return exceptionOf(statement)
}

/** Exceptions that were not needed. */
export const unusedExceptions = (): string[] =>
  [EXCEPTIONS, GROWING].flatMap((reasons) => Object.values(reasons).flat()).filter((each) => !used.has(each))
