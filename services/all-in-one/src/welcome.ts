import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2733; --soft: #55657a; --paper: #f4f6f9; --card: #fff; --accent: #2f5f98; --line: #dbe2ea }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9eef5; --soft: #a3b1c3; --paper: #121820; --card: #1b2430; --accent: #8db8ee; --line: #2d3948 }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 system-ui, sans-serif }
main { max-width: 36rem; width: 100%; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: clamp(1.5rem, 5vw, 3rem) }
h1 { margin: 0 0 .25rem; font-size: clamp(1.6rem, 5vw, 2.2rem); line-height: 1.2; overflow-wrap: anywhere }
p { margin: .75rem 0; color: var(--soft) }
dl { margin: 1.5rem 0; display: grid; gap: .75rem }
dt { font-size: .875rem; color: var(--soft) }
dd { margin: 0; font-family: ui-monospace, monospace; font-size: .95rem; overflow-wrap: anywhere }
a { color: var(--accent) }
a.button { display: inline-block; margin-top: .5rem; padding: .65rem 1.25rem; border-radius: .6rem; background: var(--accent); color: var(--card);
  text-decoration: none; font-weight: 600 }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }`

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const page = ({ title, baseUrl }: { title: string; baseUrl: string }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>A community on Rookery, a social publishing server. Use the app you have: it speaks the Mastodon client API.</p>
<dl>
<div><dt>In your app, sign in to this server</dt><dd>${escapeHtml(new URL(baseUrl).host)}</dd></div>
<div><dt>Apps that are known to fit</dt><dd>Elk, Phanpy, Ivory, Tusky, toot</dd></div>
</dl>
<a class="button" href="/auth/sign_up">Create an account</a>
<p><a href="/api/openapi.json">The API, described</a> · <a href="/api/v2/instance">About this server, for programs</a></p>
</main>
</body>
</html>
`

/** The page at `/` that says what this server is. */
export const createWelcome = (given: { title: string; baseUrl: string }) => {
  const body = Buffer.from(page(given))
  const style = createHash('sha256').update(STYLE).digest('base64')
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(body.length),
    'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${style}'; frame-ancestors 'none'`,
    'Cache-Control': 'public, max-age=300',
    'X-Content-Type-Options': 'nosniff',
  }
  return (_request: IncomingMessage, response: ServerResponse) => void response.writeHead(200, headers).end(body)
}
