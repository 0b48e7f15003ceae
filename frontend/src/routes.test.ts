import { beforeEach, describe, expect, test, vi } from 'vitest'

describe('an address', () => {
  test.each([
    ['/', 'home', null],
    ['/sessions?project=-home-dev', 'sessions', null],
    ['/sessions/', 'sessions', null],
    ['/s/3f9c21d0?at=e9a4', 'session', '3f9c21d0'],
    ['/s/a%20b', 'session', 'a b'],
    ['/s/', 'missing', null],
    ['/s/%E0%A4%A', 'session', '%E0%A4%A'],
    ['/search?q=tool:Bash', 'search', null],
    ['/live', 'live', null],
    ['/usage', 'usage', null],
    ['/nowhere', 'missing', null],
  ])('%s is the screen %s', async (path, screen, id) => {
    const { parseRoute } = await import('./routes.svelte')
    expect(parseRoute(path)).toMatchObject({ screen, id })
  })

  test('leaves out what says nothing', async () => {
    const { buildAddress, conversationAddress } = await import('./routes.svelte')
    expect(buildAddress('/sessions', { project: 'a b', state: '', since: null, sort: undefined })).toBe(
      '/sessions?project=a+b',
    )
    expect(conversationAddress('3f/9c', { at: 'e9a4', agent: null })).toBe('/s/3f%2F9c?at=e9a4')
  })
})

describe('a step', () => {
  const steps: { path: string; state: unknown }[] = []

  beforeEach(() => {
    vi.resetModules()
    steps.splice(0, steps.length, { path: '/', state: null })
    const place = { pathname: '/', search: '', href: 'http://page/' }
    const to = (state: unknown, path: string): void => {
      const url = new URL(path, 'http://page')
      Object.assign(place, { pathname: url.pathname, search: url.search, href: url.href })
      fake.state = state
    }
    const fake = {
      state: null as unknown,
      scrollRestoration: 'auto',
      pushState: (state: unknown, _: string, path: string) => {
        steps.push({ path, state })
        to(state, path)
      },
      replaceState: (state: unknown, _: string, path: string) => {
        steps[steps.length - 1] = { path, state }
        to(state, path)
      },
    }
    vi.stubGlobal('location', place)
    vi.stubGlobal('history', fake)
  })

  test('is one entry of the history, and typing is none', async () => {
    const { goTo, replaceAddress, route } = await import('./routes.svelte')
    goTo('/search')
    replaceAddress('/search?q=c')
    replaceAddress('/search?q=ch')
    goTo('/s/3f9c?at=e9a4')
    expect(steps.map((step) => step.path)).toEqual(['/', '/search?q=ch', '/s/3f9c?at=e9a4'])
    expect(route.current.path).toBe('/s/3f9c?at=e9a4')
  })

  test('to where the reader is already is none', async () => {
    const { goTo } = await import('./routes.svelte')
    goTo('/live')
    goTo('/live')
    expect(steps).toHaveLength(2)
  })

  test('keeps its name while its address is amended', async () => {
    const { goTo, replaceAddress, onRoute } = await import('./routes.svelte')
    const names: string[] = []
    onRoute((value) => names.push(value.step))
    goTo('/search')
    replaceAddress('/search?q=c')
    expect(names.at(-1)).toBe(names.at(-2))
    expect(names.at(-1)).not.toBe('')
  })
})
