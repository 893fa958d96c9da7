/** Groups of a list. */

/** The elements by key, in their order. Keys are in the order of their first elements. */
export const by = <A, K>(all: Iterable<A>, key: (one: A) => K): ReadonlyMap<K, ReadonlyArray<A>> => {
  const groups = new Map<K, Array<A>>()
  for (const one of all) {
    const name = key(one)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [one])
    else group.push(one)
  }
  return groups
}
