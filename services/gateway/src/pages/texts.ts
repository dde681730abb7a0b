import type { Language } from '@rookery/pages'

/** What the public pages say, once in each language. */
export type Texts = {
  followers: string
  following: string
  posts: string
  noPosts: string
  joined(day: string): string
  moved: string
  memorial: string
  suspended: string
  boosted(name: string): string
  edited: string
  sensitive: string
  profileOf(name: string): string
  votes(count: string): string
  counts(given: { replies: string; reblogs: string; favourites: string }): string
  notFound: { title: string; text: string }
  throttled: { title: string; text: string }
  unavailable: { title: string; text: string }
  fault: { title: string; text: string }
  welcome: { lead: string; signIn: string; apps: string; signUp: string; api: string; instance: string }
}

export const TEXTS: Record<Language, Texts> = {
  en: {
    followers: 'Followers',
    following: 'Following',
    posts: 'Posts',
    noPosts: 'There is nothing to see here yet.',
    joined: (day) => `Here since ${day}`,
    moved: 'This account has moved to',
    memorial: 'In memory of someone who has died.',
    suspended: 'This account is suspended.',
    boosted: (name) => `Boosted by ${name}`,
    edited: 'edited',
    sensitive: 'Sensitive content',
    profileOf: (name) => `Profile of ${name}`,
    votes: (count) => `Votes: ${count}`,
    counts: ({ replies, reblogs, favourites }) => `Replies: ${replies} · Boosts: ${reblogs} · Favourites: ${favourites}`,
    notFound: { title: 'There is nothing here', text: 'It was deleted, it is not for everyone, or the address is mistyped.' },
    throttled: { title: 'Too many requests', text: 'Please try again in a few minutes.' },
    unavailable: { title: 'Just a moment', text: 'A part of this server cannot be reached. Please try again shortly.' },
    fault: { title: 'Something went wrong', text: 'It is our fault, not yours. Please try again shortly.' },
    welcome: {
      lead: 'A community on Rookery, a social publishing server. Use the app you have: it speaks the Mastodon client API.',
      signIn: 'In your app, sign in to this server',
      apps: 'Apps that are known to fit',
      signUp: 'Create an account',
      api: 'The API, described',
      instance: 'About this server, for programs',
    },
  },
  de: {
    followers: 'Folgen diesem Konto',
    following: 'Folgt',
    posts: 'Beiträge',
    noPosts: 'Hier gibt es noch nichts zu sehen.',
    joined: (day) => `Hier seit ${day}`,
    moved: 'Dieses Konto ist umgezogen zu',
    memorial: 'In Erinnerung an einen verstorbenen Menschen.',
    suspended: 'Dieses Konto ist gesperrt.',
    boosted: (name) => `Geteilt von ${name}`,
    edited: 'bearbeitet',
    sensitive: 'Heikler Inhalt',
    profileOf: (name) => `Profil von ${name}`,
    votes: (count) => `Stimmen: ${count}`,
    counts: ({ replies, reblogs, favourites }) => `Antworten: ${replies} · Geteilt: ${reblogs} · Favoriten: ${favourites}`,
    notFound: { title: 'Hier ist nichts', text: 'Es wurde gelöscht, es ist nicht für alle, oder die Adresse ist vertippt.' },
    throttled: { title: 'Zu viele Anfragen', text: 'Bitte versuche es in ein paar Minuten noch einmal.' },
    unavailable: { title: 'Einen Moment', text: 'Ein Teil dieses Servers ist nicht erreichbar. Bitte versuche es gleich noch einmal.' },
    fault: { title: 'Etwas ging schief', text: 'Das liegt an uns, nicht an dir. Bitte versuche es gleich noch einmal.' },
    welcome: {
      lead: 'Eine Gemeinschaft auf Rookery, einem Server für soziales Veröffentlichen. Nimm die App, die du hast: Er spricht die Client-API von Mastodon.',
      signIn: 'Melde dich in deiner App bei diesem Server an',
      apps: 'Apps, die bekanntlich passen',
      signUp: 'Konto anlegen',
      api: 'Die API, beschrieben',
      instance: 'Über diesen Server, für Programme',
    },
  },
  fr: {
    followers: 'Abonnés',
    following: 'Abonnements',
    posts: 'Messages',
    noPosts: 'Il n’y a encore rien à voir ici.',
    joined: (day) => `Ici depuis le ${day}`,
    moved: 'Ce compte a déménagé vers',
    memorial: 'En mémoire d’une personne décédée.',
    suspended: 'Ce compte est suspendu.',
    boosted: (name) => `Partagé par ${name}`,
    edited: 'modifié',
    sensitive: 'Contenu sensible',
    profileOf: (name) => `Profil de ${name}`,
    votes: (count) => `Votes : ${count}`,
    counts: ({ replies, reblogs, favourites }) => `Réponses : ${replies} · Partages : ${reblogs} · Favoris : ${favourites}`,
    notFound: { title: 'Il n’y a rien ici', text: 'C’est supprimé, ce n’est pas pour tout le monde, ou l’adresse est mal tapée.' },
    throttled: { title: 'Trop de demandes', text: 'Réessayez dans quelques minutes.' },
    unavailable: { title: 'Un instant', text: 'Une partie de ce serveur est injoignable. Réessayez bientôt.' },
    fault: { title: 'Quelque chose a échoué', text: 'C’est notre faute, pas la vôtre. Réessayez bientôt.' },
    welcome: {
      lead: 'Une communauté sur Rookery, un serveur de publication sociale. Prenez l’application que vous avez : il parle l’API des clients Mastodon.',
      signIn: 'Dans votre application, connectez-vous à ce serveur',
      apps: 'Applications qui conviennent',
      signUp: 'Créer un compte',
      api: 'L’API, décrite',
      instance: 'À propos de ce serveur, pour les programmes',
    },
  },
}
