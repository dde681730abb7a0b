import {
  AppsDefinition,
  BrowsersDefinition,
  CanonicalEmailBlocksDefinition,
  EmailDomainBlocksDefinition,
  IdempotencyDefinition,
  InvitesDefinition,
  IpBlocksDefinition,
  LoginMeasuresDefinition,
  RegistrationsDefinition,
  StaffAccountsDefinition,
  StaffAppsDefinition,
  TokensDefinition,
} from '@rookery/contracts/auth'
import { BacklogDefinition, DeadLettersDefinition, FailedJobsDefinition } from '@rookery/contracts/events'
import {
  AllowedDomainsDefinition,
  BlockedDomainsDefinition,
  DomainImportsDefinition,
  FederationStaffDefinition,
  InstanceDefinition,
  InstanceSettingsDefinition,
  RelaysDefinition,
  ResolverDefinition,
} from '@rookery/contracts/federation'
import { AttachmentsDefinition } from '@rookery/contracts/media'
import {
  GroupsDefinition,
  InboxDefinition,
  MarkersDefinition,
  PoliciesDefinition,
  PushDefinition,
  RequestsDefinition,
} from '@rookery/contracts/notifications'
import {
  AccountsDefinition,
  AnnouncementsDefinition,
  AutomaticDeletionDefinition,
  ConversationsDefinition,
  DirectoryDefinition,
  DiscoveryDefinition,
  DomainBlocksDefinition,
  EditsDefinition,
  EmojisDefinition,
  FeaturedTagsDefinition,
  FiltersDefinition,
  GraphDefinition,
  InteractionsDefinition,
  ListsDefinition,
  PinsDefinition,
  PollsDefinition,
  QuotesDefinition,
  ReportsDefinition,
  ScheduledDefinition,
  SearchDefinition,
  StaffAnnouncementsDefinition,
  StaffEmojisDefinition,
  StaffReportsDefinition,
  StaffStatusesDefinition,
  StatusesDefinition,
  StatusMeasuresDefinition,
  SuggestionsDefinition,
  TagsDefinition,
  ThreadsDefinition,
  TimelinesDefinition,
  TranslationsDefinition,
  TrendsDefinition,
  ViewsDefinition,
} from '@rookery/contracts/statuses'
import type { Renderer } from '@rookery/entities'
import type { Call, Client, Definition } from '@rookery/rpc'
import type { Clock } from '@rookery/runtime'
import type { AcceptedTypes } from './accepted-types.ts'
import type { GatewayConfig } from './config.ts'

/** Creates a client of a service's definition; the composition chooses its transport. */
type ClientMaker = <D extends Definition>(service: string, definition: D) => Client<D>

const authClients = (client: ClientMaker) => ({
  tokens: client('auth', TokensDefinition),
  browsers: client('auth', BrowsersDefinition),
  authBacklog: client('auth', BacklogDefinition),
  apps: client('auth', AppsDefinition),
  idempotency: client('auth', IdempotencyDefinition),
  registrations: client('auth', RegistrationsDefinition),
  invites: client('auth', InvitesDefinition),
  staffAccounts: client('auth', StaffAccountsDefinition),
  staffApps: client('auth', StaffAppsDefinition),
  emailDomainBlocks: client('auth', EmailDomainBlocksDefinition),
  ipBlocks: client('auth', IpBlocksDefinition),
  canonicalEmailBlocks: client('auth', CanonicalEmailBlocksDefinition),
  loginMeasures: client('auth', LoginMeasuresDefinition),
  authJobs: client('auth', FailedJobsDefinition),
  authLetters: client('auth', DeadLettersDefinition),
})

