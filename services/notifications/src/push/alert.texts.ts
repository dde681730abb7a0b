/** The titles of alerts by notification type, in one language. */
type Sentences = Readonly<Record<string, (name: string) => string>> & { readonly other: (name: string) => string }

const en: Sentences = {
  mention: (name) => `${name} mentioned you`,
  status: (name) => `${name} just posted`,
  reblog: (name) => `${name} boosted your post`,
  favourite: (name) => `${name} favourited your post`,
  follow: (name) => `${name} is now following you`,
  follow_request: (name) => `${name} wants to follow you`,
  poll: (name) => `A poll by ${name} has ended`,
  update: (name) => `${name} edited a post`,
  quote: (name) => `${name} quoted your post`,
  quoted_update: (name) => `${name} edited a post that you quoted`,
  'admin.sign_up': (name) => `${name} signed up`,
  'admin.report': (name) => `${name} filed a report`,
  moderation_warning: () => 'The moderators have acted on your account',
  severed_relationships: () => 'You lost follows by an act of moderation',
  other: (name) => `${name} did something that concerns you`,
}

const de: Sentences = {
  mention: (name) => `${name} hat dich erwähnt`,
  status: (name) => `${name} hat etwas veröffentlicht`,
  reblog: (name) => `${name} hat deinen Beitrag geteilt`,
  favourite: (name) => `${name} hat deinen Beitrag favorisiert`,
  follow: (name) => `${name} folgt dir jetzt`,
  follow_request: (name) => `${name} möchte dir folgen`,
  poll: (name) => `Eine Umfrage von ${name} ist zu Ende`,
  update: (name) => `${name} hat einen Beitrag bearbeitet`,
  quote: (name) => `${name} hat deinen Beitrag zitiert`,
  quoted_update: (name) => `${name} hat einen Beitrag bearbeitet, den du zitierst`,
  'admin.sign_up': (name) => `${name} hat sich registriert`,
  'admin.report': (name) => `${name} hat etwas gemeldet`,
  moderation_warning: () => 'Die Moderation ist gegen dein Konto vorgegangen',
  severed_relationships: () => 'Durch die Moderation sind Folgen von dir beendet worden',
  other: (name) => `${name} hat etwas getan, das dich betrifft`,
}

const fr: Sentences = {
  mention: (name) => `${name} vous a mentionné`,
  status: (name) => `${name} vient de publier`,
  reblog: (name) => `${name} a partagé votre message`,
  favourite: (name) => `${name} a ajouté votre message à ses favoris`,
  follow: (name) => `${name} vous suit désormais`,
  follow_request: (name) => `${name} souhaite vous suivre`,
  poll: (name) => `Un sondage de ${name} est terminé`,
  update: (name) => `${name} a modifié un message`,
  quote: (name) => `${name} a cité votre message`,
  quoted_update: (name) => `${name} a modifié un message que vous citez`,
  'admin.sign_up': (name) => `${name} s’est inscrit`,
  'admin.report': (name) => `${name} a fait un signalement`,
  moderation_warning: () => 'La modération a agi sur votre compte',
  severed_relationships: () => 'Des abonnements ont pris fin par un acte de modération',
  other: (name) => `${name} a fait quelque chose qui vous concerne`,
}

const LANGUAGES: Readonly<Record<string, Sentences>> = { en, de, fr }

/** The title of an alert in the language of a locale, or in English. */
export const titleOf = (type: string, name: string, locale: string): string => {
  const sentences = LANGUAGES[locale.split('-', 1)[0]!.toLowerCase()] ?? en
  return (sentences[type] ?? sentences.other)(name)
}
