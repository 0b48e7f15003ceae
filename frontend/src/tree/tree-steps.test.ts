import { describe, expect, it } from 'vitest'

import { findBranchInto, findParent, findSplit, findTurn } from './tree-steps'

/** A stem of three turns; a branch of two leaves the first, an agent follows the second. */
const shape = { kinds: 'tTtttat', depths: [0, 1, 1, 1, 0, 0, 0] }
/** Two branches leave one turn, the second parts again. */
const deep = { kinds: 'tTTtTtt', depths: [0, 1, 1, 1, 2, 1, 0] }

describe('walking a tree', () => {
  it('goes to the next and the previous split', () => {
    expect(findSplit(shape, 0, 1)).toBe(1)
    expect(findSplit(shape, 4, -1)).toBe(1)
    expect(findSplit(shape, 4, 1)).toBeNull()
  })

  it('goes to the turn that a branch left', () => {
    expect(findParent(shape, 3)).toBe(0)
    expect(findParent(deep, 4)).toBe(3)
    expect(findParent(deep, 2)).toBe(0)
    expect(findParent(shape, 4)).toBeNull()
  })

  it('goes into the branch that leaves at a turn', () => {
    expect(findBranchInto(shape, 0)).toBe(1)
    expect(findBranchInto(deep, 3)).toBe(4)
    expect(findBranchInto(shape, 4)).toBeNull()
  })

  it('takes an agent for the turn above it', () => {
    expect(findTurn(shape, 5)).toBe(4)
    expect(findTurn(shape, 6)).toBe(6)
  })
})
