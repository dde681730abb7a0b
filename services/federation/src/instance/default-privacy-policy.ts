/** When these texts last changed, milliseconds since 1970. */
export const DEFAULT_SINCE = Date.UTC(2026, 10, 27)

const en = `
This is what the software of this server stores about you, and what it does with it. Who runs the server may use other services besides, as a
proxy, a mail service or backups; ask them about those.

# What is stored

- Your account: username, e-mail address, password as a hash that cannot be turned back, the language you chose, when you signed up, from which address and with which app, and the reason you gave if one was asked for.
- The links that you made to invite others, and who invited you. Who invited you sees that you came; moderators see both.
- Where you are signed in: the name of each browser and the time, and the apps you let in. Of your activity, the last day on which you were there.
- What you publish: profile, posts with their date, language and app, files, polls and votes, favourites, boosts.
- What you arrange for yourself: bookmarks, follows, lists, filters, blocks, mutes, notes about others, scheduled posts, notifications and reading positions.
- Reports that you send, for the moderators, with the posts that they name as those were then.
- For notifications on your devices: where they are to be sent. What is sent is encrypted for the device and passes through the push service of its maker.
- To limit abuse: how often an internet address or an account called, for an hour at most; for some days, which addresses tried to sign up with a blocked mail provider; and the mail providers, networks and mailboxes (as hashes) that moderators blocked. The log holds no addresses and nothing of what was said.

# Who sees it

Anyone on the internet sees your profile and your public and unlisted posts, and whom you follow unless you hide it. Posts for followers are shown
to your followers, direct posts to those you mention. Posts are not encrypted: who runs the server can technically read all of them. Do not write
here what must not become known. Your e-mail address is shown to no one but those who run the server.

Apps that you let in see and do what you allowed them, until you remove them in your account.

# What leaves the server

Pages that posts link to are fetched by the server for a preview, without saying for whom. Where translation is switched on, the text of public posts
that someone has translated goes to the translation service. Mail goes through a mail service. Nothing is sold, and there is no advertising.

# Cookies

Reading needs no cookies. The pages on which you sign in set cookies that keep you signed in and protect forms. Nothing counts you, and no
page runs scripts of others: only signing in with passkeys takes a script, which is this server’s own.

# How long it is kept

Until you delete it. A deleted post is gone with its files; where a report named it, moderators see its text until 30 days after that report is resolved. If you delete your account, its posts, files and settings are removed; copies in backups last as long as
the backups. Files that were uploaded and never posted are removed after a day,
sign-ups whose e-mail address is not confirmed after a week, invitations a month after they are over. Who invited you is forgotten with
either of the two accounts.

# What you can do

In your account on this server you can download your data, change or delete it, end sessions, remove apps and delete the account. For
everything else, write to the contact of this server.
`

const de = `
Das speichert die Software dieses Servers über dich, und das tut sie damit. Wer den Server betreibt, kann daneben andere Dienste nutzen, etwa
einen Proxy, einen Maildienst oder Backups; danach frage dort.

# Was gespeichert wird

- Dein Konto: Benutzername, E-Mail-Adresse, Passwort als Hash, der sich nicht zurückrechnen lässt, die gewählte Sprache, wann, von welcher Adresse und mit welcher App du dich registriert hast, und der Grund, den du angegeben hast, falls danach gefragt wurde.
- Die Links, mit denen du andere eingeladen hast, und wer dich eingeladen hat. Wer dich eingeladen hat, sieht, dass du gekommen bist; die Moderation sieht beides.
- Wo du angemeldet bist: der Name jedes Browsers und der Zeitpunkt, und die Apps, die du zugelassen hast. Von deiner Aktivität der letzte Tag, an dem du da warst.
- Was du veröffentlichst: Profil, Beiträge mit Datum, Sprache und App, Dateien, Umfragen und Stimmen, Favoriten, geteilte Beiträge.
- Was du für dich einrichtest: Lesezeichen, wem du folgst, Listen, Filter, Blockierte, Stummgeschaltete, Notizen zu anderen, geplante Beiträge, Benachrichtigungen und Lesepositionen.
- Meldungen, die du abschickst, für die Moderation, mit den genannten Beiträgen, wie sie da lauteten.
- Für Benachrichtigungen auf deinen Geräten: wohin sie gehen. Sie sind für das Gerät verschlüsselt und gehen durch den Push-Dienst seines Herstellers.
- Gegen Missbrauch: wie oft eine Internetadresse oder ein Konto angefragt hat, höchstens eine Stunde lang; einige Tage lang, von welchen Adressen sich jemand mit einem blockierten Mailanbieter registrieren wollte; und die Mailanbieter, Netze und Postfächer (als Hash), die die Moderation blockiert hat. Im Protokoll stehen keine Adressen und nichts von dem, was gesagt wurde.

# Wer es sieht

Alle im Internet sehen dein Profil und deine öffentlichen und nicht gelisteten Beiträge, und wem du folgst, wenn du es nicht verbirgst. Beiträge für Folgende
sehen jene, die dir folgen, direkte Beiträge jene, die du erwähnst. Beiträge sind nicht verschlüsselt: Wer den Server betreibt, kann technisch alle lesen.
Schreibe hier nichts, was nicht bekannt werden darf. Deine E-Mail-Adresse sehen nur die, die den Server betreiben.

Apps, die du zugelassen hast, sehen und tun, was du ihnen erlaubt hast, bis du sie in deinem Konto entfernst.

# Was den Server verlässt

Seiten, auf die Beiträge verweisen, ruft der Server für eine Vorschau ab, ohne zu sagen, für wen. Ist die Übersetzung eingeschaltet, geht der Text öffentlicher
Beiträge, die jemand übersetzen lässt, an den Übersetzungsdienst. E-Mails gehen durch einen Maildienst. Nichts wird verkauft, es gibt keine Werbung.

# Cookies

Lesen braucht keine Cookies. Die Seiten, auf denen du dich anmeldest, setzen Cookies, die dich angemeldet halten und Formulare schützen. Keine Seite führt Skripte aus
oder zählt dich.

# Wie lange es bleibt

Bis du es löschst. Ein gelöschter Beitrag ist samt seinen Dateien weg; hat ihn eine Meldung genannt, sieht die Moderation seinen Text, bis die Meldung 30 Tage erledigt ist. Löschst du dein Konto, werden seine Beiträge, Dateien und Einstellungen entfernt; Kopien in Backups bleiben so lange wie
die Backups. Dateien, die hochgeladen und nie veröffentlicht wurden, werden nach einem Tag entfernt,
Registrierungen, deren E-Mail-Adresse nicht bestätigt wird, nach einer Woche, Einladungen einen Monat, nachdem sie abgelaufen sind. Wer dich
eingeladen hat, wird mit einem der beiden Konten vergessen.

# Was du tun kannst

In deinem Konto auf diesem Server kannst du deine Daten herunterladen, ändern und löschen, Sitzungen beenden, Apps entfernen und das Konto löschen. Für alles andere schreibe an den
Kontakt dieses Servers.
`

