/** Which two branches are compared: a record of each, or `active`; B may be of another session. */
export interface ComparedRef {
  readonly session: string
  readonly a: string
  readonly b: string
  readonly other: string | null
}

/** Read what is compared from an address. */
export function refFrom(session: string, params: URLSearchParams): ComparedRef {
  return {
    session,
    a: params.get('a') ?? 'active',
    b: params.get('b') ?? 'active',
    other: params.get('other'),
  }
}

/** Give the same two with A and B the other way round. */
export function swapSides(ref: ComparedRef): ComparedRef {
  return {
    session: ref.other ?? ref.session,
    a: ref.b,
    b: ref.a,
    other: ref.other === null ? null : ref.session,
  }
}
