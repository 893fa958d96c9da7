/** What many runs come to. */

const sorted = (numbers) => numbers.toSorted((one, other) => one - other)

/** The value at a share of the way from the smallest to the largest. */
const quantile = (numbers, share) => {
  const all = sorted(numbers)
  const at = share * (all.length - 1)
  const [low, high] = [all[Math.floor(at)], all[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}

export const median = (numbers) => quantile(numbers, 0.5)

/** Half the distance of the quartiles. */
export const halfway = (numbers) => (quantile(numbers, 0.75) - quantile(numbers, 0.25)) / 2

/** The same, as a share of the median. */
export const spread = (numbers) => halfway(numbers) / median(numbers)
