/** The answer of a page or an endpoint. */
export type PageAnswer = { status: number; headers: Headers; text: string; location: string | undefined }

/** A browser without scripts: it stores cookies by path, follows links when asked to, and fills in forms. */
export class Browser {
  readonly #base: string
  readonly #server: string
  readonly #headers: Record<string, string>
  /** By name and path, as in browsers. */
  readonly #cookies = new Map<string, { name: string; value: string; path: string }>()

  /** @param given base: the public URL; server: where it really listens */
  constructor(given: { base: string; server: string; headers?: Record<string, string> }) {
    this.#base = given.base
    this.#server = given.server
    this.#headers = given.headers ?? {}
  }

  get cookieNames(): string[] {
    return [...this.#cookies.values()].map(({ name }) => name)
  }

  /** The value of a cookie, without the signature that some have. */
  cookie(name: string): string {
    return [...this.#cookies.values()].find((each) => each.name === name)?.value ?? ''
  }

  async go(address: string, init: RequestInit = {}): Promise<PageAnswer> {
    const url = new URL(address, this.#base)
    const sent = [...this.#cookies.values()]
      .filter(({ path }) => url.pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
    const response = await fetch(`${this.#server}${url.pathname}${url.search}`, {
      redirect: 'manual',
      ...init,
      headers: { accept: 'text/html', ...(sent.length > 0 ? { cookie: sent.join('; ') } : {}), ...this.#headers, ...init.headers },
    })
    for (const line of response.headers.getSetCookie()) this.#keep(line)
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get('location') ?? undefined,
    }
  }

  #keep(line: string) {
    const [pair = '', ...attributes] = line.split(/;\s*/)
    const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
    const path = attributes.find((each) => /^path=/i.test(each))?.slice(5) ?? '/'
    if (attributes.some((each) => /^expires=Thu, 01 Jan 1970/i.test(each))) this.#cookies.delete(`${name} ${path}`)
    else this.#cookies.set(`${name} ${path}`, { name, value, path })
  }

  /** Visits a URL and follows redirects that stay on the server. */
  async visit(address: string): Promise<PageAnswer> {
    return this.#follow(await this.go(address))
  }

  async #follow(answer: PageAnswer): Promise<PageAnswer> {
    let current = answer
    for (let hops = 0; hops < 10; hops++) {
      const { location } = current
      if (!location || new URL(location, this.#base).origin !== new URL(this.#base).origin) return current
      current = await this.go(location)
    }
    throw new Error(`redirected for ever, last to ${current.location}`)
  }

  /** Submits a form of a page, filled in: the first, or the first that contains `which`. Its hidden fields are included. */
  async submit(page: PageAnswer, values: Record<string, string>, which = ''): Promise<PageAnswer> {
    const forms = [...page.text.matchAll(/<form method="post" action="([^"]+)"([\s\S]*?)<\/form>/g)]
    const [, action, body] = forms.find(([form]) => form.includes(which)) ?? []
    if (!action || !body) throw new Error(`no form ${which} on the page: ${page.status} ${/<h1>.*/.exec(page.text)?.[0]}`)
    const hidden = [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value])
    const sent = new URLSearchParams({ ...Object.fromEntries(hidden), ...values })
    return this.#follow(await this.go(action.replaceAll('&amp;', '&'), { method: 'POST', body: sent }))
  }
}