const fr = `
Voici ce que le logiciel de ce serveur enregistre sur vous et ce qu’il en fait. Qui gère le serveur peut utiliser d’autres services, comme un
proxy, un service de courriel ou des sauvegardes ; demandez-lui ce qu’il en est.

# Ce qui est enregistré

- Votre compte : nom d’utilisateur, adresse électronique, mot de passe sous forme d’une empreinte irréversible, langue choisie, quand, depuis quelle adresse et avec quelle application vous vous êtes inscrit, et le motif donné s’il était demandé.
- Les liens que vous avez créés pour inviter d’autres personnes, et qui vous a invité. Qui vous a invité voit que vous êtes venu ; la modération voit les deux.
- Où vous êtes connecté : le nom de chaque navigateur et l’heure, et les applications que vous avez autorisées. De votre activité, le dernier jour où vous étiez là.
- Ce que vous publiez : profil, messages avec leur date, leur langue et leur application, fichiers, sondages et votes, favoris, partages.
- Ce que vous organisez pour vous : signets, abonnements, listes, filtres, blocages, comptes masqués, notes sur d’autres, messages programmés, notifications et positions de lecture.
- Les signalements que vous envoyez, pour la modération, avec les messages nommés tels qu’ils étaient alors.
- Pour les notifications sur vos appareils : où les envoyer. Elles sont chiffrées pour l’appareil et passent par le service de son fabricant.
- Contre les abus : combien de fois une adresse internet ou un compte a fait une demande, pendant une heure au plus ; pendant quelques jours, quelles adresses ont tenté une inscription avec un fournisseur de courriel bloqué ; et les fournisseurs, réseaux et boîtes (sous forme d’empreintes) que la modération a bloqués. Le journal ne contient ni adresses ni rien de ce qui a été dit.

# Qui le voit

Tout le monde sur internet voit votre profil et vos messages publics et non listés, et vos abonnements si vous ne les cachez pas. Les messages pour abonnés sont montrés
à vos abonnés, les messages directs aux personnes mentionnées. Les messages ne sont pas chiffrés : qui gère le serveur peut techniquement tous les lire.
N’écrivez pas ici ce qui ne doit pas être connu. Votre adresse électronique n’est montrée qu’à ceux qui gèrent le serveur.

Les applications autorisées voient et font ce que vous leur avez permis, jusqu’à ce que vous les retiriez dans votre compte.

# Ce qui quitte le serveur

Le serveur lit les pages vers lesquelles mènent les messages pour en montrer un aperçu, sans dire pour qui. Si la traduction est activée, le texte des messages publics que
quelqu’un fait traduire va au service de traduction. Les courriels passent par un service de courriel. Rien n’est vendu, et il n’y a pas de publicité.

# Cookies

Lire ne demande aucun cookie. Les pages de connexion en posent pour vous garder connecté et protéger les formulaires. Aucune page n’exécute de script ni ne vous compte.

# Combien de temps

Jusqu’à ce que vous le supprimiez. Un message supprimé l’est avec ses fichiers ; si un signalement le nomme, la modération voit son texte jusqu’à 30 jours après la fin de ce signalement. Si vous supprimez votre compte, ses messages, fichiers et réglages sont retirés ; les copies dans les sauvegardes
durent autant que celles-ci. Les fichiers envoyés et jamais publiés sont retirés après un jour,
les inscriptions dont l’adresse de courriel n’est pas confirmée après une semaine, les invitations un mois après leur fin. Qui vous a invité
est oublié avec l’un des deux comptes.

# Ce que vous pouvez faire

Dans votre compte sur ce serveur, vous pouvez télécharger vos données, les changer ou les supprimer, fermer des sessions, retirer des applications et supprimer le compte. Pour
le reste, écrivez au contact de ce serveur.
`

/** Joins the lines of paragraphs; lists and headings keep theirs. */
const flowing = (text: string): string => text.trim().replace(/([^\n])\n(?![\n#-])/g, '$1 ')

/** The privacy policies used if the operator provides none, by language: they describe the data that this software stores. */
export const DEFAULT_POLICIES = { en: flowing(en), de: flowing(de), fr: flowing(fr) } as const