const statusesClients = (client: ClientMaker) => ({
  statusesJobs: client('statuses', FailedJobsDefinition),
  statusesLetters: client('statuses', DeadLettersDefinition),
  statusesBacklog: client('statuses', BacklogDefinition),
  accounts: client('statuses', AccountsDefinition),
  filters: client('statuses', FiltersDefinition),
  graph: client('statuses', GraphDefinition),
  domainBlocks: client('statuses', DomainBlocksDefinition),
  directory: client('statuses', DirectoryDefinition),
  suggestions: client('statuses', SuggestionsDefinition),
  statuses: client('statuses', StatusesDefinition),
  edits: client('statuses', EditsDefinition),
  interactions: client('statuses', InteractionsDefinition),
  lists: client('statuses', ListsDefinition),
  translations: client('statuses', TranslationsDefinition),
  threads: client('statuses', ThreadsDefinition),
  pins: client('statuses', PinsDefinition),
  automaticDeletion: client('statuses', AutomaticDeletionDefinition),
  quotes: client('statuses', QuotesDefinition),
  polls: client('statuses', PollsDefinition),
  tags: client('statuses', TagsDefinition),
  featuredTags: client('statuses', FeaturedTagsDefinition),
  scheduled: client('statuses', ScheduledDefinition),
  reports: client('statuses', ReportsDefinition),
  announcements: client('statuses', AnnouncementsDefinition),
  staffAnnouncements: client('statuses', StaffAnnouncementsDefinition),
  staffReports: client('statuses', StaffReportsDefinition),
  staffStatuses: client('statuses', StaffStatusesDefinition),
  search: client('statuses', SearchDefinition),
  emojis: client('statuses', EmojisDefinition),
  staffEmojis: client('statuses', StaffEmojisDefinition),
  timelines: client('statuses', TimelinesDefinition),
  conversations: client('statuses', ConversationsDefinition),
  trends: client('statuses', TrendsDefinition),
  statusMeasures: client('statuses', StatusMeasuresDefinition),
  views: client('statuses', ViewsDefinition),
  discovery: client('statuses', DiscoveryDefinition),
})

const mediaClients = (client: ClientMaker) => ({
  mediaJobs: client('media', FailedJobsDefinition),
  mediaLetters: client('media', DeadLettersDefinition),
  attachments: client('media', AttachmentsDefinition),
  mediaBacklog: client('media', BacklogDefinition),
})

const notificationsClients = (client: ClientMaker) => ({
  notificationsJobs: client('notifications', FailedJobsDefinition),
  notificationsLetters: client('notifications', DeadLettersDefinition),
  inbox: client('notifications', InboxDefinition),
  notificationsBacklog: client('notifications', BacklogDefinition),
  groups: client('notifications', GroupsDefinition),
  markers: client('notifications', MarkersDefinition),
  push: client('notifications', PushDefinition),
  policies: client('notifications', PoliciesDefinition),
  notificationRequests: client('notifications', RequestsDefinition),
})

const federationClients = (client: ClientMaker) => ({
  federationBacklog: client('federation', BacklogDefinition),
  federationJobs: client('federation', FailedJobsDefinition),
  federationLetters: client('federation', DeadLettersDefinition),
  instance: client('federation', InstanceDefinition),
  instanceSettings: client('federation', InstanceSettingsDefinition),
  blockedDomains: client('federation', BlockedDomainsDefinition),
  domainImports: client('federation', DomainImportsDefinition),
  allowedDomains: client('federation', AllowedDomainsDefinition),
  otherServers: client('federation', FederationStaffDefinition),
  relays: client('federation', RelaysDefinition),
  resolver: client('federation', ResolverDefinition),
})

/** Clients of all services that the gateway calls. */
export const serviceClients = (client: ClientMaker) => ({
  ...authClients(client),
  ...statusesClients(client),
  ...mediaClients(client),
  ...notificationsClients(client),
  ...federationClients(client),
})

export type ServiceClients = ReturnType<typeof serviceClients>

/** The dependencies of handlers. */
export type Clients = ServiceClients & {
  render: Renderer
  config: GatewayConfig
  clock: Clock
  accepted: AcceptedTypes
  /** The VAPID public key for push subscriptions; undefined while it is unavailable. */
  vapidKey: (call: Call) => Promise<string | undefined>
}
