/** What is wrong with a state, and what to do. */
export const problems = {
  unreadable: "was not written by a watch. Use another store, or remove the state to start over",
  other: "belongs to another subscription or filter. Use another store, or remove the state to start over",
  tooDeep: "contains an event that is nested too deep. Pass a filter that excludes the event",
}
