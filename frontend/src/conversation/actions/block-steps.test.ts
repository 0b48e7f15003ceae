import { describe, expect, it } from 'vitest'

import { distanceIntoView } from './block-steps'

describe('scrolling to a block', () => {
  it('does nothing when it is in sight', () => {
    expect(distanceIntoView({ top: 100, bottom: 200 }, 50, 500)).toBe(0)
  })

  it('is as little as needed', () => {
    expect(distanceIntoView({ top: 20, bottom: 80 }, 50, 500)).toBe(-30)
    expect(distanceIntoView({ top: 450, bottom: 560 }, 50, 500)).toBe(60)
  })

  it('shows the top of what is higher than the screen', () => {
    expect(distanceIntoView({ top: 100, bottom: 1000 }, 50, 500)).toBe(50)
  })
})
