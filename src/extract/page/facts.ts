// What a page says about itself: title, author and date, from its metadata.

// What is used of a parsed page: any implementation of the DOM will do.
export type Page = {
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement>
}
export type PageElement = Page & {
  nodeName: string
  textContent: string | null
  parentElement: PageElement | null
  getAttribute(name: string): string | null
  closest(selector: string): PageElement | null
}

export type PageFacts = { title: string | null; author: string | null; time: Date | null }

export function describePage(page: Page): PageFacts {
  const linked = linkedData(page)
  const article = linked.find((thing) => isOfType(thing, /(Article|Posting|Report|WebPage|VideoObject|Book|Recipe)$/))
  return {
    title:
      first(meta(page, 'og:title'), meta(page, 'twitter:title'), text(article?.headline), titleElement(page)) ?? null,
    author: first(text(names(article?.author)), meta(page, 'author'), plain(meta(page, 'article:author'))) ?? null,
    time: firstDate(
      text(article?.datePublished),
      meta(page, 'article:published_time'),
      meta(page, 'datePublished'),
      meta(page, 'date'),
      meta(page, 'dc.date'),
      meta(page, 'dcterms.created'),
      meta(page, 'sailthru.date'),
      page
        .querySelector('time[datetime][pubdate], time[itemprop="datePublished"], .dt-published[datetime]')
        ?.getAttribute('datetime'),
    ),
  }
}

export type Thing = { [key: string]: unknown }

// Every schema.org object in the page's JSON-LD, those inside @graph too.
export function linkedData(page: Page): Thing[] {
  const things: Thing[] = []
  const collect = (value: unknown, depth: number): void => {
    if (depth > 8 || things.length > 1_000) return
    if (Array.isArray(value)) for (const entry of value) collect(entry, depth + 1)
    else if (value && typeof value === 'object') {
      things.push(value as Thing)
      collect((value as Thing)['@graph'], depth + 1)
      collect((value as Thing).mainEntity, depth + 1)
      collect((value as Thing).mainEntityOfPage, depth + 1)
    }
  }
  for (const script of page.querySelectorAll('script[type="application/ld+json"]')) {
    try {
      collect(JSON.parse((script.textContent ?? '').replace(/^\s*(<!--|\/\*.*?\*\/)|-->\s*$/g, '')), 0)
    } catch {
      // Broken metadata says nothing.
    }
  }
  return things
}

export function isOfType(thing: Thing, pattern: RegExp): boolean {
  const types = Array.isArray(thing['@type']) ? thing['@type'] : [thing['@type']]
  return types.some((type) => typeof type === 'string' && pattern.test(type))
}

export function meta(page: Page, name: string): string | null {
  for (const element of page.querySelectorAll(
    `meta[name="${name}" i], meta[property="${name}" i], meta[itemprop="${name}" i]`,
  )) {
    const content = element.getAttribute('content')?.trim()
    if (content) return content
  }
  return null
}

function titleElement(page: Page): string | null {
  return page.querySelector('title')?.textContent?.trim() || page.querySelector('h1')?.textContent?.trim() || null
}

function names(value: unknown): string | null {
  const list = (Array.isArray(value) ? value : [value]).map((entry) =>
    entry && typeof entry === 'object' ? text((entry as Thing).name) : text(entry),
  )
  return list.filter(Boolean).join(', ') || null
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() ? value.trim() : null
}

// Some pages give the author as an address.
function plain(value: string | null): string | null {
  return value && !/^https?:/.test(value) ? value : null
}

function first(...values: (string | null | undefined)[]): string | null {
  return values.find((value) => value) ?? null
}

function firstDate(...values: (string | null | undefined)[]): Date | null {
  for (const value of values) {
    if (!value || !/\d{4}/.test(value)) continue
    const date = new Date(/^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(value) ? `${value}Z` : value)
    if (!Number.isNaN(date.getTime()) && date.getUTCFullYear() > 1900 && date.getUTCFullYear() < 2200) return date
  }
  return null
}
