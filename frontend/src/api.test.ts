import { expect, test } from 'vitest'

import { ApiError, nameFailure, UnreachableError } from './api'

test('only what is not there is called not found', () => {
  expect(nameFailure(new ApiError(404, 'no_session', 'No session begins with ffff.'))).toBe('Not found')
  expect(nameFailure(new ApiError(409, 'ambiguous_session', '"3f" fits 4 sessions.'))).toBe('Which session?')
  expect(nameFailure(new UnreachableError())).toBe('Not opened')
  expect(nameFailure(new TypeError('x is undefined'))).toBe('Not opened')
})
